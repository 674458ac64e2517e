import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { openBudget } from "../../../lib/accounting/budget.ts";
import { mapMechanism } from "../../../lib/accounting/map_mechanism.ts";
import { pure } from "../../../lib/core/claim.ts";
import type { Dataset } from "../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../../lib/mechanisms/bounded_sum.ts";
import {
  exactSum,
  minusSum,
  plusInteger,
  plusIntegers,
} from "../../../lib/mechanisms/exact_sum.ts";
import { mechanismNamed, mechanismNames } from "../../../lib/mechanisms/registry.ts";
import { release } from "../../../lib/mechanisms/release.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

/** Finite numbers of every size. */
const NUMBERS = [0, -0, 5e-324, -1e-300, 0.5, 2 ** 31, 2 ** 53, -(2 ** 60), 1e308, -1.7e308];
/** Whole numbers of every size. */
const INTEGERS = [0, -0, 5, 2 ** 31, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 60), 1e308];

const single = (values: readonly unknown[]): Dataset[] => values.map((value) => [value]);
const four = [[0, 0, 0, 0], [1e308, -1e308, 5e-324, 2 ** 53], [-1e308, -1e308, -1e308, -1e308]];
const points = single([[0, 0], [1e308, -1e308], [5e-324, -0]]);
const many = <Row>(row: Row, count = 100_000): Row[] => new Array<Row>(count).fill(row);
const categories = [[], ["a"], many("b"), [...many("c"), "d"]];
const bits = [[], [true], [true, false], many(false)];
const bounded = [[5e-324], [1e308, -1e308], many(1e308), [...many(-1e308), 0.5], NUMBERS];

/** For each registered mechanism, data that its types and its relation allow, as far out as they go. */
const EXTREMES: Readonly<Record<string, readonly Dataset[]>> = {
  "two-coin-survey": bits,
  "randomised-response": bits,
  "k-ary-randomised-response": categories,
  "symmetric-unary-encoding": single(["a", "d"]),
  "optimised-unary-encoding": single(["a", "d"]),
  "rappor": single(["", "\ud800", "x".repeat(100_000), 1e308, NaN, -0]),
  "keep-or-replace": [[], [0], many(5)],
  "mixed-noise": [[], [0], many(5)],
  "laplace": single(NUMBERS),
  "vector-laplace": single(NUMBERS),
  "classical-gaussian": single(NUMBERS),
  "gaussian": single(NUMBERS),
  "vector-gaussian": points,
  "discrete-gaussian": single(INTEGERS),
  "geometric": single(INTEGERS),
  "truncated-geometric": single(INTEGERS),
  "discrete-laplace": single(INTEGERS),
  "staircase": single(NUMBERS),
  "snapping": single(NUMBERS),
  "exponential": four,
  "base-2-exponential": four,
  "permute-and-flip": four,
  "noisy-max": four,
  "noisy-max-exponential": four,
  "noisy-max-gumbel": four,
  "sparse-vector": [[], ...four, many(1e308)],
  "numeric-sparse-vector": [[], ...four, many(-1e308)],
  "histogram": [[], ...categories, ["none of them"]],
  "contingency-table": [[], [{ smokes: true, sex: "f" }], many({ smokes: false, sex: "m" })],
  "tree-counts": [[], [1], [0, 5, 1.5, -0, NaN, 2 ** 53], many(4)],
  "count": bits,
  "sum": [[], ...bounded],
  "mean": bounded,
  "mean-of-unknown-size": [[], ...bounded],
  "quantile": [[], ...bounded],
  "float-laplace": single(NUMBERS),
  "float-gaussian": single(NUMBERS),
  "float-spherical-laplace": points,
};

// Mutants: a mechanism that is registered and left out here; a refusal of whole numbers that are not safe.
Deno.test("every registered mechanism has extreme data to be tried on (item 9)", () => {
  assertEquals(Object.keys(EXTREMES).sort(), [...mechanismNames].sort());
});

for (const name of mechanismNames) {
  Deno.test(`${name} refuses no valid data, however extreme (item 9)`, () => {
    for (const epsilon of [1e-3, 0.9]) {
      const mechanism = mechanismNamed(name, { epsilon, delta: 1e-6 });
      const source = new SeededSource(9);
      for (const data of EXTREMES[name]!) takes(mechanism, data, source);
    }
  });
}

/** Checks and draws; what comes out has no NaN. */
function takes(mechanism: Mechanism, data: Dataset, source: SeededSource): void {
  mechanism.check?.(data);
  const output = mechanism.sample(data, source);
  const parts = Array.isArray(output) ? output : [output];
  assert(!parts.some(Number.isNaN), `${mechanism.name} gives NaN`);
}

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
