import { assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { contingencyTable, marginal } from "../../../lib/dp/mechanisms/contingency_table.ts";
import { noisyHistogram } from "../../../lib/dp/mechanisms/noisy_histogram.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

Deno.test("marginal() sums agree with one another and with the rows", () => {
  const attributes = { sex: ["f", "m"], smokes: [true, false], age: [1, 2, 3] };
  const table = contingencyTable({ attributes, epsilon: 1000, relation: addRemoveOne });
  const rows = [
    { sex: "f", smokes: true, age: 3 },
    { sex: "f", smokes: false, age: 1 },
    { sex: "m", smokes: false, age: 1 },
    { sex: "m", smokes: false, age: 7 },
  ];
  // With ε = 1000 the noise is zero for certain: what is told is the table.
  const exact = table.sample(rows, new SeededSource(113));
  assertEquals(marginal(exact, { attributes, keep: ["sex"] }), [2, 1]);
  assertEquals(marginal(exact, { attributes, keep: ["age"] }), [2, 0, 1]);
  assertEquals(marginal(exact, { attributes, keep: ["sex", "smokes"] }), [1, 1, 0, 1]);
  const noisy = contingencyTable({ attributes, epsilon: 0.1, relation: addRemoveOne })
    .sample(rows, new SeededSource(114));
  const pairs = marginal(noisy, { attributes, keep: ["sex", "age"] });
  assertEquals(
    marginal(noisy, { attributes, keep: ["sex"] }),
    [0, 1].map((i) => pairs.slice(3 * i, 3 * i + 3).reduce((a, b) => a + b)),
  );
  assertThrows(() => marginal(noisy, { attributes, keep: ["height"] }), RangeError);
});

Deno.test("noisyHistogram() has noise for the relation that it is told, and no more", () => {
  const scale = (relation: typeof replaceOne): number =>
    noisyHistogram<string, string>({
      categories: ["a", "b"],
      categoryOf: (row) => row,
      epsilon: 0.5,
      relation,
    }).grid.scaleInSteps;
  assertEquals([scale(addRemoveOne), scale(replaceOne)], [2, 4]);
});
