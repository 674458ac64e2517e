import { benchmarkPairs, repeated } from "../../fixtures/judge/mutants/answers.ts";
import { bloomFilter } from "../../fixtures/judge/mutants/rappor.ts";
import {
  algorithm4,
  algorithm5,
  algorithm6,
  type SparseVectorOptions,
} from "../../fixtures/judge/mutants/sparse_vector.ts";
import { largestFirst } from "../../lib/core/numeric/ranking.ts";
import { normalTailQuantile } from "../../lib/core/numeric/normal_tail.ts";
import {
  type Distribution,
  exponential,
  laplace,
  laplaceQuantile,
  largest,
  meanByNoisySize,
  normal,
  numbers,
  repeatedly,
  scaled,
  shiftedLaplace,
  transcripts,
} from "./laws.ts";
import { type Allowed, type Laws, leastDivergence } from "./limit.ts";

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
/** The laws of the programs of `bench auditors --only draws`, on pairs that are known to be bad. */
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
export function worstPair(name: string, claim: Allowed): PairLaws {
  return largestFirst(programs[name]!(), ({ laws }) => leastDivergence(laws, claim))[0]!;
}

/** The laws of a broken mean of `bench few-draws` on the pair that is given. */
export function lawsOfMean(
  { isNormal, scale, half, byNoisySize }: {
    readonly isNormal: boolean;
    /** The noise for a sensitivity of 1 with all of ε, and with half of it. */
    readonly scale: number;
    readonly half: number;
    readonly byNoisySize: boolean;
  },
): Laws {
  const noise = isNormal ? normal : laplace;
  const quantile = isNormal ? normalTailQuantile : laplaceQuantile;
  return byNoisySize
    ? {
      left: meanByNoisySize({ mean: 0, size: 1, half, noise, quantile }),
      right: meanByNoisySize({ mean: 0.5, size: 2, half, noise, quantile }),
    }
    : numbers(scaled(noise, 0, scale), scaled(noise, 0, scale / 2));
}
