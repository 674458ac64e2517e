import { requireKnown } from "../../core/text/known_options.ts";
import {
  type ApproximateClaim,
  type Claim,
  describeClaim,
  gaussian,
  type GaussianClaim,
  pure,
  type PureClaim,
} from "../../core/claims/claim.ts";
import { requireClaim } from "../../core/claims/claim_brand.ts";
import { parameterOf, scaledClaim } from "../../core/claims/claim_curve.ts";
import { addRemoveOne } from "../../core/relations/relation.ts";
import { amountUp } from "../../core/numeric/amount.ts";
import { multiply, rational } from "../../core/numeric/rational.ts";
import { gaussianDelta } from "../../core/numeric/gaussian_delta.ts";
import { largestThatHolds } from "../../core/numeric/largest_that_holds.ts";
import { leastReached } from "../../core/numeric/least_reached.ts";
import {
  requireFields,
  requireInteger,
  requireOneOf,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { adaptiveEpsilon } from "./loss_distribution/adaptive_bounds.ts";
import { fallingZero, noiseFor, roughExcess } from "./calibrate_noise.ts";
import { lossOfClaim } from "./loss_distribution/privacy_loss.ts";
import type { Bounds } from "./loss_distribution/privacy_loss_distribution.ts";
import { pricesUnder } from "./budget/prices.ts";
import { renyiOfClaim } from "./composition/renyi.ts";
import { requireRelation } from "../../core/claims/require_relation.ts";
import { divergencesOfSamples } from "./sampling/sampled_claim.ts";
import { poissonSubsampledLoss } from "./sampling/subsampled_loss.ts";
import { largestRho } from "./composition/zcdp.ts";

/** Quantity to find, and the known quantities. */
export interface CalibrateOptions {
  /**
   * `"sigma"`: the least standard deviation of Gaussian noise, for a sensitivity of 1. `"epsilon"`: the largest ε of each of some pure
   * mechanisms. `"count"`: how many releases with a known `sigma` or `epsilon`.
   */
  readonly find: "sigma" | "epsilon" | "count";
  /** Number of releases. Default: 1; omitted if it is the quantity to find. */
  readonly count?: number;
  /** Standard deviation of Gaussian noise whose number of releases is to be found, for a sensitivity of 1. */
  readonly sigma?: number;
  /** ε of each pure mechanism whose number of releases is to be found, in nats. */
  readonly epsilon?: number;
  /** The probability with which a row is in the Poisson sample of a release, under `addRemoveOne`. Default: 1, all rows. */
  readonly rate?: number;
}

/** Result of {@linkcode calibrate}. */
export interface Calibration {
  /** σ, ε or the number of releases. */
  readonly value: number;
  /** The claim of one release of all rows. */
  readonly each: GaussianClaim | PureClaim;
  /** Number of releases. */
  readonly count: number;
  /** Claim that all releases together satisfy at this value: of the target's kind, and within the target. */
  readonly claim: Claim;
}

/** The noise that is looked for: σ, or 1/ε. */
const LEAST_NOISE = 2 ** -4, MOST_NOISE = 2 ** 500;
/** The most releases. */
const MOST_COUNT = 2 ** 24;
/** Halvings between two powers of two, which leave one rounding. */
const HALVINGS = 60;
/** No ε is needed where δ alone suffices, but a claim has one. */
const LEAST_EPSILON = 2 ** -40;
/** Of δ, the margin for bounds of loss distributions; where Gaussian δ is known to many digits, μ at most. */
const MARGIN_OF_DELTA = 2e-3, MOST_MU = 1000;
/** More than the rounding of a product and a root. */
const ROUNDING = 4 * Number.EPSILON;

/**
 * Finds the noise, the ε of each, or the number of releases for which all of them together keep a target. The value that is returned was put in, and what
 * it gives is the claim that is returned, whatever the search did.
 *
 * Under an (ε, δ) target losses are composed ({@linkcode epsilonBounds}): `openAnnouncedBudget(target, [{ claim: each, count }])` accepts what is found,
 * and of samples one {@linkcode sampledClaim} with that `rate` and `count`. Noise is larger than it must be by what changes ε by 0.1% or less, and the number is the largest
 * whose bound is within the target, up to 2²⁴. Under other targets what each costs adds up as in {@linkcode openBudget}: ε of pure privacy, ρ, μ², or the divergence of one order.
 *
 * @throws {TypeError} when no constructor made the target, or it can count no such releases (Gaussian noise under a pure target).
 * @throws {RangeError} when an option is out of range, missing, or given beside what is looked for; or when nothing keeps the target.
 *
 * @example
 * ```ts
 * import { calibrate } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne as relation, approximate } from "@dpcheck/dpcheck/core";
 * const target = approximate({ epsilon: 1, delta: 1e-6, relation });
 * calibrate(target, { find: "sigma", count: 100 }).value; // 42.26
 * calibrate(target, { find: "count", sigma: 2, rate: 0.001 }).value; // 196,252 samples
 * ```
 */
export function calibrate(target: Claim, options: CalibrateOptions): Calibration {
  const { find, count: given, sigma, epsilon, rate = 1 } = requireFields("calibrate", options, {
    find: "text",
  });
  requireKnown("call calibrate()", options, ["find", "count", "sigma", "epsilon", "rate"]);
  requireClaim(ACTION, target);
  requireOneOf(ACTION, "find", find, ["sigma", "epsilon", "count"]);
  requirePositive(ACTION, "rate", rate);
  const { relation } = target;
  if (rate < 1) requireRelation(ACTION, target, { relation: addRemoveOne });
  const isGaussian = find === "sigma" || sigma !== undefined;
  const search = !(target.kind === "approximate" && target.delta > 0)
    ? byHolding(target, keptByPrices(target, rate))
    : isGaussian && rate === 1
    ? byHolding(target, keptByOneGaussian(target))
    : byLosses(target, rate);
  if (find === "count") {
    requireLeftOut({ count: given }, find);
    if ((sigma === undefined) === (epsilon === undefined)) {
      throw new RangeError(
        `Cannot calibrate: one of sigma and epsilon must be given: current values are ${sigma} and ${epsilon}`,
      );
    }
    if (sigma !== undefined) requirePositive(ACTION, "sigma", sigma);
    const each = sigma === undefined
      ? pure({ epsilon: epsilon!, relation })
      : gaussian({ mu: muOf(sigma), relation });
    const { value, claim } = search.mostRuns(each);
    return { value, each, count: value, claim };
  }
  requireLeftOut({ sigma, epsilon }, find);
  const count = given ?? 1;
  requireInteger(ACTION, "count", count, { min: 1, max: MOST_COUNT });
  const eachOf = (noise: number): Each =>
    find === "sigma"
      ? gaussian({ mu: muOf(noise), relation })
      : pure({ epsilon: 1 / noise, relation });
  const { value, claim } = search.leastNoise((noise) => ({ each: eachOf(noise), count }));
  const each = eachOf(value);
  return { value: each.kind === "pure" ? each.epsilon : value, each, count, claim };
}

const ACTION = "calibrate";

type Each = GaussianClaim | PureClaim;

interface Runs {
  readonly each: Each;
  readonly count: number;
}

/** A value, and what is kept there. */
interface Found {
  readonly value: number;
  readonly claim: Claim;
}

interface Search {
  readonly leastNoise: (runsAt: (noise: number) => Runs) => Found;
  readonly mostRuns: (each: Each) => Found;
}

function muOf(sigma: number): number {
  return roundUp(1 / sigma, { relativeError: Number.EPSILON });
}

function requireLeftOut(given: Readonly<Record<string, unknown>>, find: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    throw new RangeError(
      `Cannot calibrate: ${name} must be left out where ${find} is looked for: current value is ${value}`,
    );
  }
}

