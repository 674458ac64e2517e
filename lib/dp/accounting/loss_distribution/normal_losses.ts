import { gaussianDelta } from "../../../core/numeric/gaussian_delta.ts";

/** A bound on the relative error of δ: that of `gaussianDelta`, and what rounding μ (the root of a sum of squares) does to it. The second grows with the logarithm of δ, which is at most 745 in size where δ is a double. */
const RELATIVE_ERROR = 2e-10;
/** Largest μ of which `gaussianDelta` has its digits. */
const LARGEST_MU = 1000;

const means = new WeakMap<object, number>();

/** Remembers that a law is N(μ²/2, μ²) and nothing else. */
export function withNormalLoss<Law extends object>(law: Law, { mu }: { readonly mu: number }): Law {
  means.set(law, mu);
  return law;
}

/** The μ of a composition of normal losses alone: of squares that add up (Dong, Roth, Su 2022, Corollary 2). `undefined` where another is among them. */
export function composedMu(
  laws: readonly { readonly law: object; readonly count: number }[],
): number | undefined {
  let squares = 0;
  for (const { law, count } of laws) {
    const mu = means.get(law);
    if (mu === undefined) return undefined;
    squares += count * mu * mu;
  }
  const mu = Math.sqrt(squares);
  return squares > Number.MIN_VALUE / Number.EPSILON && mu <= LARGEST_MU ? mu : undefined;
}

/** Certain bounds on the δ of N(μ²/2, μ²) at ε. */
export function normalDelta(mu: number, epsilon: number): { lower: number; upper: number } {
  const delta = gaussianDelta(mu, epsilon);
  // Of the least doubles the digits are few.
  return {
    lower: Math.max(0, delta * (1 - RELATIVE_ERROR) - 2 * Number.MIN_VALUE),
    upper: Math.min(1, delta * (1 + RELATIVE_ERROR) + 2 * Number.MIN_VALUE),
  };
}

/** Certain bounds on its ε at δ. */
export function normalEpsilon(mu: number, delta: number): { lower: number; upper: number } {
  return {
    lower: leastEpsilon((epsilon) => normalDelta(mu, epsilon).lower <= delta).below,
    upper: leastEpsilon((epsilon) => normalDelta(mu, epsilon).upper <= delta).above,
  };
}

/** Two neighbouring ε, the larger of which is enough; both are 0 where that is. */
function leastEpsilon(isEnough: (epsilon: number) => boolean): { below: number; above: number } {
  if (isEnough(0)) return { below: 0, above: 0 };
  let below = 0, above = 1;
  while (!isEnough(above)) {
    if (above === Infinity) return { below: Infinity, above };
    below = above;
    above *= 2;
  }
  while (above - below > 1e-13 * above) {
    const middle = below + (above - below) / 2;
    if (isEnough(middle)) above = middle;
    else below = middle;
  }
  return { below, above };
}
