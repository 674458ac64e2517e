import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach, replaceOne } from "../../../lib/core/relations/relation.ts";
import { baseTwoExponential } from "../../../lib/dp/mechanisms/base_two_exponential.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { analyticGaussian, vectorGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { laplace, vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { aboveThreshold, numericSparseVector } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { staircase } from "../../../lib/dp/mechanisms/staircase.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

// Values, bounds and thresholds of every size, with granularities that were chosen or not: claims hold by the laws
// themselves, and outputs are where the values are.

const epsilon = 1, relation = replaceOne;

/** A place, and a distance that doubles near it tell apart exactly. */
const places = fc.record({
  at: fc.constantFrom(0, 1, -1e13, 1e13, 2 ** 51, 1.5e16, -1.7e18, 1e40),
  units: fc.integer({ min: 1, max: 1000 }),
  /** The step is this many powers of two below the distance; none for the default. */
  fineness: fc.option(fc.integer({ min: 0, max: 27 }), { nil: undefined }),
}).map(({ at, units, fineness }) => {
  const unit = Math.max(1, 2 ** (Math.ceil(Math.log2(Math.abs(at) + 1)) - 50));
  const granularity = fineness === undefined ? undefined : unit * 2 ** -fineness;
  return { at, unit, sensitivity: units * unit, granularity };
});
type Place = typeof places extends fc.Arbitrary<infer P> ? P : never;

const NUMBERS: readonly ((place: Place) => Mechanism<number, number>)[] = [
  ({ sensitivity, granularity }) =>
    laplace<number>({ query: (rows) => rows[0]!, epsilon, sensitivity, granularity, relation }),
  ({ sensitivity, granularity }) =>
    staircase<number>({
      query: (rows) => rows[0]!,
      epsilon,
      sensitivity,
      // Stairs of more than 2³⁰ steps are refused.
      granularity: granularity &&
        Math.max(granularity, 2 ** Math.ceil(Math.log2(sensitivity) - 29)),
      relation,
    }),
];

Deno.test("numbers of any size are released whole, and keep epsilon by their densities", () => {
  fc.assert(
    fc.property(places, fc.nat(), (place, seed) => {
      const { at, sensitivity } = place, source = new SeededSource(seed);
      for (const make of NUMBERS) {
        const mechanism = make(place), left = [at], right = [at + sensitivity];
        for (const data of [left, right]) {
          const output = mechanism.sample(data, source);
          // Noise of more than 60 scales has probability e^−60.
          assert(
            Math.abs(output - data[0]!) <= 61 * sensitivity / epsilon,
            `${mechanism.name}: ${output} at ${data}`,
          );
          assertEquals(
            mechanism.sampleMany!(data, 1, new SeededSource(7))[0],
            mechanism.sample(data, new SeededSource(7)),
          );
          if (
            Math.abs(output) /
                (mechanism as unknown as { grid: { granularity: number } }).grid.granularity >
              2 ** 52
          ) continue;
          const loss = mechanism.logDensity!(output, left) - mechanism.logDensity!(output, right);
          assert(Math.abs(loss) <= epsilon * (1 + 1e-9), `${mechanism.name}: ${loss}`);
        }
      }
      const granularity = place.granularity &&
        Math.max(place.granularity, 2 ** Math.ceil(Math.log2(sensitivity) - 30));
      const query = (rows: readonly number[]) => [rows[0]!, -rows[0]!];
      const vectors = [
        vectorLaplace<number>({
          query,
          dimension: 2,
          epsilon,
          sensitivity: 2 * sensitivity,
          granularity,
          relation,
        }),
        vectorGaussian<number>({
          query,
          dimension: 2,
          rho: 0.5,
          sensitivity: 2 * sensitivity,
          granularity,
          relation,
        }),
      ];
      for (const mechanism of vectors) {
        const [x, y] = mechanism.sample([at], source) as [number, number];
        assert(Math.abs(x - at) <= 200 * sensitivity && Math.abs(y + at) <= 200 * sensitivity);
        assertEquals(
          [...mechanism.sampleMany!([at], 1, new SeededSource(7))],
          mechanism.sample([at], new SeededSource(7)),
        );
      }
    }),
    { seed: 4301, numRuns: 200 },
  );
  const gaussian = analyticGaussian<number>({
    query: (rows) => rows[0]!,
    epsilon,
    delta: 1e-6,
    sensitivity: 1,
    granularity: 2 ** -10,
    relation,
  });
  assert(Math.abs(gaussian.sample([1e13], new SeededSource(1)) - 1e13) < 100);
});

