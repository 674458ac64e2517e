import fc, { type Arbitrary } from "fast-check";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import type { GridMechanism } from "../../../lib/dp/mechanisms/grid_mechanism.ts";
import {
  geometric,
  integerLaplace,
  truncatedGeometric,
} from "../../../lib/dp/mechanisms/geometric.ts";
import { laplace, vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { staircase } from "../../../lib/dp/mechanisms/staircase.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import {
  below,
  dimensions,
  epsilons,
  NOT_A_COUNT,
  NOT_A_STEP,
  NOT_POSITIVE,
  pick,
  relationOf,
  rowRelations,
} from "../draws.ts";
import { drawnLaplaceShare, noiseless } from "../drawn_noise.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import {
  granularityOf,
  queries,
  sensitivityOf,
  sharesPair,
  valueOf,
  vectorOf,
  vectorPair,
  vectorQueries,
} from "../numeric_queries.ts";
import { densityShare } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

type Output = number | number[];

/** The loss at the noiseless values and a few draws, and as the draws show it. */
function share<Options, Row, O extends Output>(
  { mechanism, left, right, source }: Case<Options, Row, O>,
): number {
  const single = typeof mechanism.sample(left, source) === "number";
  const outputs = [left, right].flatMap((data) => [
    (single ? noiseless(mechanism, data)[0] : noiseless(mechanism, data)) as O,
    mechanism.sample(data, source),
  ]);
  return Math.max(
    densityShare(mechanism, { left, right }, outputs),
    // The scale is seen to a part in 10⁷.
    drawnLaplaceShare(mechanism, { left, right }) * (1 - 1e-6),
  );
}

/** Whether values are whole multiples of the step. */
function onGrid(output: Output, granularity: number): boolean {
  return [output].flat().every((value) => Number.isInteger(value / granularity));
}

const NO_NUMBERS = [[NaN], [Infinity], ["secret"], [undefined]];

/** Integer queries: rows are vectors of integers in [0, 5], summed. */
interface Integers {
  readonly relation: "replace-one" | "add-remove-one";
  readonly dimension: number;
  readonly most: number;
  readonly epsilon: number;
}

const integers = fc.record({
  relation: rowRelations,
  dimension: dimensions(),
  most: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1000 })),
  epsilon: epsilons,
});

function integerSums(
  data: readonly (readonly number[])[],
  { dimension, most }: Integers,
): number[] {
  const sums = new Array<number>(dimension).fill(0);
  for (const row of data) {
    row.forEach((value, j) => sums[j]! += Math.floor(Math.min(most, Math.max(0, value))));
  }
  return sums;
}

function integerPair(
  { relation, dimension, most }: Integers,
  source: SeededSource,
): Sides<readonly (readonly number[])[]> {
  const box = {
    lower: new Array<number>(dimension).fill(0),
    upper: new Array<number>(dimension).fill(most),
  };
  return neighbours(source, { relation, rows: pointsOf(box, { min: 0, max: 4 }) });
}

/** Stairs are as long as the sensitivity: the loss is sought where one of the two laws has an edge. */
function stairShare<Options, Row>(
  { mechanism, left, right, source }: Case<Options, Row, number>,
): number {
  const { granularity, sensitivityInSteps } = (mechanism as GridMechanism<Row, number>).grid;
  const outputs = [left, right].flatMap((data) => {
    const at = noiseless(mechanism, data)[0]!;
    const near = Array.from({ length: 64 }, (_, k) => k - 32);
    const stairs = [-2, -1, 0, 1, 2].flatMap((stair) =>
      near.map((k) => at + granularity * (stair * sensitivityInSteps + k))
    );
    const any = Array.from(
      { length: 60 },
      () => at + granularity * (below(source, 4 * sensitivityInSteps + 1) - 2 * sensitivityInSteps),
    );
    const drawn = Array.from({ length: 10 }, () => mechanism.sample(data, source));
    return [...stairs, ...any, ...drawn];
  });
  return densityShare(mechanism, { left, right }, outputs);
}

/** The truncated law has its own masses at the ends. */
function truncatedShare(
  { options: { lower, upper }, mechanism, left, right, source }: Case<
    Truncated,
    readonly number[],
    number
  >,
): number {
  const outputs = [left, right].flatMap((data) => {
    const at = noiseless(mechanism, data)[0]!;
    return [at, at - 1, at + 1, lower, upper, mechanism.sample(data, source)];
  });
  return densityShare(mechanism, { left, right }, outputs);
}

/** Integers between bounds. */
type Truncated = Integers & { readonly lower: number; readonly upper: number };

const laplaceOptions = (query: typeof queries extends Arbitrary<infer Q> ? Q : never) => ({
  sensitivity: sensitivityOf(query),
  granularity: granularityOf(query),
  relation: relationOf(query.relation),
});
const badQuery = { epsilon: NOT_POSITIVE, fineness: [0.5, NaN, 2000], power: [NaN, 0.1] };

/** How far integer sums move between neighbours, in L1. */
const integerSensitivity = ({ dimension, most }: Integers): number => dimension * most;

