import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  firstOutputs,
  joinOutputs,
  outputValues,
  packOutputs,
} from "../../../../lib/audit/subjects/outputs.ts";

Deno.test("packOutputs() makes a block when all outputs are numbers", () => {
  const values = [1, -0, NaN, Infinity];
  assertEquals(packOutputs(values), {
    kind: "block",
    width: 1,
    values: Float64Array.from(values),
  });
});

Deno.test("packOutputs() makes a block when all outputs are as many numbers", () => {
  assertEquals(packOutputs([[1, 2], Float64Array.of(3, 4)]), {
    kind: "block",
    width: 2,
    values: Float64Array.of(1, 2, 3, 4),
  });
});

Deno.test("packOutputs() keeps values when a block would lose something", () => {
  const mixtures: unknown[][] = [
    [],
    [1, "1"],
    [1, [1]],
    [[1], [1]],
    [[], []],
    [[1, 2], [1, 2, 3]],
    [[1, 2], [1, null]],
    [[1, 2], 1],
    [null, 1],
  ];
  for (const values of mixtures) assertEquals(packOutputs(values), { kind: "values", values });
});

Deno.test("joinOutputs() gives the outputs in order when parts differ in kind", () => {
  const output = fc.oneof(fc.double(), fc.string(), fc.tuple(fc.double(), fc.double()));
  fc.assert(
    fc.property(fc.array(fc.array(output)), (parts) => {
      assertEquals([...outputValues(joinOutputs(parts.map(packOutputs)))], parts.flat());
    }),
    { seed: 2 },
  );
});

Deno.test("joinOutputs() joins blocks when their widths agree, and only then", () => {
  const one = packOutputs([1, 2]), other = packOutputs([3]), wide = packOutputs([[4, 5]]);
  assertEquals(joinOutputs([one, other]), packOutputs([1, 2, 3]));
  assertEquals(joinOutputs([one, wide]), { kind: "values", values: [1, 2, [4, 5]] });
});

Deno.test("firstOutputs() are the first ones, whether packed or not", () => {
  for (const values of [[1, 2, 3], [[1, 2], [3, 4], [5, 6]], ["a", null, 3]]) {
    for (const most of [0, 2, 3, 9]) {
      const first = [...outputValues(firstOutputs(packOutputs(values), most))];
      assertEquals(first, values.slice(0, most));
    }
  }
});
