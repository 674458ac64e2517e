import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireKind, requirePositive } from "../../../core/numeric/require.ts";
import type {
  IntervalDifference,
  LossLaw,
  PairMass,
  PrivacyLoss,
} from "../loss_distribution/privacy_loss.ts";

/**
 * The loss when the mechanism is run on a Poisson sample: every row is kept independently with
 * probability `rate`. For add/remove neighbours, where `loss` is that of the mechanism's own worst pair
 * (P with the row, Q without it): (1 − rate)·Q + rate·P against Q, and the other way round (Zhu, Dong,
 * Wang 2022; Koskela, Jälkö, Honkela 2020).
 *
 * @throws {RangeError} unless rate is in (0, 1] and the pair never gives a row away outright.
 *
 * @example
 * ```ts
 * import { gaussianLoss } from "../loss_distribution/privacy_loss.ts";
 * import { deltaBounds } from "../loss_distribution/privacy_loss_distribution.ts";
 * import { poissonSubsampledLoss } from "./subsampled_loss.ts";
 * const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 0.1 });
 * deltaBounds([{ loss, count: 10 }], { epsilon: 1 });
 * ```
 */
export function poissonSubsampledLoss(
  loss: PrivacyLoss,
  options: { rate: number },
): PrivacyLoss {
  requireKind("poissonSubsampledLoss", "loss", loss, "record");
  const { rate } = requireFields("poissonSubsampledLoss", options, {});
  requireKnown("call poissonSubsampledLoss()", options, ["rate"]);
  requirePositive("subsample a privacy loss", "rate", rate);
  if (rate > 1) {
    throw new RangeError(
      `Cannot subsample a privacy loss: rate must be at most 1: current value is ${rate}`,
    );
  }
  if (loss.forward.infinite > 0 || loss.backward.infinite > 0) {
    throw new RangeError(
      "Cannot subsample a privacy loss: the probability of an infinite loss must be 0: current " +
        `value is ${Math.max(loss.forward.infinite, loss.backward.infinite)}`,
    );
  }
  if (rate === 1) return loss;
  return { forward: withRow(loss.forward, rate), backward: withoutRow(loss.forward, rate) };
}

/** ln(1 − rate + rate·e^loss): increasing, bounded below by ln(1 − rate). */
function mixed(loss: number, rate: number): number {
  return loss > 30
    ? Math.log(rate) + loss + Math.log1p(((1 - rate) / rate) * Math.exp(-loss))
    : Math.log1p(rate * Math.expm1(loss));
}

/** The loss whose mixture is `value`; −∞ when every loss's mixture is above it. */
function unmixed(value: number, rate: number): number {
  const excess = Math.expm1(value) / rate;
  if (excess <= -1) return -Infinity;
  return excess === Infinity ? value - Math.log(rate) : Math.log1p(excess);
}

function mixedMass({ p, q }: PairMass, rate: number): PairMass {
  return { p: (1 - rate) * q + rate * p, q };
}

function withRow(law: LossLaw, rate: number): LossLaw {
  // Of a mixed loss, which is as large as the loss and ln(rate) at most: sums of these are rounded.
  const largest = law.atoms.reduce((most, { loss }) => Math.max(most, Math.abs(loss)), 0) -
    Math.log(rate);
  const { intervalMass, intervalDifference } = law;
  return {
    atoms: law.atoms.map((atom) => ({
      loss: mixed(atom.loss, rate),
      ...mixedMass(atom, rate),
    })),
    ...(intervalMass && {
      intervalMass: (from: number, to: number) =>
        mixedMass(intervalMass(unmixed(from, rate), unmixed(to, rate)), rate),
    }),
    ...(intervalDifference && {
      intervalDifference(from: number, to: number): IntervalDifference | undefined {
        // The difference of two mixed e^loss is the rate times what it is unmixed.
        const low = unmixed(from, rate), high = unmixed(to, rate);
        const whole = low > -Infinity ? intervalDifference(low, high) : undefined;
        return whole && {
          rise: rate * whole.rise,
          fall: rate * Math.exp(high - to) * whole.fall,
        };
      },
    }),
    infinite: 0,
    // No mixed loss is below it. What the law leaves out below its lowest loss would count as infinite the other way round.
    lowest: intervalMass === undefined ? mixed(law.lowest, rate) : Math.log1p(-rate),
    highest: mixed(law.highest, rate),
    deviation: mixedDeviation(law, rate),
    relativeError: law.relativeError + 1e-14 +
      (law.atoms.length > 0 ? 2 * Number.EPSILON * largest : 0),
  };
}

function withoutRow(law: LossLaw, rate: number): LossLaw {
  const forward = withRow(law, rate);
  const { intervalMass, intervalDifference } = forward;
  return {
    ...forward,
    atoms: forward.atoms.map(({ loss, p, q }) => ({ loss: -loss, p: q, q: p })),
    ...(intervalMass && {
      intervalMass: (from: number, to: number) => {
        const { p, q } = intervalMass(-to, -from);
        return { p: q, q: p };
      },
    }),
    ...(intervalDifference && {
      intervalDifference(from: number, to: number): IntervalDifference | undefined {
        const whole = intervalDifference(-to, -from);
        return whole && { rise: whole.fall, fall: whole.rise };
      },
    }),
    lowest: -forward.highest,
    highest: -forward.lowest,
  };
}

/** The mixture's loss is nearly linear in a small loss, and never spreads wider than the loss. */
function mixedDeviation(law: LossLaw, rate: number): number {
  return Math.min(law.deviation, rate * Math.expm1(Math.min(law.deviation, 30)));
}
