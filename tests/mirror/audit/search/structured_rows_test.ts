import { assert, assertEquals } from "@std/assert";
import { structuredPatterns } from "../../../../lib/audit/search/structured_rows.ts";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import type { Domain } from "../../../../lib/core/dataset.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relation.ts";

const domain: Domain = {
  rows: { type: "vector", length: 3, of: { type: "number", min: -1, max: 1 }, norm: 1 },
  size: { min: 0, max: 9 },
};
const repeated = (row: unknown, n: number): unknown[] => Array.from({ length: n }, () => row);
const patterns = structuredPatterns(domain, { sizes: [1, 2, 5], repeated });

Deno.test("structuredPatterns() begins with different moves of a single row, replaced and added by turns", () => {
  const first = patterns.slice(0, 12);
  assert(first.every(([left, right]) => left.length === 1 && right.length <= 1));
  assertEquals(new Set(first.map((pair) => JSON.stringify(pair))).size, 12);
  for (const [k, [, right]] of first.entries()) assertEquals(right.length, k % 2 === 0 ? 1 : 0);
});

Deno.test("structuredPatterns() puts each move first and last among rows in the middle and at both of its ends", () => {
  const long = patterns.filter(([left, right]) => left.length === 5 && right.length === 5);
  const dense = [1, 1, 1].map((x) => x / Math.sqrt(3));
  for (const other of [[0, 0, 0], dense, dense.map((x) => -x)]) {
    for (const place of [0, 4]) {
      assert(
        long.some(([left]) =>
          left.every((row, i) =>
            i === place || (row as number[]).every((x, j) => Math.abs(x - other[j]!) < 1e-12)
          )
        ),
        `${other} with a move at ${place}`,
      );
    }
  }
});

Deno.test("seedPairs() of vectors and records begins with these patterns, as far as they are neighbours", () => {
  for (const relation of [replaceOne, addRemoveOne]) {
    const [first] = seedPairs({ domain, relation });
    assertEquals(first!.left.length, 1);
    assertEquals(first!.right.length, relation === replaceOne ? 1 : 0);
  }
});
