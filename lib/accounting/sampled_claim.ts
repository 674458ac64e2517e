import {
  approximate,
  type ApproximateClaim,
  describeClaim,
  type GaussianClaim,
  type PureClaim,
} from "../core/claim.ts";
import { requireClaim } from "../core/claim_brand.ts";
import { addRemoveOne } from "../core/relation.ts";
import { withLosses } from "./known_losses.ts";
import { lossOfClaim } from "./privacy_loss.ts";
import { epsilonBounds } from "./privacy_loss_distribution.ts";
import { requireFields } from "../numeric/require.ts";
import { requireRelation } from "./require_relation.ts";
import { poissonSubsampledLoss } from "./subsampled_loss.ts";

/** How a mechanism is run on samples. */
export interface SampledClaimOptions {
  /** The probability with which a row is in a sample, each by itself, in (0, 1]. */
  readonly rate: number;
  /** How many times a new sample is drawn and the mechanism runs on it. Default: 1. */
  readonly count?: number;
  /** The δ of the claim, in (0, 1); ε follows. */
  readonly delta: number;
}

/** No ε is needed where δ alone suffices, but a claim has one. */
const LEAST_EPSILON = 2 ** -40;

/**
 * The claim of `count` runs, each on a Poisson sample of the rows of its own, of mechanisms that keep `claim` for one row more
 * or less: (ε, delta)-DP by loss distributions ({@linkcode epsilonBounds}; Zhu, Dong, Wang 2022, Theorem 11 on sampling). The
 * claim keeps its losses: a budget with an announced sequence ({@linkcode announcedBudget}) composes them with those of
 * other releases.
 *
 * @throws {TypeError} when no constructor made the claim, or it is neither pure nor Gaussian.
 * @throws {RangeError} unless the claim is about one row more or less, rate in (0, 1], delta in (0, 1) and count a positive integer.
 *
 * @example
 * ```ts
 * import { gaussian } from "../core/claim.ts";
 * import { addRemoveOne as relation } from "../core/relation.ts";
 * import { sampledClaim } from "./sampled_claim.ts";
 * const options = { rate: 0.01, count: 1000, delta: 1e-5 };
 * sampledClaim(gaussian({ mu: 1, relation }), options).epsilon; // 1.83
 * ```
 */
export function sampledClaim(
  claim: PureClaim | GaussianClaim,
  options: SampledClaimOptions,
): ApproximateClaim {
  requireClaim("sample a claim", claim);
  const { rate, count = 1, delta } = requireFields("sampledClaim", options, {});
  requireRelation("sample a claim", claim, { relation: addRemoveOne });
  if (claim.kind !== "pure" && claim.kind !== "gaussian") {
    throw new TypeError(
      "Cannot sample a claim: claim must be pure or gaussian: " +
        `current kind is ${(claim as { kind: string }).kind}`,
    );
  }
  const loss = poissonSubsampledLoss(lossOfClaim(claim)!, { rate });
  const { upper } = epsilonBounds([{ loss, count }], { delta });
  return withLosses(
    approximate({ epsilon: Math.max(upper, LEAST_EPSILON), delta, relation: claim.relation }),
    { parts: [{ loss, count }], distance: 0, key: `${describeClaim(claim)} ${rate} ${count}` },
  );
}
