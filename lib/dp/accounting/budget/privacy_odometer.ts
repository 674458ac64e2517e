import { requireKnown } from "../../../core/text/known_options.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { exactAmount, requireClaim } from "../../../core/claims/claim_brand.ts";
import type { Relation } from "../../../core/relations/relation.ts";
import { amountUp, exactOf } from "../../../core/numeric/amount.ts";
import { add, compare, type Rational, rational } from "../../../core/numeric/rational.ts";
import { requireFields, requirePositive } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { rhoBesideDelta } from "./approximate_zcdp.ts";
import { halfSquare, rhoOf } from "./prices.ts";
import { requireRelation } from "../../../core/claims/require_relation.ts";
import { requireSlack } from "../composition/privacy_parameters.ts";

/** Reads the privacy loss as it runs up, with no limit set beforehand. Immutable. */
export interface PrivacyOdometer {
  /** With probability 1 − `delta`, the loss was at most this at this and every earlier reading. */
  readonly epsilon: number;
  /** The slack and the δ of all claims so far. */
  readonly delta: number;
  /** Σρ so far. */
  readonly rho: number;
  /** Relation of the readings: that of the first claim, which all others must share. */
  readonly relation: Relation | undefined;
  /**
   * The odometer once a mechanism with this claim has run. Of other claims that hold of the same output and the claim
   * itself the one with the least δ counts, and of these the one with the least ρ.
   *
   * @throws {TypeError} for Rényi claims, which say too little, and for claims that no constructor made.
   * @throws {RangeError} when the claim is about another relation than those before it.
   */
  after(claim: Claim, alsoKeeps?: readonly Claim[]): PrivacyOdometer;
}

/** Confidence of the readings of {@linkcode privacyOdometer}, and where they are tightest. */
export interface OdometerOptions {
  /** The probability with which the readings may be wrong, for claims with no δ of their own. */
  readonly slack: number;
  /** Values of Σρ at which readings should be sharpest: one for each order of magnitude is plenty. */
  readonly tunedFor: readonly number[];
}

/**
 * Opens an odometer for fully adaptive composition, in which claims are chosen as the outputs come in.
 *
 * With R = Σρ, e^(λ(loss − R) − λ²R) is a supermartingale for every λ > 0, by the definition of zCDP. It
 * ever reaches 1/δ with probability at most δ (Ville), so loss ≤ R + λR + ln(1/δ)/λ at all times at once.
 * Each tuning point R₀ gives a line, λ = √(ln(m/slack)/R₀), at an equal share slack/m of the slack, and the
 * reading is the lowest line. At R₀ with one tuning point that is R₀ + 2√(R₀·ln(1/slack)): the price of
 * a filter set for R₀ (Whitehouse, Ramdas, Rogers, Wu 2023).
 * Claims with δ add it to `delta`. Rounded up.
 *
 * @throws {RangeError} unless slack is in (0, 1) and every tuning point is positive.
 *
 * @example
 * ```ts
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { privacyOdometer } from "./privacy_odometer.ts";
 * const start = privacyOdometer({ slack: 1e-6, tunedFor: [0.01, 0.1, 1] });
 * start.after(pure({ epsilon: 0.1, relation: replaceOne })).epsilon;
 * ```
 */
export function privacyOdometer(options: OdometerOptions): PrivacyOdometer {
  const { slack, tunedFor } = requireFields("privacyOdometer", options, { tunedFor: "list" });
  requireKnown("call privacyOdometer()", options, ["slack", "tunedFor"]);
  requireSlack("make an odometer", slack);
  if (tunedFor.length === 0) {
    throw new RangeError(
      "Cannot make an odometer: tunedFor must have at least one entry: current length is 0",
    );
  }
  for (const rho of tunedFor) requirePositive("make an odometer", "tunedFor", rho);
  const rarity = Math.log(tunedFor.length / slack);
  const slopes = tunedFor.map((rho) => Math.sqrt(rarity / rho));
  const from = ({ spent, relation }: {
    readonly spent: Concentrated;
    readonly relation: Relation | undefined;
  }): PrivacyOdometer => {
    const rho = amountUp(spent.rho);
    return {
      rho,
      delta: Math.min(1, amountUp(spent.delta)),
      relation,
      epsilon: rho === 0 ? 0 : roundUp(
        Math.min(...slopes.map((slope) => rho + slope * rho + rarity / slope)),
        { relativeError: 1e-14 },
      ),
      after(claim, alsoKeeps = []): PrivacyOdometer {
        const [least] = [claim, ...alsoKeeps].flatMap((form) => {
          requireClaim("read a privacy loss", form);
          requireRelation("read a privacy loss", form, { relation: relation ?? claim.relation });
          return concentrated(form) ?? [];
        }).sort((a, b) => compare(a.delta, b.delta) || compare(a.rho, b.rho));
        if (least === undefined) {
          throw new TypeError(
            `Cannot read a privacy loss: a claim must imply zCDP: current kind is ${claim.kind}`,
          );
        }
        return from({
          spent: { rho: add(spent.rho, least.rho), delta: add(spent.delta, least.delta) },
          relation: claim.relation,
        });
      },
    };
  };
  return from({ spent: { rho: rational(0), delta: exactOf(slack) }, relation: undefined });
}

/** ρ but for an event of probability δ. */
interface Concentrated {
  readonly rho: Rational;
  readonly delta: Rational;
}

/** The approximate zCDP that a claim implies, if any. */
function concentrated(claim: Claim): Concentrated | undefined {
  const delta = claim.kind === "approximate" ? exactAmount(claim, "delta") : rational(0);
  const [rho] = claim.kind === "approximate"
    ? [halfSquare(exactAmount(claim, "epsilon"))]
    : rhoOf(claim);
  const known = claim.kind === "approximate" ? rhoBesideDelta(claim) : undefined;
  if (rho === undefined) return undefined;
  const isLess = known !== undefined && known < Infinity && compare(rational(known), rho) < 0;
  return { rho: isLess ? rational(known) : rho, delta };
}
