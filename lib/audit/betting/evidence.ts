import { approximate, type Claim, deltaAt, gaussian, pure, renyi, zcdp } from "../../core/claim.ts";
import type { Batch } from "./prediction_batch.ts";
import { PointEvidence } from "./point_evidence.ts";
import { epsilonGrid, PureEvidence } from "./pure_evidence.ts";

/** Evidence against a claim and against stronger and weaker ones of its kind, gathered batch by batch. */
export interface Evidence {
  /** Settles the bets of a batch that was predicted before it was drawn. */
  add(batch: Batch): void;
  /** Lets a share of the money start afresh. */
  restart(): void;
  /** The claim's parameter (ε, ρ or μ) is above this, with the confidence of the evidence; 0 if nothing is shown. */
  readonly lowerBound: number;
  /**
   * Logarithm of the e-value against the claim: the wealth as it is now. (Its largest value so far would
   * be none: its expectation is above 1, though a true claim still sees it reach 1/α with chance α.)
   */
  readonly logEValue: number;
  /** Whether the claim is refuted at the evidence's α. */
  readonly refuted: boolean;
}

/** The parameter that {@linkcode Evidence.lowerBound} is about. */
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

/** The δ at which points of a claimed curve are tested. */
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

/** The points (ε, δ(ε)) of the claim's curve that are tested; one for an approximate claim. */
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

/** Starts the evidence against the claim alone, without stronger and weaker ones: cheaper. */
export function evidenceAgainst(claim: Claim, alpha: number): Evidence {
  const grid = Float64Array.of(parameterOf(claim).value);
  return claim.kind === "pure"
    ? new PureEvidence({ grid, claimIndex: 0, alpha })
    : new PointEvidence({ grid, claimIndex: 0, alpha, points: [pointsOf(claim)] });
}

/** Starts the evidence for a claim at level `alpha`. */
export function evidenceFor(claim: Claim, alpha: number): Evidence {
  if (claim.kind === "pure" || (claim.kind === "approximate" && claim.delta === 0)) {
    const { grid, claimIndex } = epsilonGrid(claim.epsilon);
    return new PureEvidence({ grid, claimIndex, alpha });
  }
  const { value } = parameterOf(claim);
  const approximateClaim = claim.kind === "approximate";
  const ratio = approximateClaim ? 1.02 : 1.05;
  const { grid, claimIndex } = epsilonGrid(value, {
    ratio,
    bottom: value / 4,
    top: value * (approximateClaim ? 4 : 3),
  });
  return new PointEvidence({
    grid,
    claimIndex,
    alpha,
    points: Array.from(grid, (parameter) => pointsOf(scaledClaim(claim, parameter))),
  });
}
