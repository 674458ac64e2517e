import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import { mapMechanism } from "../../../lib/dp/accounting/map_mechanism.ts";
import { pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import {
  exactSum,
  minusSum,
  plusInteger,
  plusIntegers,
} from "../../../lib/dp/mechanisms/exact_sum.ts";
import { release } from "../../../lib/dp/mechanisms/release.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const many = <Row>(row: Row, count: number): Row[] => new Array<Row>(count).fill(row);

// Mutants: sums refused beyond 2⁵³; sums stopped at 2⁵¹; middles taken from a rounded sum.
Deno.test("boundedSum() and boundedMean() take any number of rows of any step: 4,194,305 at 2^31 (item 9)", () => {
  const source = new SeededSource(91);
  const rows = many(2 ** 31, 4_194_305);
  for (const relation of [replaceOne, addRemoveOne]) {
    const wide = { bounds: { lower: 0, upper: 2 ** 31 }, epsilon: 1, granularity: 1, relation };
    const total = boundedSum(wide);
    total.check(rows);
    const sum = total.sample(rows, source);
    assert(Math.abs(sum / (2 ** 53 + 2 ** 31) - 1) < 1e-4, `${sum}`);
    // Far from zero, a few rows are enough.
    const far = { lower: 1e6, upper: 1e6 + 1 };
    const narrow = { bounds: far, epsilon: 1, granularity: 2 ** -30, relation };
    const mean = boundedMean(narrow).sample(many(1e6 + 0.5, 10_000), source);
    assert(Math.abs(mean - 1e6 - 0.5) < 0.01, `${mean}`);
    if (relation === replaceOne) boundedSum(narrow).check(many(1e6 + 0.5, 10_000));
  }
});

const steps = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.constantFrom(2 ** 52, -(2 ** 52), 2 ** 51 + 1, 2 ** 31, -1, 1),
);

// Mutants: adding doubles; forgetting either part.
Deno.test("exactSum() is the sum of integers however large, and plusInteger() rounds once (item 9)", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), fc.integer(), (integers, noise) => {
      const sum = exactSum(integers);
      const exact = integers.reduce((total, integer) => total + BigInt(integer), 0n);
      assertEquals(BigInt(sum), exact);
      assertEquals(plusInteger(sum, noise), Number(exact + BigInt(noise)));
      const outputs = Float64Array.of(noise, 7);
      plusIntegers(sum, { noise: outputs, step: 0.25 });
      assertEquals([...outputs], [noise, 7].map((each) => Number(exact + BigInt(each)) / 4));
      assertEquals(minusSum(noise, sum) + 0, Number(BigInt(noise) - exact));
    }),
    { seed: 92 },
  );
});

// Mutant: mapMechanism() that drops the check: NaN is then refused by the draw, after the budget has paid.
Deno.test("mapMechanism() refuses what the mechanism refuses before the budget pays (item 9)", () => {
  const total = boundedSum({
    bounds: { lower: 0, upper: 1 },
    epsilon: 1,
    granularity: 0.5,
    relation: replaceOne,
  });
  const half = mapMechanism(total, { name: "half", transform: (sum) => sum / 2 });
  const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
  assertThrows(() => release(half, [NaN], { budget }), RangeError, "must be finite");
  assertEquals(budget.ledger, []);
  release(half, [1], { budget });
  assertEquals(budget.ledger, [total.claim]);
});
