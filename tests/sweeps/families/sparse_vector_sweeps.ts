import fc from "fast-check";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import {
  aboveThreshold,
  numericSparseVector,
  type SparseVectorOptions,
} from "../../../lib/dp/mechanisms/sparse_vector.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, chance, epsilons, NOT_A_COUNT, NOT_POSITIVE, pick } from "../draws.ts";
import { laplaceScale, leastWord, ScriptedSource } from "../scripted_source.ts";
import { densityShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** A stream of answers, which are the rows. */
interface Stream {
  readonly epsilon: number;
  readonly count: number;
  readonly length: number;
  /** Binary logarithm of the sensitivity. */
  readonly power: number;
  /** The grid's step is 2^(power − fineness). */
  readonly fineness: number;
  /** In sensitivities. */
  readonly threshold: number;
  /** How far from the threshold answers are, in scales of the threshold's noise. */
  readonly far: number;
}

const streams = fc.record({
  epsilon: epsilons,
  count: fc.integer({ min: 1, max: 4 }),
  length: fc.integer({ min: 0, max: 12 }),
  power: fc.integer({ min: -20, max: 20 }),
  fineness: fc.integer({ min: 0, max: 2 }),
  threshold: fc.integer({ min: -100, max: 100 }),
  far: fc.constantFrom(0, 0.5, 3, 12),
});

const optionsOf = (stream: Stream): SparseVectorOptions<number> => ({
  answers: (rows) => rows,
  epsilon: stream.epsilon,
  sensitivity: 2 ** stream.power,
  threshold: stream.threshold * 2 ** stream.power,
  count: stream.count,
  granularity: 2 ** (stream.power - stream.fineness),
  relation: changeEach({ by: 2 ** stream.power }),
});

/** Answers that all move one way, or each its own; the last may move against the others. */
function pairOf(stream: Stream, source: SeededSource): Sides<readonly number[]> {
  const unit = 2 ** stream.power;
  const away = Math.ceil(stream.far * 2 / stream.epsilon) * pick(source, [1, -1]);
  const kind = below(source, 3), last = stream.length - 1;
  const left = Array.from({ length: stream.length }, (_, i) => {
    const turned = i >= stream.length - stream.count && kind > 0 ? -1 : 1;
    return unit * (stream.threshold + turned * away + (kind === 2 ? below(source, 5) - 2 : 0));
  });
  const right = left.map((answer, i) => {
    const against = i > last - stream.count && chance(source, 0.9);
    return answer + unit * (kind === 2 ? below(source, 3) - 1 : against ? -1 : 1);
  });
  return chance(source, 0.5) ? { left, right } : { left: right, right: left };
}

/** Above this scale noise takes three words a draw, and transcripts are too long to sum. */
const MOST_SUMMED = 256;

/** A transcript with the last `count` answers above and all before below, and the like. */
function* transcripts({ length, count }: Stream): Generator<boolean[]> {
  const said = (above: (i: number) => boolean): boolean[] => {
    const list: boolean[] = [];
    for (let i = 0, left = count; i < length && left > 0; i++) {
      list.push(above(i));
      if (list.at(-1)) left--;
    }
    return list;
  };
  yield said((i) => i >= length - count);
  yield said(() => false);
  yield said(() => true);
  yield said((i) => i % 2 === 0);
}

/** The scales of the noise in steps, each by the word that turns an answer: see the fill order. */
function drawnScales<Output>(
  mechanism: Mechanism<number, readonly Output[]>,
  stream: Stream,
): { threshold: number; answer: number } {
  const unit = 2 ** (stream.power - stream.fineness);
  const limit = stream.threshold * 2 ** stream.power;
  const above = (gap: number, words: Record<number, number>): boolean => {
    const [said] = mechanism.sample([limit + gap * unit], new ScriptedSource(words));
    return said !== false && said !== null;
  };
  const measured = (turned: (word: number, gap: number) => boolean): number => {
    const word = leastWord((each) => turned(each, 1))!;
    // The noise reaches as far as the widest gap that it still turns.
    const step = leastWord((gap) => !turned(word, gap))! - 1;
    return laplaceScale({ step, before: (word - 1) / 2 ** 32 });
  };
  return {
    threshold: measured((word, gap) => !above(gap - 1, { 0: word })),
    answer: measured((word, gap) => above(-gap, { 3: word })),
  };
}

/** The loss of a transcript at most, from the scales drawn. Sensitivities are whole steps. */
function scaleShare<Output>(
  { mechanism, options, left, right }: Case<Stream, number, Output[]>,
  released: number,
): number {
  const unit = 2 ** (options.power - options.fineness);
  const steps = Math.max(0, ...left.map((answer, i) => Math.abs(right[i]! - answer) / unit));
  const { threshold, answer } = drawnScales(mechanism, options);
  const loss = steps * (1 / threshold + 2 * options.count / answer + released);
  return loss / epsilonOf(mechanism.claim) * (1 - 1e-6);
}

const summed = ({ epsilon, fineness }: Stream): boolean =>
  2 * 2 ** fineness / epsilon < MOST_SUMMED;

function aboveShare(drawn: Case<Stream, number, boolean[]>): number {
  const { mechanism, options, left, right, source } = drawn;
  if (!summed(options)) return scaleShare(drawn, 0);
  return densityShare(mechanism, { left, right }, [
    ...transcripts(options),
    mechanism.sample(left, source),
    mechanism.sample(right, source),
  ]);
}

function numericShare(drawn: Case<Stream, number, (number | null)[]>): number {
  const { mechanism, options, left, right, source } = drawn;
  if (!summed(options)) return scaleShare(drawn, options.count / releaseScale(mechanism, options));
  const told = (data: readonly number[]): (number | null)[][] =>
    Array.from(transcripts(options), (said) => said.map((above, i) => above ? data[i]! : null));
  return densityShare(mechanism, { left, right }, [
    ...told(left),
    ...told(right),
    mechanism.sample(left, source),
    mechanism.sample(right, source),
  ]);
}

/** The scale of the noise on a released answer: its word comes after the threshold's and one answer's. */
function releaseScale(mechanism: Mechanism<number, (number | null)[]>, stream: Stream): number {
  const unit = 2 ** (stream.power - stream.fineness), at = stream.threshold * 2 ** stream.power;
  const noise = (word: number): number =>
    (mechanism.sample([at], new ScriptedSource({ 6: word }))[0]! - at) / unit;
  const word = leastWord((each) => noise(each) !== 0)!;
  return laplaceScale({ step: noise(word), before: (word - 1) / 2 ** 32 });
}

const badOptions = {
  epsilon: NOT_POSITIVE,
  count: NOT_A_COUNT,
  power: [NaN, 0.5],
  fineness: [0.5, NaN, 2000],
  threshold: [NaN, Infinity, -Infinity],
};
const badData = (): unknown[][] => [[NaN], [0, Infinity], ["secret"], [undefined]];

/** Streams with a threshold. */
export const sparseVectorSweeps: readonly Sweep[] = [
  sweep({
    name: "aboveThreshold()",
    covers: ["aboveThreshold"],
    options: streams,
    make: (stream) => aboveThreshold(optionsOf(stream)),
    pair: pairOf,
    share: aboveShare,
    attained: 0.95,
    shape: (output, { options: { length, count } }) =>
      output.length <= length && output.every((said) => typeof said === "boolean") &&
      output.filter((said) => said).length <= count,
    badOptions,
    badData,
  }),
  sweep({
    name: "numericSparseVector()",
    covers: ["numericSparseVector"],
    options: streams,
    make: (stream) => numericSparseVector(optionsOf(stream)),
    pair: pairOf,
    share: numericShare,
    attained: 0.95,
    shape: (output, { options: { length, count, power, fineness } }) =>
      output.length <= length && output.filter((said) => said !== null).length <= count &&
      output.every((said) => said === null || Number.isInteger(said / 2 ** (power - fineness))),
    badOptions,
    badData,
  }),
];