Deno.test("comparisons see differences of numbers of any size, and keep epsilon by their laws", () => {
  const each = changeEach({ by: 1e-300 });
  fc.assert(
    fc.property(places, ({ at, sensitivity, granularity }) => {
      // Sums over the noise take as long as it is wide.
      const step = granularity &&
        Math.max(granularity, 2 ** Math.floor(Math.log2(sensitivity) - 4));
      const options = {
        epsilon,
        sensitivity,
        granularity: step ?? 2 ** Math.floor(Math.log2(sensitivity)),
        relation: each,
      };
      const far = at + 160 * sensitivity;
      const choice = {
        candidates: [0, 1],
        utilities: (rows: readonly number[]) => rows,
        monotone: false,
      };
      for (
        const mechanism of [
          reportNoisyMax<number, number>({ ...choice, ...options, noise: "laplace" }),
          baseTwoExponential<number, number>({ ...choice, ...options, bits: 40 }),
        ]
      ) {
        const law = (rows: readonly number[]) =>
          mechanism.distribution!(rows).map(({ probability }) => probability);
        assert(law([at, far])[1]! > 1 - 1e-9, `${mechanism.name} at ${at}`);
        assert(law([far, at])[0]! > 1 - 1e-9, `${mechanism.name} at ${at}`);
        const [left, right] = [law([at, at + sensitivity]), law([at + sensitivity, at])];
        left.forEach((p, i) => assert(Math.abs(Math.log(p / right[i]!)) <= epsilon * (1 + 1e-6)));
      }
      const stream = {
        answers: (rows: readonly number[]) => rows,
        threshold: at,
        count: 1,
        ...options,
      };
      const above = aboveThreshold<number>(stream);
      const chance = (rows: readonly number[]) => Math.exp(above.logDensity!([true], rows));
      assert(chance([far]) > 1 - 1e-6 && chance([at - 160 * sensitivity]) < 1e-6, `at ${at}`);
      const loss = Math.log(chance([at]) / chance([at + sensitivity]));
      assert(Math.abs(loss) <= epsilon * (1 + 1e-9), `${loss}`);
      const numeric = numericSparseVector<number>(stream);
      const [value] = numeric.sample([far], new SeededSource(1));
      assert(value === null || Math.abs(value! - far) < 300 * sensitivity, `${value} at ${at}`);
    }),
    { seed: 4302, numRuns: 60 },
  );
});

Deno.test("bounds of any size hold their outputs, or are refused when the mechanism is made", () => {
  fc.assert(
    fc.property(places, fc.nat(), ({ at, sensitivity, granularity, unit }, seed) => {
      const bounds = { lower: at, upper: at + sensitivity };
      const step = granularity &&
        Math.max(granularity, unit, 2 ** Math.ceil(Math.log2(sensitivity) - 20));
      const options = { bounds, epsilon, granularity: step, relation };
      const source = new SeededSource(seed);
      const low = Array<number>(100).fill(bounds.lower),
        high = Array<number>(100).fill(bounds.upper);
      const middle = quantile({ ...options, level: 0.5 });
      for (const data of [low, high]) {
        for (const mechanism of [middle, boundedMean(options)]) {
          const output = mechanism.sample(data, source);
          assert(output >= bounds.lower && output <= bounds.upper, `${mechanism.name}: ${output}`);
        }
        const sum = boundedSum(options).sample(data, source);
        assert(
          Math.abs(sum / 100 - data[0]!) <= 0.7 * sensitivity + Math.abs(at) * 2 ** -51,
          `${sum}`,
        );
      }
      const output = middle.sample(low, source);
      const one = low.with(0, bounds.upper);
      const loss = middle.logDensity!(output, low) - middle.logDensity!(output, one);
      assert(Math.abs(loss) <= epsilon * (1 + 1e-9), `${loss}`);
    }),
    { seed: 4303, numRuns: 200 },
  );
  const far = { lower: 1.7e18, upper: 1.8e18 };
  assertThrows(
    () => quantile({ bounds: far, level: 0.5, granularity: 1, epsilon, relation }),
    RangeError,
    "bounds must be within 2^50 steps",
  );
  assertThrows(
    () =>
      quantile({
        bounds: { lower: 1e18, upper: 1e18 + 1024 },
        level: 0.5,
        granularity: 1,
        epsilon,
        relation,
      }),
    RangeError,
    "granularity must be large enough to tell doubles near the bounds apart",
  );
  assertThrows(
    () => boundedSum({ bounds: far, granularity: 1, epsilon, relation }),
    RangeError,
    "granularity must split the bounds into 1 to 2^31 steps",
  );
});
