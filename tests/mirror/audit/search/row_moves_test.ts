import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { rowMoves } from "../../../../lib/audit/search/row_moves.ts";
import type { RowSpec } from "../../../../lib/core/dataset.ts";
import { isRowOf, rowSpec } from "../row_specs.ts";

Deno.test("rowMoves() replaces rows by others, all within the specification", () => {
  fc.assert(
    fc.property(rowSpec, (spec) => {
      for (const { from, to } of rowMoves(spec)) {
        assert(isRowOf(spec, from) && isRowOf(spec, to), JSON.stringify({ spec, from, to }));
      }
    }),
    { seed: 34, numRuns: 500 },
  );
});

Deno.test("rowMoves() of vectors reaches the longest moves of a ball and of a box in every norm, among its first four", () => {
  const of = { type: "number", min: -1, max: 1 } as const;
  for (const length of [1, 2, 3, 16, 200]) {
    const ball = rowMoves({ type: "vector", length, of, norm: 1 }) as {
      from: number[];
      to: number[];
    }[];
    const sumOf = ({ from, to }: typeof ball[number]): number =>
      from.reduce((sum, x, i) => sum + Math.abs(x - to[i]!), 0);
    const first = ball.slice(0, 4);
    // 2√d by absolute values: all places at 1/√d; 2 in one place along an axis.
    assertAlmostEquals(Math.max(...first.map(sumOf)), 2 * Math.sqrt(length), 1e-12 * length);
    assert(first.some(({ from, to }) => from.some((x, i) => Math.abs(x - to[i]!) === 2)));
    const box = rowMoves({ type: "vector", length, of }) as typeof ball;
    assertEquals(Math.max(...box.slice(0, 4).map(sumOf)), 2 * length);
  }
  // Signs that alternate: what a sum over all places hides.
  const alternating = rowMoves({ type: "vector", length: 4, of }).slice(0, 4);
  assert(alternating.some(({ from }) => JSON.stringify(from) === "[-1,1,-1,1]"));
});

Deno.test("rowMoves() of records changes one field alone, the labels first, before all at once", () => {
  const number = { type: "number", min: 0, max: 9 } as const;
  const spec: RowSpec = {
    type: "record",
    fields: {
      age: number,
      at: { type: "vector", length: 3, of: number },
      label: { type: "category", values: ["x", "y", "z"] },
      member: { type: "boolean" },
    },
  };
  const changed = rowMoves(spec).map(({ from, to }) => {
    const [a, b] = [from, to] as Record<string, unknown>[];
    return Object.keys(a!).filter((key) => JSON.stringify(a![key]) !== JSON.stringify(b![key]));
  });
  assertEquals(changed.slice(0, 4), [["label"], ["member"], ["age"], ["at"]]);
  assertEquals(changed.at(-1)!.length, 4);
  assert(changed.slice(0, -1).every((keys) => keys.length <= 1));
  // The other fields are at one end of their own moves, and then at the other.
  const [one, , , , other] = rowMoves(spec) as { from: { age: number } }[];
  assertEquals([one!.from.age, other!.from.age], [9, 0]);
});

Deno.test("rowMoves() of scalars goes between all corner values", () => {
  assertEquals(rowMoves({ type: "category", values: ["a", "b", "c"] }), [
    { from: "a", to: "b" },
    { from: "a", to: "c" },
    { from: "b", to: "c" },
  ]);
  assertEquals(rowMoves({ type: "category", values: ["a"] }), []);
  assertEquals(rowMoves({ type: "record", fields: {} }).length, 1);
});
