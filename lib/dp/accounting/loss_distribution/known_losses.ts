import type { Claim } from "../../../core/claims/claim.ts";
import { parameterOf } from "../../../core/claims/claim_curve.ts";
import { lossOfClaim } from "./privacy_loss.ts";
import type { LossPart } from "./privacy_loss_distribution.ts";
import type { RenyiCurve } from "../composition/renyi.ts";

/** Privacy losses behind a claim. */
export interface KnownLosses {
  /** Losses that dominate those of the mechanism, but for `distance`. */
  readonly parts: readonly LossPart[];
  /** At most the total variation between the mechanism's outputs and outputs with these losses. */
  readonly distance: number;
  /** The same for the same losses; empty where the numbers of the claim say all. */
  readonly key: string;
  /** At least the Rényi divergences of the mechanism between neighbours, either way. */
  readonly renyi?: RenyiCurve;
  /** Other claims that hold of the same outputs. */
  readonly alsoKeeps?: readonly Claim[];
}

const known = new WeakMap<Claim, KnownLosses>();

/** Keeps losses that say more than the claim. For functions that made the claim from them, and for no others. */
export function withLosses<Kind extends Claim>(claim: Kind, losses: KnownLosses): Kind {
  known.set(claim, losses);
  return claim;
}

/** The losses of a claim, or `undefined` for zCDP and Rényi claims, which have no single worst pair, and for claims that say ε = 0. */
export function lossesOf(claim: Claim): KnownLosses | undefined {
  if (parameterOf(claim).value === 0) return undefined;
  const losses = known.get(claim);
  if (losses !== undefined) return losses;
  const loss = lossOfClaim(claim);
  return loss && { parts: [{ loss, count: 1 }], distance: 0, key: "" };
}
