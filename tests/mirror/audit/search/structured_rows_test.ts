import { assert, assertEquals } from "@std/assert";
import { structuredPatterns } from "../../../../lib/audit/search/structured_rows.ts";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import type { Domain } from "../../../../lib/core/dataset.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relation.ts";

const domain: Domain = {
  rows: { type: "vector", length: 3, of: { type: "number", min: -1, max: 1 }, norm: 1 },
  size: { min: 0, max: 9 },
};
const patterns = structuredPatterns(domain, [1, 2, 5]);

Deno.test("structuredPatterns() begins with different moves of a single row, replaced and added by turns", () => {
  const first = patterns.slice(0, 8);
  assert(first.every(([left, right]) => left.length === 1 && right.length <= 1));
  assertEquals(new Set(first.map((pair) => JSON.stringify(pair))).size, 8);
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

// Mutants: the other rows alike in each pattern; columns alike in each.
Deno.test("structuredPatterns() moves one place up and all others down, two rows being low and two high in each column", () => {
  const of = { type: "number", min: 0, max: 1 } as const;
  const five = structuredPatterns(
    { rows: { type: "vector", length: 3, of }, size: { min: 5, max: 5 } },
    [5],
  ) as [number[][], number[][]][];
  const medians = (rows: number[][]): number[] =>
    [0, 1, 2].map((place) => rows.map((row) => row[place]!).sort()[2]!);
  assert(five.some(([left, right]) => {
    const [before, after] = [medians(left), medians(right)];
    return after.every((median, place) => median - before[place]! === (place === 0 ? 1 : -1));
  }));
});

Deno.test("seedPairs() of vectors and records begins with these patterns, as far as they are neighbours", () => {
  for (const relation of [replaceOne, addRemoveOne]) {
    const [first] = seedPairs({ domain, relation });
    assertEquals(first!.left.length, 1);
    assertEquals(first!.right.length, relation === replaceOne ? 1 : 0);
  }
});