/** Laplace noise on grids and integers, and the staircase. */
export const laplaceSweeps: readonly Sweep[] = [
  sweep({
    name: "laplace()",
    covers: ["laplace"],
    options: fc.tuple(queries, epsilons).map(([query, epsilon]) => ({ ...query, epsilon })),
    make: (query) =>
      laplace<number>({
        ...laplaceOptions(query),
        query: valueOf(query),
        epsilon: query.epsilon,
      }),
    pair: sharesPair,
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) => onGrid(output, granularityOf(options)),
    badOptions: badQuery,
  }),
  sweep({
    name: "laplace() of any number",
    covers: ["laplace"],
    options: fc.record({ epsilon: epsilons, granularity: fc.constantFrom(2 ** -8, 1, 2 ** 20) }),
    make: ({ epsilon, granularity }) =>
      laplace<number>({
        query: (rows) => rows[0]!,
        epsilon,
        sensitivity: granularity,
        granularity,
        relation: changeEach({ by: granularity }),
      }),
    pair: ({ granularity }, source) => {
      const left = granularity * pick(source, [0, -0, 0.5, -0.5, 1.5, 2 ** 51, -(2 ** 60), 1e9]);
      const by = granularity * pick(source, [0, 0.5, -0.5, 1, -1]);
      return { left: [left], right: [left + by] };
    },
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) => onGrid(output, options.granularity),
    badOptions: { epsilon: NOT_POSITIVE, granularity: NOT_A_STEP },
    badData: () => NO_NUMBERS,
  }),
  sweep({
    name: "vectorLaplace()",
    covers: ["vectorLaplace"],
    options: fc.tuple(vectorQueries, epsilons).map(([query, epsilon]) => ({ ...query, epsilon })),
    make: (query) => {
      // A row that is replaced moves two coordinates, or all.
      const moved = query.kind === "dense"
        ? query.dimension
        : query.relation === "replace-one"
        ? 2
        : 1;
      return vectorLaplace<readonly number[]>({
        ...laplaceOptions(query),
        query: vectorOf(query, { reach: 1 / moved }),
        dimension: query.dimension,
        epsilon: query.epsilon,
      });
    },
    pair: vectorPair,
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) =>
      output.length === options.dimension && onGrid(output, granularityOf(options)),
    badOptions: { ...badQuery, dimension: NOT_A_COUNT },
  }),
  sweep({
    name: "geometric()",
    covers: ["geometric"],
    options: integers.map((options) => ({ ...options, dimension: 1 })),
    make: (options) =>
      geometric<readonly number[]>({
        query: (data) => integerSums(data, options)[0]!,
        epsilon: options.epsilon,
        sensitivity: options.most,
        relation: relationOf(options.relation),
      }),
    pair: integerPair,
    share,
    attained: 1 - 1e-5,
    shape: (output) => onGrid(output, 1),
    badOptions: { epsilon: NOT_POSITIVE, most: NOT_A_COUNT },
  }),
  sweep({
    name: "integerLaplace()",
    covers: ["integerLaplace"],
    options: integers,
    make: (options) =>
      integerLaplace<readonly number[]>({
        query: (data) => integerSums(data, options),
        dimension: options.dimension,
        epsilon: options.epsilon,
        sensitivity: integerSensitivity(options),
        relation: relationOf(options.relation),
      }),
    pair: integerPair,
    share,
    attained: 1 - 1e-5,
    shape: (output, { options }) => output.length === options.dimension && onGrid(output, 1),
    badOptions: { epsilon: NOT_POSITIVE, dimension: NOT_A_COUNT, most: [0, -1, NaN, Infinity] },
  }),
  sweep({
    name: "truncatedGeometric()",
    covers: ["truncatedGeometric"],
    options: fc.tuple(integers, fc.integer({ min: -50, max: 50 }), fc.nat(200)).map(
      ([options, lower, width]) => ({ ...options, dimension: 1, lower, upper: lower + width }),
    ),
    make: ({ lower, upper, ...options }: Truncated) =>
      truncatedGeometric<readonly number[]>({
        query: (data) => integerSums(data, options)[0]!,
        epsilon: options.epsilon,
        sensitivity: options.most,
        bounds: { lower, upper },
        relation: relationOf(options.relation),
      }),
    pair: integerPair,
    share: truncatedShare,
    attained: 1 - 1e-5,
    shape: (output, { options: { lower, upper } }) =>
      Number.isInteger(output) && output >= lower && output <= upper,
    badOptions: {
      epsilon: NOT_POSITIVE,
      most: NOT_A_COUNT,
      lower: [0.5, NaN, 1e6],
      upper: [0.5, NaN, -1e6, Infinity],
    },
  }),
  sweep({
    name: "staircase()",
    covers: ["staircase"],
    options: fc.tuple(queries, epsilons).map(([query, epsilon]) => ({ ...query, epsilon })),
    make: (query) =>
      staircase<number>({
        ...laplaceOptions(query),
        query: valueOf(query),
        epsilon: query.epsilon,
      }),
    pair: sharesPair,
    share: stairShare,
    attained: 1 - 1e-5,
    shape: (output, { options }) => onGrid(output, granularityOf(options)),
    badOptions: badQuery,
  }),
];
