import fc from "fast-check";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { contingencyTable, type TableRow } from "../../../lib/dp/mechanisms/contingency_table.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { noisyHistogram } from "../../../lib/dp/mechanisms/noisy_histogram.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import {
  below,
  chance,
  dimensions,
  epsilons,
  moderateEpsilons,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rowRelations,
} from "../draws.ts";
import { drawnLaplaceShare, noiseless } from "../drawn_noise.ts";
import { neighbours, numbersOf, valuesOf } from "../neighbours.ts";
import { densityShare } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** The loss at the noiseless values, and as the draws show it. */
function share<Options, Row, Output extends number | number[]>(
  { mechanism, left, right, source }: Case<Options, Row, Output>,
): number {
  const single = typeof mechanism.sample(left, source) === "number";
  const outputs = [left, right].map((data) =>
    (single ? noiseless(mechanism, data)[0] : noiseless(mechanism, data)) as Output
  );
  return Math.max(
    densityShare(mechanism, { left, right }, outputs),
    drawnLaplaceShare(mechanism, { left, right }) * (1 - 1e-6),
  );
}

/** Bounds of numbers, on the grid or beside it. */
interface Bounded {
  readonly relation: "replace-one" | "add-remove-one";
  readonly epsilon: number;
  /** The lower bound, in steps. */
  readonly least: number;
  /** The range, in steps. */
  readonly range: number;
  /** Binary logarithm of the step. */
  readonly step: number;
}

const bounded = (epsilon: typeof epsilons) =>
  fc.record({
    relation: rowRelations,
    epsilon,
    least: fc.oneof(
      fc.constantFrom(0, -0.5, 0.3, -0.25, -1),
      fc.integer({ min: -1e5, max: 1e5 }),
      fc.double({ min: -1000, max: 1000, noNaN: true }),
    ),
    range: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 1e5 })),
    step: fc.integer({ min: -30, max: 30 }),
  });

const boundsOf = ({ least, range, step }: Bounded): { lower: number; upper: number } => ({
  lower: least * 2 ** step,
  upper: (least + range) * 2 ** step,
});

const optionsOf = (options: Bounded) => ({
  bounds: boundsOf(options),
  epsilon: options.epsilon,
  granularity: 2 ** options.step,
  relation: relationOf(options.relation),
});

const boundedPair =
  (most: number, least = 0) => (options: Bounded, source: Parameters<typeof neighbours>[0]) =>
    neighbours(source, {
      relation: options.relation,
      rows: numbersOf(boundsOf(options), { min: least, max: most }),
    });

const badBounded = {
  epsilon: NOT_POSITIVE,
  step: [0.5, NaN, 2000],
  range: [0, -1, NaN, Infinity],
  least: [NaN, Infinity, -Infinity],
  relation: NOT_OF_ROWS,
};
const NO_NUMBERS = [[NaN], [Infinity], ["secret"], [undefined], [null], [0, -Infinity]];

/** Stated densities above this have all their terms. */
const LEAST_LOG = -40;

/** Means at the ends, near the middle and drawn: what tells sums and sizes. */
function meanShare(
  { mechanism, left, right, source, options }: Case<Bounded, number, number>,
): number {
  const { lower, upper } = boundsOf(options);
  const drawn = [left, right].flatMap((data) =>
    Array.from({ length: 6 }, () => mechanism.sample(data, source))
  );
  // Where the number of rows is private the stated sum leaves out what is rarer than e^−45.
  const outputs = [lower, upper, ...drawn]
    .filter((output) => mechanism.logDensity!(output, left) > LEAST_LOG);
  return densityShare(mechanism, { left, right }, outputs);
}

/** Most rows a step from a bound, so that nearly all points gain a rank where one row moves across. */
function crowdedPair(options: Bounded, source: SeededSource): Sides<readonly number[]> {
  const { lower, upper } = boundsOf(options), step = 2 ** options.step;
  const crowd = new Array<number>(1 + below(source, 6))
    .fill(chance(source, 0.5) ? lower + step : upper - step);
  const [one, other] = chance(source, 0.5) ? [lower, upper] : [upper, lower];
  return options.relation === "replace-one"
    ? { left: [one, ...crowd], right: [other, ...crowd] }
    : { left: [one, ...crowd], right: crowd };
}

/** Within the bounds. */
const isMean = (output: number, { options }: { options: Bounded }): boolean => {
  const { lower, upper } = boundsOf(options);
  return output >= lower && output <= upper;
};

