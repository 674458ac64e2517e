import { requireKnown } from "../../../core/text/known_options.ts";
import { alsoConcentrated, boundedRangeRho } from "../../../core/claims/bounded_range.ts";
import {
  approximate,
  type ApproximateClaim,
  describeClaim,
  gaussian,
  type GaussianClaim,
  pure,
  type PureClaim,
} from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { addRemoveOne } from "../../../core/relations/relation.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { allocatedParts, type AllocationOptions } from "./allocated_parts.ts";
import { type KnownLosses, withLosses } from "../loss_distribution/known_losses.ts";
import { lossOfClaim, type PrivacyLoss } from "../loss_distribution/privacy_loss.ts";
import { epsilonBounds, type LossPart } from "../loss_distribution/privacy_loss_distribution.ts";
import { requireFields } from "../../../core/numeric/require.ts";
import { requireRelation } from "../../../core/claims/require_relation.ts";
import { poissonSubsampledLoss } from "./subsampled_loss.ts";
import { subsampledParameters, wholeOrderSampledRenyi } from "./subsampling.ts";

/** Options of runs of a mechanism on samples. */
export interface SampledClaimOptions {
  /** The probability with which a row is in a sample, each by itself, in (0, 1]. */
  readonly rate: number;
  /** Number of runs, each on a new sample. Default: 1. */
  readonly count?: number;
  /** The δ of the claim, in (0, 1); ε follows. */
  readonly delta: number;
}

/** Options of runs of a mechanism in steps to which rows are allocated. */
export interface AllocatedClaimOptions extends AllocationOptions {
  /** The δ of the claim, in (0, 1); ε follows. */
  readonly delta: number;
}

/** No ε is needed where δ alone suffices, but a claim has one. */
const LEAST_EPSILON = 2 ** -40;
/** More than the few roundings of a loss, a square root or a product. */
const ROUNDING = 1e-14;

/**
 * The claim of `count` runs, each on a Poisson sample of the rows of its own, of mechanisms that keep `claim` for one row more
 * or less: (ε, delta)-DP by loss distributions ({@linkcode epsilonBounds}; Zhu, Dong, Wang 2022, Theorem 11 on sampling). The
 * claim keeps its losses: a budget with an announced sequence ({@linkcode openAnnouncedBudget}) composes them with those of
 * other releases, a Rényi budget charges their divergence at its order, and an approximate budget with slack the least ρ that its
 * divergences give beside `delta`. Budgets without δ charge what holds without: zCDP and pure privacy of a sampled pure claim, and for
 * a Gaussian one μ of all rows times √count, which sampling does not make smaller at every order.
 *
 * @throws {TypeError} when no constructor made the claim, or it is neither pure nor Gaussian.
 * @throws {RangeError} unless the claim is about one row more or less, rate in (0, 1], delta in (0, 1) and count a positive integer.
 *
 * @example
 * ```ts
 * import { gaussian } from "../../../core/claims/claim.ts";
 * import { addRemoveOne as relation } from "../../../core/relations/relation.ts";
 * import { sampledClaim } from "./sampled_claim.ts";
 * const options = { rate: 0.01, count: 1000, delta: 1e-5 };
 * sampledClaim(gaussian({ mu: 1, relation }), options).epsilon; // 1.83
 * ```
 */
export function sampledClaim(
  claim: PureClaim | GaussianClaim,
  options: SampledClaimOptions,
): ApproximateClaim {
  const { rate, count = 1, delta } = requireFields("sampledClaim", options, {});
  requireKnown("call sampledClaim()", options, ["rate", "count", "delta"]);
  const own = requireSampled(claim);
  return claimOf([{ loss: poissonSubsampledLoss(own, { rate }), count }], {
    claim,
    delta,
    key: `${rate} ${count}`,
    ...divergencesOfSamples(claim, { rate, count }),
  });
}

/**
 * As {@linkcode sampledClaim}, of mechanisms that run in steps of which each row takes part in some, drawn at random for each row by itself ({@linkcode allocatedParts}). Budgets without
 * δ charge what as many steps with all rows keep.
 *
 * @throws as {@linkcode sampledClaim} and {@linkcode allocatedParts}.
 *
 * @example
 * ```ts
 * import { allocatedClaim } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne as relation, gaussian } from "@dpcheck/dpcheck/core";
 * // Five epochs of 200 batches
 * const options = { steps: 200, count: 5, delta: 1e-5 };
 * allocatedClaim(gaussian({ mu: 1, relation }), options).epsilon; // 0.80
 * ```
 */