function outOfReach(target: Claim): RangeError {
  return new RangeError(
    `Cannot calibrate: target must be within reach: current value is ${describeClaim(target)}`,
  );
}

/** Returns a search by loss distributions, under a target with δ. */
function byLosses(target: ApproximateClaim, rate: number): Search {
  const { epsilon, delta } = target;
  const boundsOf = ({ each, count }: Runs, within?: number): Bounds => {
    const own = lossOfClaim(each)!;
    const loss = rate === 1 ? own : poissonSubsampledLoss(own, { rate });
    const laws = loss.forward === loss.backward ? [loss.forward] : [loss.forward, loss.backward];
    return adaptiveEpsilon(laws.map((law) => [{ law, count }]), {
      delta,
      ...(within === undefined ? {} : { within }),
    });
  };
  const kept = (least: number): Claim => scaledClaim(target, Math.max(least, LEAST_EPSILON));
  return {
    leastNoise(runsAt): Found {
      const boundsAt = (noise: number, within?: number): Bounds => boundsOf(runsAt(noise), within);
      const excess = roughExcess({ boundsAt, target: epsilon });
      let most = enoughNoise(target, runsAt(1));
      while (most > LEAST_NOISE && excess(most / 2) <= 0) most /= 2;
      const { noise, epsilon: found } = noiseFor({
        boundsAt,
        target: epsilon,
        least: most / 2,
        most,
      });
      if (!(found <= epsilon)) throw outOfReach(target);
      return { value: noise, claim: kept(found) };
    },
    mostRuns(each): Found {
      const excess = roughExcess({
        boundsAt: (count, within) => boundsOf({ each, count }, within),
        target: epsilon,
      });
      let most = 1;
      while (most < MOST_COUNT && excess(most) <= 0) most *= 2;
      const log = fallingZero((log) => excess(Math.round(Math.exp(-log))), {
        low: -Math.log(most),
        high: -Math.log(Math.max(1, most / 2)),
      });
      const holds = (count: number): boolean => boundsOf({ each, count }).upper <= epsilon;
      let from = Math.round(Math.exp(-log));
      const step = Math.ceil(from / 500);
      for (let back = step; from > 0 && !holds(from); back *= 2) from -= back;
      const value = largestThatHolds(holds, { from: Math.max(0, from), step, most: MOST_COUNT });
      if (value === 0) throw outOfReach(target);
      return { value, claim: kept(boundsOf({ each, count: value }).upper) };
    },
  };
}

