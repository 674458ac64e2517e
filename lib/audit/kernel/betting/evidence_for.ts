import type { Claim } from "../../../core/claim.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../../core/claim_curve.ts";
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

/** Whether the claim is of ε alone. */
function isPure(claim: Claim): boolean {
  return claim.kind === "pure" || claim.kind === "approximate" && claim.delta === 0;
}

/**
 * The parameters of the hypotheses that evidence for a claim is gathered against: the claim, stronger and weaker ones.
 * Points of a curve cost more time than ε alone, so that there are fewer of them.
 */
function hypothesesFor(claim: Claim): { grid: Float64Array; claimIndex: number } {
  const { value } = parameterOf(claim), bottom = value / 4;
  if (isPure(claim)) return epsilonGrid(value);
  return claim.kind === "approximate"
    ? epsilonGrid(value, { ratio: 1.02, bottom, top: 4 * value })
    : epsilonGrid(value, { ratio: 1.05, bottom, top: 3 * value });
}

/** Starts the evidence against a claim and a grid of stronger and weaker ones, at level `alpha`. */
export function evidenceFor(claim: Claim, alpha: number): Evidence {
  const { grid, claimIndex } = hypothesesFor(claim);
  return isPure(claim) ? new PureEvidence({ grid, claimIndex, alpha }) : new PointEvidence({
    grid,
    claimIndex,
    alpha,
    points: Array.from(grid, (parameter) => pointsOf(scaledClaim(claim, parameter))),
  });
}