export function allocatedClaim(
  claim: PureClaim | GaussianClaim,
  options: AllocatedClaimOptions,
): ApproximateClaim {
  const { steps, chosen = 1, count = 1, delta } = requireFields("allocatedClaim", options, {});
  requireKnown("call allocatedClaim()", options, ["delta", "steps", "chosen", "count"]);
  const { upper } = allocatedParts(requireSampled(claim), { steps, chosen, count });
  return claimOf(upper, {
    claim,
    delta,
    key: `${steps} ${chosen} ${count} allocated`,
    ...divergencesOfSamples(claim, { rate: 1, count: chosen * count }),
  });
}

/** The loss of a claim that may be sampled. */
function requireSampled(claim: PureClaim | GaussianClaim): PrivacyLoss {
  requireClaim("sample a claim", claim);
  requireRelation("sample a claim", claim, { relation: addRemoveOne });
  if (claim.kind === "pure" || claim.kind === "gaussian") return lossOfClaim(claim)!;
  throw new TypeError(
    "Cannot sample a claim: claim must be pure or gaussian: " +
      `current kind is ${(claim as { kind: string }).kind}`,
  );
}

function claimOf(
  parts: readonly LossPart[],
  { claim, delta, key, ...divergences }: Divergences & {
    readonly claim: PureClaim | GaussianClaim;
    readonly delta: number;
    readonly key: string;
  },
): ApproximateClaim {
  const { upper } = epsilonBounds(parts, { delta });
  const epsilon = Math.max(upper, LEAST_EPSILON), { relation } = claim;
  return withLosses(approximate({ epsilon, delta, relation }), {
    parts,
    distance: 0,
    key: `${describeClaim(claim)} ${key}`,
    ...divergences,
  });
}

type Runs = Required<Pick<SampledClaimOptions, "rate" | "count">>;
type Divergences = Required<Pick<KnownLosses, "renyi" | "alsoKeeps">>;

/** Returns bounds on the Rényi divergences of runs on samples, which need no δ. */
export function divergencesOfSamples(claim: PureClaim | GaussianClaim, runs: Runs): Divergences {
  return claim.kind === "pure" ? ofPure(claim, runs) : ofGaussian(claim, runs);
}

/**
 * Losses of one run are from ln(1 − rate·(1 − e^−ε)) to ln(1 + rate·(e^ε − 1)), and η is the length of that range: the
 * worst pair of a pure claim has these two losses, and a pair with losses in such a range has Rényi divergences of at most η²/8 times the order
 * (Cesar, Rogers 2021), and at most its largest loss.
 */
function ofPure({ epsilon, relation }: PureClaim, { rate, count }: Runs): Divergences {
  const { epsilon: most } = subsampledParameters({ epsilon }, { rate });
  // Neither form cancels where it is used.
  const least = rate < 0.5 || epsilon < 1
    ? Math.log1p(rate * Math.expm1(-epsilon))
    : Math.log(1 - rate + rate * Math.exp(-epsilon));
  const rho = boundedRangeRho(roundUp(most - least, { relativeError: ROUNDING }));
  const times = (value: number): number =>
    roundUp(count * value, { relativeError: Number.EPSILON });
  return {
    renyi: (order) => times(Math.min(roundUp(order * rho, { relativeError: ROUNDING }), most)),
    alsoKeeps: [
      ...(times(most) < Infinity ? [pure({ epsilon: times(most), relation })] : []),
      ...alsoConcentrated({ rho: times(rho), relation }),
    ],
  };
}

/** A sample keeps what all rows do: divergences of every order are quasi-convex, and so are trade-offs between errors. */
function ofGaussian({ mu, relation }: GaussianClaim, { rate, count }: Runs): Divergences {
  const one = wholeOrderSampledRenyi({ mu, rate });
  const all = roundUp(mu * Math.sqrt(count), { relativeError: ROUNDING });
  return {
    renyi: (order) => roundUp(count * one(order), { relativeError: Number.EPSILON }),
    alsoKeeps: all < Infinity ? [gaussian({ mu: all, relation })] : [],
  };
}