/** Noise with which runs keep the target, by zCDP or by adding up ε: samples keep no less. */
function enoughNoise({ epsilon, delta }: ApproximateClaim, { each, count }: Runs): number {
  return each.kind === "pure"
    ? count / epsilon
    : Math.sqrt(count / (2 * largestRho({ epsilon, delta }))) * (1 + ROUNDING);
}

/** Returns the claim that the runs satisfy, or `undefined` if it is not within the target. */
type Kept = (runs: Runs) => Claim | undefined;

/**
 * All releases of Gaussian noise are one of μ·√count (Dong, Roth, Su 2022, Corollary 2), with a margin of what bounds of loss distributions may be apart: a budget with an announced
 * sequence takes what is found.
 */
function keptByOneGaussian(target: ApproximateClaim): Kept {
  return ({ each, count }) => {
    const { value } = parameterOf(each);
    const mu = roundUp(value * Math.sqrt(count), { relativeError: ROUNDING });
    const holds = (epsilon: number): boolean =>
      gaussianDelta(mu, epsilon) * (1 + MARGIN_OF_DELTA) <= target.delta;
    if (!(mu <= MOST_MU && holds(target.epsilon))) return undefined;
    const least = leastReached(holds)!;
    return scaledClaim(target, Math.min(target.epsilon, Math.max(least, LEAST_EPSILON)));
  };
}

/** Returns the function that computes the claim of runs from amounts that add up, under targets without δ. */
function keptByPrices(target: Claim, rate: number): Kept {
  const prices = pricesUnder(target, {});
  return ({ each, count }) => {
    const known = rate === 1
      ? { renyi: renyiOfClaim(each), alsoKeeps: [each] }
      : divergencesOfSamples(each, { rate, count: 1 });
    const [first, ...others] = known.alsoKeeps;
    const cost = target.kind === "renyi"
      ? [rational(known.renyi(target.order))]
      : prices.cheapest(prices.none, first ?? each, others).cost;
    const total = cost.map((amount) => multiply(amount, rational(count)));
    if (!prices.allows(total)) return undefined;
    const [amount] = total.map(amountUp);
    const kept = target.kind === "gaussian"
      ? roundUp(Math.sqrt(amount!), { relativeError: Number.EPSILON })
      : amount!;
    // Rounding up must not lift the claim above the target.
    return kept < parameterOf(target).value ? scaledClaim(target, kept) : target;
  };
}

/** By whether runs keep the target: as near as doubles are. */
function byHolding(target: Claim, kept: Kept): Search {
  return {
    leastNoise(runsAt): Found {
      const value = leastReached((noise) => kept(runsAt(noise)) !== undefined, {
        halvings: HALVINGS,
        most: MOST_NOISE,
      });
      if (value === undefined) throw outOfReach(target);
      return { value, claim: kept(runsAt(value))! };
    },
    mostRuns(each): Found {
      const holds = (count: number): boolean => kept({ each, count }) !== undefined;
      const value = largestThatHolds(holds, { from: 0, step: 1, most: MOST_COUNT });
      if (value === 0) throw outOfReach(target);
      return { value, claim: kept({ each, count: value })! };
    },
  };
}
