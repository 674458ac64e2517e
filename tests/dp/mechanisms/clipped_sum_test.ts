import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach, replaceOne } from "../../../lib/core/relations/relation.ts";
import { clippedSum } from "../../../lib/dp/mechanisms/clipped_sum.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { vectorGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { laplace, vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { permuteAndFlip } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { aboveThreshold } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { staircase } from "../../../lib/dp/mechanisms/staircase.ts";
import { compare, rational, subtract } from "../../../lib/core/numeric/rational.ts";

const numbers = fc.double({ min: -1e3, max: 1e3, noNaN: true });

Deno.test("clippedSum() moves by no more than its bounds say, in exact fractions", () => {
  fc.assert(
    fc.property(
      fc.array(numbers, { minLength: 1, maxLength: 20 }),
      numbers,
      fc.tuple(numbers, numbers).filter(([a, b]) => Math.abs(a - b) > 1e-2),
      fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
      (rows, other, bounds, power) => {
        const [lower, upper] = bounds.toSorted((a, b) => a - b) as [number, number];
        // At most the range.
        const step = power === undefined
          ? undefined
          : 2 ** (Math.floor(Math.log2(upper - lower)) - power);
        const options = { lower, upper, step };
        const moved = (left: Dataset<number>, right: Dataset<number>) => {
          const [a, b] = [left, right].map((each) => rational(clippedSum(each, options)));
          const apart = subtract(a!, b!);
          return apart.numerator < 0n ? subtract(rational(0), apart) : apart;
        };
        const range = subtract(rational(upper), rational(lower));
        assert(compare(moved(rows, rows.with(0, other)), range) <= 0);
        assert(compare(moved(rows, rows.slice(1)), rational(Math.max(-lower, upper))) <= 0);
      },
    ),
    { seed: 4304, numRuns: 2000 },
  );
  assertEquals(clippedSum([0.1, 0.2, 5, -5], { lower: 0, upper: 1, step: 0.25 }), 1.25);
  assertEquals(clippedSum([], { lower: 0, upper: 1 }), 0);
  const refused = [
    { lower: 1, upper: 0 },
    { lower: 0.3, upper: 0.4, step: 1 },
    { lower: -1, upper: 2 ** 22, step: 1 },
    { lower: -(2 ** 22), upper: 1, step: 1 },
  ];
  for (const options of refused) {
    assertThrows(() => clippedSum([1], options), RangeError, "must");
  }
  assertThrows(() => clippedSum([NaN], { lower: 0, upper: 1 }), RangeError, "must be finite");
});

/** Half a step less than nothing: beside 1 a double rounds it to half a step. */
const HALF = 2 ** -11 - 2 ** -60;
const LEFT = [0, HALF], RIGHT = [1, HALF];
const options = { epsilon: 1, sensitivity: 1, granularity: 2 ** -10, relation: replaceOne };
const byDoubles = (rows: Dataset<number>): number => rows.reduce((sum, row) => sum + row, 0);

function loss<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { left, right, output }: { left: Dataset<Row>; right: Dataset<Row>; output: Output },
): number {
  return Math.abs(mechanism.logDensity!(output, left) - mechanism.logDensity!(output, right));
}

Deno.test("a sum of doubles breaks its claim, clippedSum() keeps it, and queryError pays for rounding", () => {
  const at = { left: LEFT, right: RIGHT, output: 0 };
  // What the noise of 1,024 steps does not hide: a move of 1,025.
  assert(loss(laplace({ ...options, query: byDoubles }), at) > 1.0009);
  const exact = (rows: Dataset<number>): number => clippedSum(rows, { lower: 0, upper: 1 });
  for (const granularity of [2 ** -10, undefined]) {
    assert(loss(laplace({ ...options, granularity, query: exact }), at) <= 1 + 1e-12);
  }
  const stated = { ...options, query: byDoubles, queryError: 2 ** -53 };
  for (const mechanism of [laplace(stated), staircase(stated)]) {
    assert(loss(mechanism, at) <= 1 + 1e-12, mechanism.name);
  }
  const query = (rows: Dataset<number>): number[] => [byDoubles(rows)];
  const vectors = { ...at, output: [0] };
  assert(loss(vectorLaplace({ ...stated, query, dimension: 1 }), vectors) <= 1 + 1e-12);
});

Deno.test("queryError is paid for by every mechanism that takes a query, answers or utilities", () => {
  const relation = changeEach({ by: 1 });
  const utilities = (rows: Dataset<number>): Dataset<number> => rows;
  const choice = { candidates: [0, 1], utilities, epsilon: 1, sensitivity: 1, relation };
  const left = [0, 0];
  for (const monotone of [false, true]) {
    // Each may be off by 1/4 on either side: they move by up to 3/2, or, though monotone, against each other by 1/2.
    const moves = monotone ? [1.5, -0.5] : [1.5, -1.5];
    for (
      const make of [
        (queryError?: number) => exponentialMechanism({ ...choice, monotone, queryError }),
        (queryError?: number) => permuteAndFlip({ ...choice, monotone, queryError }),
        (queryError?: number) =>
          reportNoisyMax({ ...choice, monotone, queryError, noise: "laplace", granularity: 0.125 }),
      ]
    ) {
      const most = (queryError?: number): number => {
        const [p, q] = [left, moves].map((rows) => make(queryError).distribution!(rows));
        return Math.max(
          ...p!.map(({ probability }, i) => Math.log(probability / q![i]!.probability)),
        );
      };
      assert(most(0.25) <= 1 + 1e-9, `${make().name}: ${most(0.25)}`);
      if (make().name === "exponential mechanism") assert(most() > 0.6, `${most()}`);
    }
  }
  const stream = {
    answers: utilities,
    epsilon: 1,
    sensitivity: 1,
    threshold: 0,
    count: 1,
    relation,
  };
  const above = (queryError?: number) =>
    aboveThreshold({ ...stream, queryError, granularity: 0.125 });
  const at = { left: [0.75, -0.75], right: [-0.75, 0.75], output: [false, true] };
  assert(loss(above(0.25), at) <= 1);
  assert(loss(above(), at) > loss(above(0.25), at));
  const gaussian = (queryError?: number) =>
    vectorGaussian<number>({
      query: (rows) => [...rows],
      dimension: 1,
      rho: 0.5,
      sensitivity: 1,
      queryError,
      granularity: 2 ** -10,
      relation,
    });
  const steps = (queryError?: number) => gaussian(queryError).grid.sensitivityInSteps;
  assertAlmostEquals(steps(0.25), 1.5 * 1024 + 1, 1e-6);
  assertThrows(() => gaussian(-1), RangeError, "queryError must be at least 0");
});
