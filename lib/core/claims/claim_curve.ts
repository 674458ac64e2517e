import { approximate, type Claim, deltaAt, gaussian, pure, renyi, zcdp } from "./claim.ts";

/** The parameter of a claim by which claims of its kind are ordered: what lower bounds are about. */
export function parameterOf(claim: Claim): { name: "epsilon" | "rho" | "mu"; value: number } {
  switch (claim.kind) {
    case "pure":
    case "approximate":
    case "renyi":
      return { name: "epsilon", value: claim.epsilon };
    case "zcdp":
      return { name: "rho", value: claim.rho };
    case "gaussian":
      return { name: "mu", value: claim.mu };
  }
}

/** The δ of the points at which a curve is tested. */
const CURVE_DELTAS: readonly number[] = [0.5, 0.25, 0.1, 0.03, 0.01, 0.001, 0.0001];

/** The claim with another value of its parameter. */
export function scaledClaim(claim: Claim, value: number): Claim {
  const { relation } = claim;
  switch (claim.kind) {
    case "pure":
      return pure({ epsilon: value, relation });
    case "approximate":
      return approximate({ epsilon: value, delta: claim.delta, relation });
    case "renyi":
      return renyi({ order: claim.order, epsilon: value, relation });
    case "zcdp":
      return zcdp({ rho: value, relation });
    case "gaussian":
      return gaussian({ mu: value, relation });
  }
}

/**
 * The points (ε, δ(ε)) of the curve of a claim at which it is tested: one for a pure or an approximate claim. Elsewhere ε
 * is rounded up to a multiple of 2⁻²⁵, or of 2⁻²⁵ of the power of two above it.
 */
export function pointsOf(claim: Claim): { epsilon: number; delta: number }[] {
  if (claim.kind === "approximate" || claim.kind === "pure") {
    return [{ epsilon: claim.epsilon, delta: claim.kind === "pure" ? 0 : claim.delta }];
  }
  const points = [];
  for (const wanted of CURVE_DELTAS) {
    if (deltaAt(claim, 0) <= wanted) continue;
    let low = 0, high = 1;
    while (deltaAt(claim, high) > wanted) high *= 2;
    for (let step = 0; step < 25; step++) {
      const middle = (low + high) / 2;
      if (deltaAt(claim, middle) > wanted) low = middle;
      else high = middle;
    }
    points.push({ epsilon: high, delta: deltaAt(claim, high) });
  }
  return points.length > 0 ? points : [{ epsilon: 0, delta: deltaAt(claim, 0) }];
}
