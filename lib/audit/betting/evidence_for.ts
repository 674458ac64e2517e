import type { Claim } from "../../core/claim.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../core/claim_curve.ts";
import { epsilonGrid } from "./epsilon_grid.ts";
import type { Evidence } from "./evidence.ts";
import { PointEvidence } from "./point_evidence.ts";
import { PureEvidence } from "./pure_evidence.ts";

/** Starts the evidence against the claim alone. It costs less time than a grid, and its lower bound is the claim. */
export function evidenceAgainst(claim: Claim, alpha: number): Evidence {
  const grid = Float64Array.of(parameterOf(claim).value);
  return claim.kind === "pure"
    ? new PureEvidence({ grid, claimIndex: 0, alpha })
    : new PointEvidence({ grid, claimIndex: 0, alpha, points: [pointsOf(claim)] });
}

/** Starts the evidence against a claim and a grid of stronger and weaker ones, at level `alpha`. */
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
