import fc from "fast-check";
import { noisySufficientStatistics } from "../../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { epsilons, NOT_OF_ROWS, NOT_POSITIVE, relationOf, rowRelations } from "../draws.ts";
import { drawnStep, moves } from "../drawn_noise.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import { laplaceScale, ScriptedSource } from "../scripted_source.ts";
import { epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** Statistics in a box: the number of coordinates, and where it lies. */
interface Statistics {
  readonly relation: "replace-one" | "add-remove-one";
  readonly epsilon: number;
  readonly coordinates: number;
  readonly least: number;
  readonly side: number;
  /** Binary logarithm of the step: at most 0. */
  readonly step: number;
}

const boundsOf = ({ coordinates, least, side }: Statistics) => ({
  lower: new Array<number>(coordinates).fill(least),
  upper: new Array<number>(coordinates).fill(least + side),
});

const statisticsMechanism = (options: Statistics) =>
  noisySufficientStatistics<readonly number[]>({
    statistic: (row) => row,
    bounds: boundsOf(options),
    granularity: 2 ** options.step,
    epsilon: options.epsilon,
    relation: relationOf(options.relation),
  });

/**
 * The scale of the noise on the first sum. Sums are brought into size times their bounds: enough rows at
 * the lower bound leave room for the first step of the noise. Where the size is private its noise comes
 * first, and that on the sum one draw later.
 */
function statisticsScale(
  mechanism: ReturnType<typeof statisticsMechanism>,
  options: Statistics,
): number {
  const { coordinates, least, side, epsilon, relation } = options;
  const reach = coordinates * Math.max(side, Math.abs(least), Math.abs(least + side)) + 1;
  const rows = Math.ceil(reach / (20 * epsilon * side)) + 2;
  if (rows > MOST_ROWS) return NaN;
  const data = new Array<readonly number[]>(rows).fill(boundsOf(options).lower);
  const moved = (place: number): boolean =>
    mechanism.sample(data, new ScriptedSource({ [place]: 2 ** 31 }))[1] !==
      mechanism.sample(data, new ScriptedSource())[1];
  // A draw takes two words or three, by its scale.
  const place = relation === "replace-one" ? 0 : moved(3) ? 3 : 2;
  const step = drawnStep(mechanism, data, { place, coordinate: 1 });
  return step === undefined ? NaN : laplaceScale(step);
}

/** Rows that a search may sum again and again. */
const MOST_ROWS = 4000;
/** How far the sums that are noised move, over the scale drawn: the size too where it is private. */
function statisticsShare(
  { options, mechanism, left, right }: Case<Statistics, readonly number[], number[]>,
): number {
  const scale = statisticsScale(mechanism as ReturnType<typeof statisticsMechanism>, options);
  const { sum } = moves(mechanism, { left, right });
  return Number.isNaN(scale) ? 0 : sum / scale / epsilonOf(mechanism.claim) * (1 - 1e-6);
}

/** Sufficient statistics. */
export const statisticsSweeps: readonly Sweep[] = [
  sweep({
    name: "noisySufficientStatistics()",
    covers: ["noisySufficientStatistics"],
    options: fc.record<Statistics>({
      relation: rowRelations,
      epsilon: epsilons,
      coordinates: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 100 })),
      least: fc.constantFrom(0, -1, -0.5, 1, 10, -0.3),
      side: fc.constantFrom(1, 2, 0.5, 0.7),
      step: fc.integer({ min: -7, max: -1 }),
    }),
    make: statisticsMechanism,
    pair: (options, source) =>
      neighbours<readonly number[]>(source, {
        relation: options.relation,
        rows: pointsOf(boundsOf(options), {
          min: options.relation === "replace-one" ? 1 : 0,
          max: 10,
        }),
      }),
    share: statisticsShare,
    tolerance: 1e-6,
    attained: 0.99,
    shape: (output, { options }) =>
      output.length === options.coordinates + 1 && output.every(Number.isFinite) && output[0]! >= 0,
    badOptions: {
      epsilon: NOT_POSITIVE,
      step: [1, 0.5, NaN, -2000],
      side: [0, -1, NaN],
      relation: NOT_OF_ROWS,
    },
  }),
];
