import { requireKnown } from "../../../core/text/known_options.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { withNormalLoss } from "./normal_losses.ts";
import { normalMass, normalRise } from "../../../core/numeric/normal_interval.ts";
import {
  requireDelta,
  requireFields,
  requireInteger,
  requirePositive,
} from "../../../core/numeric/require.ts";

/** The probabilities of one event under a pair of distributions. */
export interface PairMass {
  /** Under P. */
  readonly p: number;
  /** Under Q. */
  readonly q: number;
}

/** Two differences of an interval's probabilities, which lose their digits when they are subtracted. */
export interface IntervalDifference {
  /** p − q·e^from, at least 0. */
  readonly rise: number;
  /** q − p·e^−to, at least 0. */
  readonly fall: number;
}

/**
 * The law of the privacy loss ln(P(y)/Q(y)) of a pair (P, Q): atoms, a continuous part, and the
 * probability under P of outputs that Q never gives. Losses in nats.
 */
export interface LossLaw {
  /** Losses that have a probability of their own; those of equal loss may be listed apart. */
  readonly atoms: readonly (PairMass & { readonly loss: number })[];
  /** The continuous part's probability of a loss in (from, to]; either end may be infinite. */
  intervalMass?(from: number, to: number): PairMass;
  /**
   * The differences of `intervalMass(from, to)` for finite ends, right up to the same factor; undefined
   * where subtracting is as good. Bounds for a million runs of small losses need it.
   */
  intervalDifference?(from: number, to: number): IntervalDifference | undefined;
  /** P(loss = ∞). */
  readonly infinite: number;
  /** Nearly all of the continuous part lies between these; everything does if there is none. */
  readonly lowest: number;
  /** The upper end of that range. */
  readonly highest: number;
  /** Roughly the standard deviation of the loss under P: what a grid has to resolve. */
  readonly deviation: number;
  /** Every probability above is right up to a factor e^±`relativeError`. */
  readonly relativeError: number;
}

/**
 * The losses of a mechanism's worst pair in both directions: with `forward` the pair (P, Q) and with
 * `backward` (Q, P), the same object where the pair is symmetric. A pair that dominates every pair of
 * neighbours makes upper bounds of privacy; the pair of one mechanism makes lower bounds.
 */
export interface PrivacyLoss {
  /** The loss of P against Q. */
  readonly forward: LossLaw;
  /** The loss of Q against P. */
  readonly backward: LossLaw;
}

/** One direction of a mechanism's loss, and how many times it is drawn. */
export interface LawPower {
  /** The law of one run. */
  readonly law: LossLaw;
  /** Number of runs. */
  readonly count: number;
}

function symmetric(law: LossLaw): PrivacyLoss {
  return { forward: law, backward: law };
}

/**
 * The loss of every (epsilon, delta)-DP mechanism at its worst: with probability δ everything is given
 * away, else randomised response (Kairouz, Oh, Viswanath 2015).
 *
 * @throws {RangeError} unless ε is positive and finite and δ in [0, 1).
 */
export function approximateLoss(
  options: { epsilon: number; delta?: number },
): PrivacyLoss {
  const { epsilon, delta = 0 } = requireFields("approximateLoss", options, {});
  requirePositive("make a privacy loss", "epsilon", epsilon);
  requireDelta("make a privacy loss", "delta", delta);
  const more = (1 - delta) / (1 + Math.exp(-epsilon));
  const less = (1 - delta) / (1 + Math.exp(epsilon));
  return symmetric({
    atoms: [{ loss: -epsilon, p: less, q: more }, { loss: epsilon, p: more, q: less }],
    infinite: delta,
    lowest: -epsilon,
    highest: epsilon,
    deviation: epsilon,
    relativeError: 1e-14,
  });
}

/**
 * The loss of adding Laplace noise of scale sensitivity/epsilon to one number.
 *
 * With x the output where P is centred at 0 and Q at 1 (in units of the sensitivity), the loss is
 * ε(|x − 1| − |x|): ε with probability 1/2, −ε with probability e^−ε/2, and of density e^((l − ε)/2)/4
 * between them.
 *
 * @throws {RangeError} unless ε is positive and finite.
 */
export function laplaceLoss(options: { epsilon: number }): PrivacyLoss {
  const { epsilon } = requireFields("laplaceLoss", options, {});
  requirePositive("make a privacy loss", "epsilon", epsilon);
  const rare = 0.5 * Math.exp(-epsilon);
  return symmetric({
    atoms: [{ loss: -epsilon, p: rare, q: 0.5 }, { loss: epsilon, p: 0.5, q: rare }],
    intervalMass(from, to): PairMass {
      const low = Math.max(from, -epsilon), high = Math.min(to, epsilon);
      if (high <= low) return { p: 0, q: 0 };
      const width = 0.5 * Math.expm1(0.5 * (high - low));
      return {
        p: Math.exp(0.5 * (low - epsilon)) * width,
        q: Math.exp(0.5 * (-high - epsilon)) * width,
      };
    },
    intervalDifference(from, to): IntervalDifference {
      const low = Math.max(from, -epsilon), high = Math.min(to, epsilon);
      if (high <= low) return { rise: 0, fall: 0 };
      const width = 0.5 * Math.expm1(0.5 * (high - low)), shrink = -Math.expm1(0.5 * (low - high));
      const p = Math.exp(0.5 * (low - epsilon)) * width;
      const q = Math.exp(0.5 * (-high - epsilon)) * width;
      return {
        rise: p * shrink - q * Math.exp(low) * Math.expm1(from - low),
        fall: q * shrink - p * Math.exp(-high) * Math.expm1(high - to),
      };
    },
    infinite: 0,
    lowest: -epsilon,
    highest: epsilon,
    deviation: epsilon,
    // An exponent of −ε is off by its rounding.
    relativeError: 1e-14 + 2 * Number.EPSILON * epsilon,
  });
}

