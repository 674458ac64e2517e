import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { clampedVectorMean } from "../../../lib/papers/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import {
  below,
  dimensions,
  epsilons,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rowRelations,
} from "../draws.ts";
import { drawnStep, moves } from "../drawn_noise.ts";
import { neighbours, pointsOf, valuesOf } from "../neighbours.ts";
import { laplaceScale, ScriptedSource } from "../scripted_source.ts";
import { distributionShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** A mean of vectors. */
interface Mean {
  readonly dimension: number;
  readonly epsilon: number;
  /** Of the bound: 2^power. */
  readonly power: number;
  /** The step is 2^(power − fineness). */
  readonly fineness: number;
}

const meanOf = ({ dimension, epsilon, power, fineness }: Mean) =>
  clampedVectorMean({
    dimension,
    epsilon,
    bound: 2 ** power,
    granularity: 2 ** (power - fineness),
  });

const cube = ({ dimension, power }: Mean) => ({
  lower: new Array<number>(dimension).fill(-(2 ** power)),
  upper: new Array<number>(dimension).fill(2 ** power),
});

/** Numbers that a search may sum again and again. */
const MOST_NUMBERS = 20_000;

/** The mean is brought into the bound: enough rows leave room for the first step of the noise. */
function meanShare(
  { options, mechanism, left, right }: Case<Mean, readonly number[], number[]>,
): number {
  const { dimension, epsilon } = options;
  const rows = Math.ceil(dimension / (50 * epsilon)) + 1;
  if (rows * dimension > MOST_NUMBERS) return 0;
  const zero = new Array<number>(dimension).fill(0);
  const step = drawnStep(mechanism, new Array<readonly number[]>(rows).fill(zero));
  if (step === undefined) return 0;
  const moved = moves(mechanism, { left, right }).sum * left.length;
  return moved / (laplaceScale(step) * rows) / epsilonOf(mechanism.claim) * (1 - 1e-6);
}

/** Subsample and aggregate by a vote. */
interface Divided {
  readonly relation: "replace-one" | "add-remove-one";
  readonly epsilon: number;
  readonly blocks: number;
  readonly candidates: number;
  readonly rowsPerBlock: number;
}

type Row = number | "throws";

/** The first row decides: as unstable as an estimator can be. */
function estimator(block: Dataset<Row>): number {
  if (block[0] === "throws") throw new Error("an estimator may fail");
  return block[0]!;
}

const candidatesOf = (length: number): number[] => Array.from({ length }, (_, i) => i);

const divided = (options: Divided, aggregator: Mechanism<number, number>) =>
  subsampleAndAggregate<Row, number, number>({
    blocks: options.blocks,
    estimator,
    fallback: 0,
    aggregator,
    relation: relationOf(options.relation),
  });

/** The estimates that reach the aggregator when words say where rows go. */
function estimatesOf(
  options: Divided,
  data: Dataset<Row>,
  words: Record<number, number>,
): number[] {
  const seen: number[][] = [];
  const vote = pluralityVote({
    candidates: candidatesOf(options.candidates),
    epsilon: options.epsilon,
  });
  divided(options, {
    ...vote,
    sample(estimates): number {
      seen.push([...estimates]);
      return 0;
    },
  }).sample(data, new ScriptedSource(words));
  return seen[0]!;
}

/**
 * At most one estimate differs, wherever the rows go; and what the vote on such estimates loses exactly is
 * at most what the whole claims.
 */
function dividedShare(
  { options, mechanism, left, right, source }: Case<Divided, Row, number>,
): number {
  const vote = pluralityVote({
    candidates: candidatesOf(options.candidates),
    epsilon: options.epsilon,
  });
  const places = Array.from(
    { length: Math.max(left.length, right.length) },
    () => below(source, 2 ** 16),
  );
  // A row that one side lacks takes its word with it.
  const lacks = left.length < right.length ? left : right.length < left.length ? right : undefined;
  const longer = lacks === left ? right : left;
  const gone = lacks === undefined
    ? -1
    : longer.findIndex((row, i) => i >= lacks.length || row !== lacks[i]);
  const wordsOf = (data: Dataset<Row>): Record<number, number> => ({
    ...(data === lacks ? places.toSpliced(gone, 1) : places),
  });
  const one = estimatesOf(options, left, wordsOf(left));
  const other = estimatesOf(options, right, wordsOf(right));
  if (one.filter((value, i) => value !== other[i]).length > 1) return Infinity;
  const loss = distributionShare(vote, { left: one, right: other }) * epsilonOf(vote.claim);
  return loss / epsilonOf(mechanism.claim);
}

/** Aggregates of estimates, and the learner that chooses among hypotheses. */
export const aggregateSweeps: readonly Sweep[] = [
  sweep({
    name: "clampedVectorMean()",
    covers: ["clampedVectorMean"],
    options: fc.record<Mean>({
      dimension: dimensions(),
      epsilon: epsilons,
      power: fc.integer({ min: -20, max: 20 }),
      fineness: fc.integer({ min: 0, max: 9 }),
    }),
    make: meanOf,
    pair: (options, source) =>
      neighbours<readonly number[]>(source, {
        relation: "replace-one",
        rows: pointsOf(cube(options), { min: 1, max: 8 }),
      }),
    share: meanShare,
    tolerance: 1e-6,
    attained: 0.99,
    shape: (output, { options }) =>
      output.length === options.dimension &&
      output.every((value) => Math.abs(value) <= 2 ** options.power),
    badOptions: {
      dimension: NOT_A_COUNT,
      epsilon: NOT_POSITIVE,
      power: [NaN, 5000],
      fineness: [0.5, -2, 32],
    },
    badData: ({ dimension }) => [
      [],
      [new Array(dimension + 1).fill(0)],
      [new Array(dimension).fill(NaN)],
      [new Array(dimension).fill(-Infinity)],
    ],
  }),
  sweep({
    name: "pluralityVote()",
    covers: ["pluralityVote"],
    options: fc.record({
      epsilon: epsilons,
      candidates: fc.integer({ min: 1, max: 200 }).map(candidatesOf),
    }),
    make: (options) => pluralityVote(options),
    pair: ({ candidates }, source) =>
      neighbours(source, {
        relation: "replace-one",
        rows: valuesOf([...candidates, -1, 0.5, 1e9], { min: 0, max: 20 }),
      }),
    share: ({ mechanism, left, right }) => distributionShare(mechanism, { left, right }),
    attained: 0.95,
    shape: (output, { options }) => options.candidates.includes(output),
    badOptions: { epsilon: NOT_POSITIVE, candidates: [[]] },
  }),
  sweep({
    name: "subsampleAndAggregate()",
    covers: ["subsampleAndAggregate"],
    options: fc.record<Divided>({
      relation: rowRelations,
      epsilon: epsilons,
      blocks: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 })),
      candidates: fc.integer({ min: 2, max: 5 }),
      rowsPerBlock: fc.integer({ min: 1, max: 4 }),
    }),
    make: (options) =>
      divided(
        options,
        pluralityVote({ candidates: candidatesOf(options.candidates), epsilon: options.epsilon }),
      ),
    pair: ({ relation, candidates, blocks, rowsPerBlock }, source) =>
      neighbours<Row>(source, {
        relation,
        rows: valuesOf<Row>([...candidatesOf(candidates), "throws", -7], {
          min: relation === "replace-one" ? blocks : 0,
          max: blocks * rowsPerBlock,
        }),
      }),
    share: dividedShare,
    attained: 0.95,
    shape: (output, { options }) => output >= 0 && output < options.candidates,
    badOptions: { epsilon: NOT_POSITIVE, blocks: NOT_A_COUNT, relation: NOT_OF_ROWS },
    badData: ({ relation, blocks }) =>
      relation === "replace-one" ? [new Array(blocks - 1).fill(0)] : [],
  }),
  sweep({
    name: "privateLearner()",
    covers: ["privateLearner"],
    options: fc.record({
      relation: rowRelations,
      epsilon: epsilons,
      hypotheses: fc.integer({ min: 1, max: 200 }).map(candidatesOf),
    }),
    make: ({ relation, ...options }) =>
      privateLearner<number, number>({
        ...options,
        errs: (hypothesis, row) => row === -1 || (row === hypothesis) !== (row % 2 === 0),
        relation: relationOf(relation),
      }),
    pair: ({ relation, hypotheses }, source) =>
      neighbours(source, {
        relation,
        rows: valuesOf([...hypotheses, -1, pick(source, hypotheses)], {
          min: relation === "replace-one" ? 1 : 0,
          max: 20,
        }),
      }),
    share: ({ mechanism, left, right }) => distributionShare(mechanism, { left, right }),
    attained: 0.95,
    shape: (output, { options }) => options.hypotheses.includes(output),
    badOptions: { epsilon: NOT_POSITIVE, hypotheses: [[]], relation: NOT_OF_ROWS },
  }),
];