/** A category list, of which some values are none. */
const categoriesOf = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Counts, sums and tables. */
export const countingSweeps: readonly Sweep[] = [
  sweep({
    name: "count()",
    covers: ["count"],
    options: fc.record({ relation: rowRelations, epsilon: epsilons, of: fc.nat(3) }),
    make: ({ relation, epsilon, of }) =>
      count<number>({ where: (row) => row === of, epsilon, relation: relationOf(relation) }),
    pair: ({ relation }, source) =>
      neighbours(source, { relation, rows: valuesOf([0, 1, 2, 3], { min: 0, max: 30 }) }),
    share,
    attained: 1 - 1e-5,
    shape: Number.isInteger,
    badOptions: { epsilon: NOT_POSITIVE },
  }),
  sweep({
    name: "noisyHistogram()",
    covers: ["noisyHistogram"],
    options: fc.record({
      relation: rowRelations,
      epsilon: epsilons,
      categories: dimensions().map(categoriesOf),
    }),
    make: ({ relation, epsilon, categories }) =>
      noisyHistogram<number, number>({
        categories,
        categoryOf: (row) => row,
        epsilon,
        relation: relationOf(relation),
      }),
    pair: ({ relation, categories }, source) =>
      neighbours(source, { relation, rows: valuesOf([...categories, -1], { min: 0, max: 20 }) }),
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) =>
      output.length === options.categories.length && output.every(Number.isInteger),
    badOptions: { epsilon: NOT_POSITIVE, categories: [[], [1, 1]] },
  }),
  sweep({
    name: "contingencyTable()",
    covers: ["contingencyTable"],
    options: fc.record({
      relation: rowRelations,
      epsilon: epsilons,
      shape: fc.oneof(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constant<number>(200), { minLength: 1, maxLength: 1 }),
      ),
    }),
    make: ({ relation, epsilon, shape }) =>
      contingencyTable({
        attributes: Object.fromEntries(shape.map((values, a) => [`a${a}`, categoriesOf(values)])),
        epsilon,
        relation: relationOf(relation),
      }),
    pair: ({ relation, shape }, source) =>
      neighbours<TableRow>(source, {
        relation,
        rows: {
          // One value in twelve is in no list.
          row: (from) =>
            Object.fromEntries(shape.map((values, a) => [
              `a${a}`,
              pick(from, [...categoriesOf(values), ...categoriesOf(values), "elsewhere"]),
            ])),
          size: { min: 0, max: 20 },
        },
      }),
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) =>
      output.length === options.shape.reduce((a, b) => a * b, 1) && output.every(Number.isInteger),
    badOptions: { epsilon: NOT_POSITIVE, shape: [[0], [2 ** 21], [1024, 1025]] },
  }),
  sweep({
    name: "boundedSum()",
    covers: ["boundedSum"],
    options: bounded(epsilons),
    make: (options) => boundedSum(optionsOf(options)),
    pair: boundedPair(30),
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) => Number.isInteger(output / 2 ** options.step),
    badOptions: badBounded,
    badData: () => NO_NUMBERS,
  }),
  sweep({
    name: "boundedMean() of a public number of rows",
    covers: ["boundedMean"],
    options: bounded(epsilons).map((options) => ({ ...options, relation: "replace-one" as const })),
    make: (options: Bounded) => boundedMean(optionsOf(options)),
    pair: boundedPair(30, 1),
    share: meanShare,
    attained: 1 - 1e-5,
    shape: isMean,
    badOptions: badBounded,
    badData: () => [...NO_NUMBERS, []],
  }),
  sweep({
    name: "boundedMean() of a private number of rows",
    covers: ["boundedMean"],
    options: bounded(moderateEpsilons).map((options) => ({
      ...options,
      relation: "add-remove-one" as const,
    })),
    make: (options: Bounded) => boundedMean(optionsOf(options)),
    pair: boundedPair(60),
    share: meanShare,
    attained: 0.9,
    shape: isMean,
    badOptions: badBounded,
    badData: () => NO_NUMBERS,
    cases: 40,
  }),
  sweep({
    name: "quantile()",
    covers: ["quantile"],
    options: fc.tuple(
      bounded(epsilons),
      fc.oneof(fc.constantFrom(0, 0.5, 1, 0.25), fc.double({ min: 0, max: 1, noNaN: true })),
    ).map(([options, level]) => ({ ...options, level })),
    make: (options) => quantile({ ...optionsOf(options), level: options.level }),
    pair: (options, source) =>
      chance(source, 0.5) ? boundedPair(30)(options, source) : crowdedPair(options, source),
    share: ({ mechanism, left, right, options }) => {
      const { lower, upper } = boundsOf(options), step = 2 ** options.step;
      const onGrid = (value: number): number =>
        Math.round(Math.min(upper, Math.max(lower, value)) / step);
      // The law changes at rows only.
      const edges = [lower, upper, ...left, ...right].map(onGrid);
      const outputs = edges.flatMap((at) => [at - 1, at, at + 1].map((each) => each * step))
        .map((output) => Math.min(upper, Math.max(lower, output)))
        .filter((output) => mechanism.logDensity!(output, left) > -Infinity);
      return densityShare(mechanism, { left, right }, outputs);
    },
    attained: 0.8,
    shape: (output, { options }) => {
      const { lower, upper } = boundsOf(options), step = 2 ** options.step;
      return output >= lower && output <= upper &&
        (Number.isInteger(output / step) || output === lower || output === upper);
    },
    badOptions: { ...badBounded, range: [-1, NaN], level: [-0.1, 1.1, NaN, undefined] },
    badData: () => NO_NUMBERS,
  }),
];
