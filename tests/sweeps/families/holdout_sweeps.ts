import fc from "fast-check";
import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  openReusableHoldout,
  thresholdoutMechanism,
  type ThresholdoutOptions,
} from "../../../lib/papers/holdout/thresholdout.ts";
import { deltas, NOT_A_COUNT, NOT_POSITIVE, scaled } from "../draws.ts";
import { neighbours, numbersOf } from "../neighbours.ts";
import { firstStep, laplaceScale, leastWord, ScriptedSource } from "../scripted_source.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What Thresholdout is told, and how it is asked. */
interface Holdout {
  readonly threshold: number;
  readonly noiseScale: number;
  readonly count: number;
  readonly delta: number;
  readonly rows: number;
  readonly questions: number;
}

const optionsOf = ({ threshold, noiseScale, count, delta }: Holdout): ThresholdoutOptions => ({
  threshold,
  noiseScale,
  count,
  ...(delta === 0 ? {} : { delta }),
});

/** Values of rows are rounded to steps of so much. */
const STEP = 2 ** -16;

const asked = (options: Holdout): Mechanism<number, (number | null)[]> =>
  thresholdoutMechanism<number>({
    ...optionsOf(options),
    training: [0],
    rowCount: options.rows,
    statistics: Array.from(
      { length: options.questions },
      (_, i) => (row: number) => i % 3 === 2 ? NaN : i % 2 === 0 ? row : 1 - row,
    ),
  });

/** A holdout whose rows sum to so many steps; the training set says 0. */
const summing = (rows: number, steps: number): number[] =>
  Array.from({ length: rows }, (_, i) => Math.min(1, Math.max(0, steps * STEP - i)));

/**
 * Scales of the noise on the threshold, on a difference and on an answer, in rows: by the words that stop
 * the holdout from being asked at a difference of one step above the threshold, and by what an answer moves.
 */
function drawnScales(options: Holdout): Record<"threshold" | "difference" | "answer", number> {
  const mechanism = asked({ ...options, questions: 1 });
  const { rows } = options;
  const limit = Math.round(options.threshold * rows / STEP);
  const said = (above: number, words: Record<number, number>): number =>
    mechanism.sample(summing(rows, limit + above), new ScriptedSource(words))[0]!;
  const scale = (place: number): number => {
    const word = leastWord((each) => said(1, { [place]: each }) === 0)!;
    // The least difference that is above the threshold with this noise on it.
    const step =
      leastWord((above) =>
        above <= rows / STEP - limit && said(above, { [place]: word }) !== 0 ||
        above > rows / STEP - limit
      )! - 1;
    return STEP * laplaceScale({ step, before: (word - 1) / 2 ** 32 });
  };
  const at = said(1, {});
  const answer = firstStep((word) => rows * (said(1, { 6: word }) - at));
  return { threshold: scale(0), difference: scale(3), answer: laplaceScale(answer!) };
}

/** After an answer the threshold has new noise, and after the last one nothing is told. */
function keepsCount(options: Holdout): boolean {
  const limit = Math.round(options.threshold * options.rows / STEP);
  const second = (count: number, words: Record<number, number>, above = 1): number | null =>
    thresholdoutMechanism<number>({
      ...optionsOf({ ...options, count }),
      training: [0],
      rowCount: options.rows,
      statistics: [(row) => row, (row) => row],
    }).sample(summing(options.rows, limit + above), new ScriptedSource(words))[1]!;
  if (second(1, {}) !== null || second(2, {}) === 0) return false;
  // A threshold far below the first difference, which is at it; the second is compared with another.
  const low = { 0: 2 ** 32 - 2, 1: 1 };
  return limit === 0 || second(2, low, 0) === 0;
}

function share(
  { options, mechanism, left, right }: Case<Holdout, number, (number | null)[]>,
): number {
  const { claim } = mechanism;
  const moved = Math.max(...left.map((row, i) => Math.abs(bounded(row) - bounded(right[i]!))));
  if (moved === 0) return 0;
  if (!keepsCount(options)) return Infinity;
  const { threshold, difference, answer } = drawnScales(options);
  // A comparison with a noisy threshold, and the answer that follows it.
  const part = moved * (1 / threshold + 2 / difference + 1 / answer);
  if (claim.kind === "pure") return options.count * part / claim.epsilon * (1 - 1e-6);
  if (claim.kind !== "approximate") throw new Error(`The claim is ${claim.kind}`);
  const delta = optimalDelta([{ epsilon: part, count: options.count }], { epsilon: claim.epsilon });
  return delta / claim.delta;
}

const bounded = (row: number): number => Math.min(1, Math.max(0, row));

/** The reusable holdout. */
export const holdoutSweeps: readonly Sweep[] = [
  sweep({
    name: "openReusableHoldout()",
    covers: [
      "openReusableHoldout",
      "sampleReusableHoldout",
      "thresholdoutMechanism",
      "thresholdoutClaim",
    ],
    options: fc.record<Holdout>({
      threshold: fc.constantFrom(0, 0.01, 0.1, 0.3),
      noiseScale: scaled({ min: 0.005, max: 10 }),
      count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 300 })),
      delta: fc.oneof(fc.constant(0), deltas),
      rows: fc.integer({ min: 1, max: 40 }),
      questions: fc.integer({ min: 0, max: 10 }),
    }),
    make: asked,
    pair: ({ rows }, source) =>
      neighbours(source, {
        relation: "replace-one",
        rows: numbersOf({ lower: 0, upper: 1 }, { min: rows, max: rows }),
      }),
    share,
    attained: 0.99,
    shape: (output, { options: { questions, count } }) =>
      output.length === questions &&
      output.every((said) => said === null || Number.isFinite(said)) &&
      output.slice(0, count).every((said) => said !== null),
    badOptions: {
      threshold: [-1, NaN, Infinity],
      noiseScale: NOT_POSITIVE,
      count: NOT_A_COUNT,
      delta: [-0.1, 1, 2, NaN],
    },
    badData: () => [[]],
    release: (options, holdout, spending) =>
      openReusableHoldout({ training: [0], holdout }, { ...optionsOf(options), ...spending }),
  }),
];
