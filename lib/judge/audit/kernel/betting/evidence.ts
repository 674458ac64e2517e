import type { Evidence } from "./claim_evidence.ts";
import type { Claim } from "../../../../core/claims/claim.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../../../core/claims/claim_curve.ts";
import { PointEvidence } from "./point_evidence.ts";
import { PureEvidence } from "./pure_evidence.ts";

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

/** Starts the evidence against the claim alone. It takes less time than with a grid, and its lower bound is the claim or 0. */
export function evidenceAgainst(claim: Claim, alpha: number): Evidence {
  const grid = Float64Array.of(parameterOf(claim).value);
  return claim.kind === "pure"
    ? new PureEvidence({ grid, claimIndex: 0, alpha })
    : new PointEvidence({ grid, claimIndex: 0, alpha, points: [pointsOf(claim)] });
}

/** Returns true if the claim is of ε alone. */
function isPure(claim: Claim): boolean {
  return claim.kind === "pure" || claim.kind === "approximate" && claim.delta === 0;
}

/**
 * Returns the parameters of the hypotheses that evidence for a claim is gathered against: the claim, stronger and weaker ones. There are
 * fewer for claims that are curves, whose points take more time than ε alone.
 */
function hypothesesFor(claim: Claim): { grid: Float64Array; claimIndex: number } {
  const { value } = parameterOf(claim), bottom = value / 4;
  if (isPure(claim)) return epsilonGrid(value);
  return claim.kind === "approximate"
    ? epsilonGrid(value, { ratio: 1.02, bottom, top: 4 * value })
    : epsilonGrid(value, { ratio: 1.05, bottom, top: 3 * value });
}

/**
 * Returns a grid of parameters: the claimed one, and steps of `ratio` from it down to `bottom` and up to `top`. Half a step is
 * lost from a lower bound on average, and each hypothesis takes time.
 */
export function epsilonGrid(
  claim: number,
  { ratio = 1.0025, bottom = claim / 64, top = Math.min(1e300, Math.max(40, 8 * claim)) }: {
    ratio?: number;
    bottom?: number;
    top?: number;
  } = {},
): { grid: Float64Array; claimIndex: number } {
  const below = Math.ceil(Math.log(claim / bottom) / Math.log(ratio));
  const above = Math.max(0, Math.ceil(Math.log(top / claim) / Math.log(ratio)));
  const grid = Float64Array.from(
    { length: below + above + 1 },
    (_, j) => claim * ratio ** (j - below),
  );
  return { grid, claimIndex: below };
}

/** What the evidence of an audit had shown when its bets ended. */
export type EvidenceShown = Pick<Evidence, "lowerBound" | "logEValue" | "refuted">;

/** Returns the evidence of an audit that is resumed after its bets ended: nothing can be added. */
export function settledEvidence({ lowerBound, logEValue, refuted }: EvidenceShown): Evidence {
  return {
    lowerBound,
    logEValue,
    refuted,
    rareCells: [],
    add(): never {
      throw new Error("Cannot bet: the bets of this audit have ended");
    },
    restart: () => {},
  };
}