/** Standard deviations beyond which a normal loss counts as tail: probability below 2e-33. */
const NORMAL_RANGE = 12;

/**
 * The loss of Gaussian noise, or of any μ-GDP mechanism at its worst: N(μ²/2, μ²) under P and
 * N(−μ²/2, μ²) under Q (Dong, Roth, Su 2022). For the Gaussian mechanism μ = sensitivity / standard
 * deviation.
 *
 * Composed with others of its kind alone it is bounded in closed form. Beside other losses those beyond 12 standard deviations count as infinite in upper bounds,
 * which therefore do not go below 2e-33 for each mechanism.
 *
 * @throws {RangeError} unless μ is positive and finite.
 */
export function gaussianLoss(options: { mu: number }): PrivacyLoss {
  const { mu } = requireFields("gaussianLoss", options, {});
  requirePositive("make a privacy loss", "mu", mu);
  const mean = 0.5 * mu * mu;
  const law: LossLaw = {
    atoms: [],
    intervalMass: (from, to) => ({
      p: normalMass((from - mean) / mu, (to - mean) / mu),
      q: normalMass((from + mean) / mu, (to + mean) / mu),
    }),
    intervalDifference(from, to): IntervalDifference | undefined {
      const rise = normalRise({ from: (from - mean) / mu, to: (to - mean) / mu }, { slope: mu });
      // Q is P seen from above, where the loss is −l.
      const fall = normalRise({ from: (-to - mean) / mu, to: (-from - mean) / mu }, { slope: mu });
      return rise === undefined || fall === undefined ? undefined : { rise, fall };
    },
    infinite: 0,
    lowest: mean - NORMAL_RANGE * mu,
    highest: mean + NORMAL_RANGE * mu,
    deviation: mu,
    relativeError: 1e-12,
  };
  return symmetric(withNormalLoss(law, { mu }));
}

/**
 * The loss of a pair with finitely many outputs, from their probabilities under P and under Q.
 *
 * @throws {RangeError} unless both are probabilities that sum to 1 (within 1e-12).
 *
 * @example
 * ```ts
 * import { finiteLoss } from "./privacy_loss.ts";
 * const survey = finiteLoss({ p: [0.75, 0.25], q: [0.25, 0.75] }); // the two-coin survey: ln 3
 * ```
 */
export function finiteLoss(
  options: { p: readonly number[]; q: readonly number[] },
): PrivacyLoss {
  const { p, q } = requireFields("finiteLoss", options, { p: "list", q: "list" });
  requireKnown("call finiteLoss()", options, ["p", "q"]);
  requireInteger("make a privacy loss", "the number of outputs under Q", q.length, {
    min: p.length,
    max: p.length,
  });
  for (const [name, side] of [["p", p], ["q", q]] as const) {
    const total = side.reduce((sum, value) => sum + value, 0);
    if (!(side.every((value) => value >= 0) && Math.abs(total - 1) <= 1e-12)) {
      throw new RangeError(
        `Cannot make a privacy loss: ${name} must be at least 0 each and sum to 1: current sum is ${total}`,
      );
    }
  }
  return { forward: finiteLaw(p, q), backward: finiteLaw(q, p) };
}

function finiteLaw(p: readonly number[], q: readonly number[]): LossLaw {
  const atoms: (PairMass & { loss: number })[] = [];
  let infinite = 0;
  p.forEach((mass, i) => {
    const other = q[i]!;
    if (mass > 0 && other > 0) {
      atoms.push({ loss: Math.log(mass) - Math.log(other), p: mass, q: other });
    } else {
      infinite += mass;
    }
  });
  atoms.sort((a, b) => a.loss - b.loss);
  const mean = atoms.reduce((sum, atom) => sum + atom.p * atom.loss, 0);
  const variance = atoms.reduce((sum, atom) => sum + atom.p * (atom.loss - mean) ** 2, 0);
  const lowest = atoms[0]?.loss ?? 0, highest = atoms.at(-1)?.loss ?? 0;
  // A loss is the difference of two logarithms, which may be hundreds: three roundings of these.
  const largest = atoms.reduce(
    (most, { p, q }) => Math.max(most, Math.abs(Math.log(p)) + Math.abs(Math.log(q))),
    0,
  );
  return {
    atoms,
    infinite,
    lowest,
    highest,
    deviation: Math.sqrt(variance),
    relativeError: 1e-14 + 2 * Number.EPSILON * largest,
  };
}

/**
 * The worst loss that a claim allows, or `undefined` for zCDP and Rényi claims, which have no single
 * worst pair: compose those by {@linkcode RenyiCurve}.
 */
export function lossOfClaim(claim: Claim): PrivacyLoss | undefined {
  requireClaim("convert a claim", claim);
  switch (claim.kind) {
    case "pure":
    case "approximate":
      return approximateLoss(claim);
    case "gaussian":
      return gaussianLoss(claim);
    case "zcdp":
    case "renyi":
      return undefined;
  }
}
