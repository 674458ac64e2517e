import { expRemainder } from "../../../core/numeric/exp_remainder.ts";
import { normalTailQuantile } from "../../../core/numeric/normal_tail.ts";
import { nextUp, roundDown, roundUp } from "../../../core/numeric/round_outward.ts";

/** Noise of a program whose outputs are all moved alike from a dataset to its neighbour. */
export interface MovedNoise {
  /** By how many scales each draw of Laplace noise is moved. */
  readonly laplace: readonly number[];
  /** Σ (shift/deviation)² over the Gaussian draws. */
  readonly muSquared: number;
}

/** An amount of a claim that is no ε of pure privacy. */
export type Divergence =
  | { readonly kind: "zcdp" }
  | { readonly kind: "gaussian" }
  | { readonly kind: "renyi"; readonly order: number };

/** Digits of the amounts below that are counted on. */
const RELATIVE_ERROR = 1e-11;
/** How far a quantile near the middle may be off, whatever it is. */
const QUANTILE_ERROR = 1e-14;

/**
 * Returns the least amount for which noise that is moved so keeps a claim, rounded up. Each is an amount of what noise at two places tells, and
 * independent draws add: ρ is Σ (x + e^−x − 1) + μ²/2 (Harrison, Manurangsi 2026, for Laplace noise), a Rényi divergence the
 * sum of those of the draws (Mironov 2017, Proposition 6), and squares of μ add (Dong, Roth, Su 2022, Corollary 3.3).
 *
 * Laplace noise that is moved by x scales is μ-Gaussian private for μ = −2Φ⁻¹(e^(−x/2)/2) and no smaller one. Its trade-off function is
 * c/a between c = e^−x/2·½ and ½, and Φ⁻¹(e^u) is convex, so −Φ⁻¹(a) − Φ⁻¹(c/a) is largest where a = c/a; on the two lines beside it
 * a convex function that is below at both ends is below.
 */
export function amountUp(kind: Divergence, noise: MovedNoise): number {
  return roundedUp(kind, amountOf(kind, noise));
}

/**
 * Returns a lower bound of {@linkcode amountUp}: no smaller amount is kept by outputs that show each draw. For μ it is that of one draw of Laplace noise, or of the
 * Gaussian noise, whichever is larger: others are left out of the output.
 */
export function amountDown(kind: Divergence, noise: MovedNoise): number {
  const amount = kind.kind === "gaussian"
    ? Math.max(
      Math.sqrt(noise.muSquared),
      ...noise.laplace.map((x) => laplaceMu(Math.min(x, LARGEST_SHIFT))),
    )
    : amountOf(kind, noise);
  const down = roundDown(amount, { relativeError: RELATIVE_ERROR });
  return Math.max(0, kind.kind === "gaussian" ? down - QUANTILE_ERROR : down);
}

/**
 * Returns the least amount that every ε-DP program keeps, rounded up. None tells more than randomised response (Kairouz, Oh, Viswanath 2015): its
 * ρ is ε·tanh(ε/2), its μ is −2Φ⁻¹(1/(1 + e^ε)), for its trade-off function is two lines that meet there, and its Rényi divergence
 * is that of Mironov 2017, Proposition 5.
 */
export function pureAmountUp(kind: Divergence, epsilon: number): number {
  return roundedUp(kind, pureAmount(kind, epsilon));
}

function pureAmount(kind: Divergence, epsilon: number): number {
  switch (kind.kind) {
    case "zcdp":
      return epsilon * Math.tanh(epsilon / 2);
    case "gaussian":
      return muAt(Math.exp(-epsilon) / (1 + Math.exp(-epsilon)));
    case "renyi": {
      const { order } = kind, less = order - 1;
      if (order * epsilon > FAR) return epsilon;
      const more = 2 * Math.sinh(0.5 * order * epsilon) * Math.sinh(0.5 * less * epsilon);
      return Math.log1p(more / Math.cosh(0.5 * epsilon)) / less;
    }
  }
}

/** Exponents beyond which e^−exponent is nothing beside 1. */
const FAR = 700;

function amountOf(kind: Divergence, { laplace, muSquared }: MovedNoise): number {
  switch (kind.kind) {
    case "zcdp":
      return laplace.reduce((sum, x) => sum + expRemainder(-x), muSquared / 2);
    case "gaussian":
      return Math.sqrt(laplace.reduce((sum, x) => sum + laplaceMu(x) ** 2, muSquared));
    case "renyi":
      return laplace.reduce(
        (sum, x) => sum + laplaceDivergence(kind.order, x),
        kind.order * muSquared / 2,
      );
  }
}

/** A shift of Laplace noise below which probabilities do not underflow. */
const LARGEST_SHIFT = 1000;

function laplaceMu(x: number): number {
  return muAt(0.5 * Math.exp(-0.5 * x));
}

/** Returns μ of the Gaussian trade-off function through (p, p); Infinity where p may have underflowed. */
function muAt(p: number): number {
  return p < 1e-300 ? Infinity : 2 * normalTailQuantile(p);
}

function roundedUp(kind: Divergence, amount: number): number {
  const up = roundUp(amount, { relativeError: RELATIVE_ERROR });
  return kind.kind === "gaussian" && up > 0 ? nextUp(up + QUANTILE_ERROR) : up;
}

/** Returns ln of a moment whose terms of first order in x cancel (Mironov 2017, Proposition 6). */
function laplaceDivergence(order: number, x: number): number {
  const less = order - 1, all = order + less;
  if (less * x > FAR) return x + Math.log(order / all) / less;
  const more = order * expRemainder(less * x) + less * expRemainder(-order * x);
  return Math.log1p(more / all) / less;
}
