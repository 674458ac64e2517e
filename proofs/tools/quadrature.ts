import { gaussLegendre } from "./gauss_legendre.ts";
import { requirePositive } from "../../lib/core/numeric/require.ts";

/** One comparison in a transcript: a noisy answer against a noisy threshold. */
export interface Comparison {
  /** The true answer less the threshold. */
  readonly answer: number;
  /** Whether the transcript says that it is above. */
  readonly above: boolean;
}

/** Laplace noise of the two parts of a sparse vector algorithm. */
interface TranscriptNoise {
  /** Scale of the noise on the threshold, drawn once. */
  readonly thresholdScale: number;
  /** Scale of the noise on every answer; 0 for none. */
  readonly answerScale: number;
}

const RULE = gaussLegendre(24);

/** How far beyond the last kink, in scales, the integral is taken: what is left is below e^−80 of it. */
const REACH = 80;

/**
 * ∫ e^(−|z|/scale)/(2·scale) · Π factors(z) dz, for a product that is smooth between `kinks`:
 * Gauss–Legendre with 24 points on pieces no longer than twice the smallest scale, so that the
 * relative error is that of rounding.
 */
export function laplaceIntegral(
  integrand: (z: number) => number,
  { scale, kinks, smallest = scale }: {
    readonly scale: number;
    readonly kinks: readonly number[];
    /** The smallest scale on which the integrand changes. */
    readonly smallest?: number;
  },
): number {
  requirePositive("integrate", "scale", scale);
  requirePositive("integrate", "smallest", smallest);
  const ends = [...new Set([0, ...kinks])].sort((a, b) => a - b);
  const reach = REACH * scale;
  let total = 0, from = ends[0]! - reach;
  for (const to of [...ends, ends.at(-1)! + reach]) {
    const length = to - from, pieces = Math.ceil(length / (2 * smallest));
    const half = length / pieces / 2;
    for (let piece = 0; piece < pieces; piece++) {
      const middle = from + (2 * piece + 1) * half;
      for (let i = 0; i < RULE.nodes.length; i++) {
        const z = middle + half * RULE.nodes[i]!;
        total += half * RULE.weights[i]! * Math.exp(-Math.abs(z) / scale) * integrand(z);
      }
    }
    from = to;
  }
  return total / (2 * scale);
}

/** P(Laplace of this scale > x), without cancellation. @param scale 0 puts all mass on 0. */
export function laplaceTail(x: number, scale: number): number {
  if (scale === 0) return x < 0 ? 1 : 0;
  return x > 0 ? Math.exp(-x / scale) / 2 : 1 - Math.exp(x / scale) / 2;
}

/**
 * The probability that a sparse vector algorithm gives exactly this transcript: with ρ the noise on
 * the threshold, ∫ f(ρ) Π P(answer + ν ≥ ρ, or below) dρ (Lyu, Su, Li 2017, section 3).
 *
 * @throws {RangeError} unless the threshold's scale is positive and the answers' not negative.
 *
 * @example
 * ```ts
 * import { transcriptProbability } from "./quadrature.ts";
 * transcriptProbability([{ answer: 0, above: true }], { thresholdScale: 2, answerScale: 4 }); // 1/2
 * ```
 */
export function transcriptProbability(
  comparisons: readonly Comparison[],
  { thresholdScale, answerScale }: TranscriptNoise,
): number {
  return laplaceIntegral((rho) => {
    let product = 1;
    for (const { answer, above } of comparisons) {
      const gap = rho - answer;
      product *= above ? laplaceTail(gap, answerScale) : laplaceTail(-gap, answerScale);
    }
    return product;
  }, {
    scale: thresholdScale,
    kinks: comparisons.map(({ answer }) => answer),
    smallest: answerScale > 0 ? Math.min(thresholdScale, answerScale) : thresholdScale,
  });
}

/**
 * The probability that noisy max picks candidate `index`: ∫ f(z) Π_{j≠i} P(answer_j + noise_j ≤
 * answer_i + z) dz, for Laplace noise of one scale on every answer.
 */
export function noisyMaxProbability(
  answers: readonly number[],
  { index, scale }: { readonly index: number; readonly scale: number },
): number {
  const own = answers[index]!;
  const others = answers.filter((_, j) => j !== index);
  return laplaceIntegral(
    (z) => others.reduce((product, answer) => product * laplaceTail(answer - own - z, scale), 1),
    { scale, kinks: others.map((answer) => answer - own) },
  );
}
