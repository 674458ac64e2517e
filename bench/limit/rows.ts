import { benchmarkPairs, repeated } from "../../fixtures/judge/mutants/answers.ts";
import { bloomFilter } from "../../fixtures/judge/mutants/rappor.ts";
import {
  algorithm4,
  algorithm5,
  algorithm6,
  type SparseVectorOptions,
} from "../../fixtures/judge/mutants/sparse_vector.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { largestFirst } from "../../lib/core/numeric/ranking.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import { queries } from "../exam/queries.ts";
import { tracks } from "../exam/tracks.ts";
import { brokenMean } from "./broken_means.ts";
import {
  type Distribution,
  exponential,
  laplace,
  largest,
  numbers,
  repeatedly,
  scaled,
  shiftedLaplace,
  transcripts,
} from "./laws.ts";
import { type Allowed, type Laws, leastDivergence } from "./limit.ts";
import {
  chancesAmong,
  MEANS,
  randomisedResponseAmong,
  SUITE,
  suiteProgram,
  trackProgram,
  TRACKS,
} from "./programs.ts";

/** Two neighbours with the laws of the output on them. */
export interface PairLaws {
  readonly pair: { readonly left: readonly number[]; readonly right: readonly number[] };
  readonly laws: Laws;
}

/** Ends of cells of answers with noise of scale 20: whole numbers are among them, where exponential noise begins. */
const TENTHS = Float64Array.from({ length: 7001 }, (_, i) => (i - 3000) / 10);

/** Five answers plus noise of scale 20: the largest. */
function noisyMaxima(noise: Distribution): PairLaws[] {
  const value = (answers: readonly number[]): Distribution =>
    largest(answers.map((answer) => scaled(noise, answer, 20)));
  const [left, right] = [9, 10].map((first) => [first, -10, -10, -10, -10]) as [number[], number[]];
  return [...benchmarkPairs(5), { left, right }]
    .map((pair) => ({ pair, laws: numbers(value(pair.left), value(pair.right), TENTHS) }));
}

function sparseVectors(options: SparseVectorOptions): PairLaws[] {
  // A threshold anywhere is between two answers that cross on the way from one side to the other.
  const levels = [-4, -2, 0, 2, 4].flatMap((level) => [level, level]);
  const crossing = {
    left: levels.map((level, i) => level + (i % 2 === 0 ? 0 : 2)),
    right: levels.map((level) => level + 1),
  };
  return [...benchmarkPairs(10), crossing].map((pair) => ({
    pair,
    laws: { left: transcripts(pair.left, options), right: transcripts(pair.right, options) },
  }));
}

const epsilon = 0.1;
/** The laws of broken programs of the suite of DP-Sniper, on pairs that are known to be bad. */
const programs: Readonly<Record<string, () => PairLaws[]>> = {
  LaplaceMechanism: () => [{ pair: { left: [1], right: [2] }, laws: shiftedLaplace(1, 5) }],
  // The four equal cells say nothing.
  NoisyHist2: () => [{
    pair: { left: repeated(1, 5), right: [2, ...repeated(1, 4)] },
    laws: shiftedLaplace(1, 0.1),
  }],
  PrefixSum: () => [{
    pair: { left: repeated(1, 10), right: repeated(2, 10) },
    laws: repeatedly(shiftedLaplace(1, 10), 10),
  }],
  SVT4: () => sparseVectors(algorithm4({ epsilon, threshold: 1, cutoff: 1 })),
  SVT5: () => sparseVectors(algorithm5({ epsilon, threshold: 1 })),
  SVT6: () => sparseVectors(algorithm6({ epsilon, threshold: 1 })),
  ReportNoisyMax3: () => noisyMaxima(laplace),
  ReportNoisyMax4: () => noisyMaxima(exponential),
  OneTimeRAPPOR: () => {
    const pair = { left: [-8], right: [-6] }, right = bloomFilter(pair.right[0]!);
    const bits = bloomFilter(pair.left[0]!).filter((bit, i) => bit !== right[i]).length;
    return [{ pair, laws: repeatedly({ left: [0.475, 0.525], right: [0.525, 0.475] }, bits) }];
  },
};

/** Of the pairs that are known to be bad for a program of the suite the one with the smallest limit of draws. */
function worstPair(name: string, claim: Allowed): PairLaws {
  return largestFirst(programs[name]!(), ({ laws }) => leastDivergence(laws, claim))[0]!;
}

/** A program that breaks its claim, with a pair on which it does. */
export interface LimitRow {
  readonly name: string;
  readonly mechanism: Mechanism;
  readonly claim: Claim;
  readonly pair: { readonly left: Dataset; readonly right: Dataset };
  /** The laws of the output on the pair. */
  readonly laws: () => Laws;
  /** The most draws of an audit. */
  readonly maxDraws: number;
}

/** A program of the suite of DP-Sniper. */
function suiteRow(name: string, maxDraws: number): LimitRow {
  const mechanism = suiteProgram(name), { pair, laws } = worstPair(name, { epsilon: SUITE[name]! });
  return { ...named(mechanism), pair, laws: () => laws, maxDraws };
}

/** The fields that a program gives its row. */
function named(mechanism: Mechanism): Pick<LimitRow, "name" | "mechanism" | "claim"> {
  return { name: mechanism.name, mechanism, claim: mechanism.claim };
}

/** Randomised response among `answers` answers that loses 2 where 1 is claimed. */
export function randomisedResponse(answers: number): LimitRow {
  const { truth, lie } = chancesAmong(answers);
  const rest = new Array<number>(answers - 2).fill(lie);
  return {
    ...named(randomisedResponseAmong(answers)),
    pair: { left: [0], right: [1] },
    laws: () => ({ left: [truth, lie, ...rest], right: [lie, truth, ...rest] }),
    maxDraws: 200_000,
  };
}

/** A track of the questions with half of its noise, on the sum. */
function trackRow(name: string): LimitRow {
  const track = tracks.find((one) => one.name === name)!;
  return {
    ...named(trackProgram(name)),
    pair: track.worst(queries[0]!),
    laws: () => track.laws!(1 / 2),
    maxDraws: 100_000,
  };
}

/** The programs of the table of the limit. */
export const limitRows: readonly (() => LimitRow)[] = [
  () => suiteRow("LaplaceMechanism", 80_000),
  () => suiteRow("NoisyHist2", 15_000),
  () => suiteRow("SVT5", 25_000),
  () => suiteRow("PrefixSum", 200_000),
  () => suiteRow("SVT6", 2_000_000),
  () => suiteRow("ReportNoisyMax3", 2_000_000),
  () => suiteRow("ReportNoisyMax4", 1_000_000),
  () => suiteRow("SVT4", 15_000_000),
  () => suiteRow("OneTimeRAPPOR", 1_000_000),
  ...MEANS.flatMap((claimed) =>
    (["Laplace", "Gaussian"] as const).flatMap((noise) =>
      [false, true].map((byNoisySize) => (): LimitRow => {
        const { mechanism, ...mean } = brokenMean({ noise, byNoisySize, epsilon: claimed });
        return { ...named(mechanism as Mechanism), ...mean, maxDraws: 200_000 };
      })
    )
  ),
  () => randomisedResponse(2),
  ...TRACKS.map((name) => () => trackRow(name)),
];
