import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import type {
  IntervalDifference,
  LossLaw,
  PairMass,
  PrivacyLoss,
} from "../loss_distribution/privacy_loss.ts";
import { poissonSubsampledLoss } from "./subsampled_loss.ts";

/**
 * The loss when the mechanism is run on m of n rows, drawn without replacement, for replace-one neighbours: rate is m/n. `loss` is that of the mechanism's own worst pair where one of the m rows is replaced, the same
 * both ways; for a sum of vectors of norm at most 1 with Gaussian noise that is μ = 2/σ.
 *
 * For ε ≥ 0, δ is at most that of (1 − rate)·Q + rate·P against Q (Balle, Barthe, Gaboardi 2018, Theorem 2: samples with the row lie beside those where another row takes its place, and beside those without it; Zhu,
 * Dong, Wang 2022). For ε below 0 it follows from that, since neighbours are neighbours both ways. Bounds on either side of 0 by different pairs cannot be composed (Lebeda, Regehr, Kamath, Steinke 2025). So this is the loss
 * of one pair that has both: above 0 as that of the mixture, below 0 its mirror image, and 0 with what is left. Upper bounds hold for compositions; lower ones are about this pair, which a mechanism need not have.
 *
 * @throws {RangeError} unless rate is in (0, 1], the loss is the same both ways and the pair never gives a row away outright.
 *
 * @example
 * ```ts
 * import { epsilonBounds, gaussianLoss, subsetSampledLoss } from "@dpcheck/dpcheck/accounting";
 * const loss = subsetSampledLoss(gaussianLoss({ mu: 2 / 4 }), { rate: 0.01 });
 * epsilonBounds([{ loss, count: 1000 }], { delta: 1e-5 }).upper; // 0.72
 * ```
 */
export function subsetSampledLoss(loss: PrivacyLoss, options: { rate: number }): PrivacyLoss {
  requireKind("subsetSampledLoss", "loss", loss, "record");
  const { rate } = requireFields("subsetSampledLoss", options, {});
  requireKnown("call subsetSampledLoss()", options, ["rate"]);
  const { forward: mixed } = poissonSubsampledLoss(loss, { rate });
  if (loss.forward !== loss.backward) {
    throw new RangeError(
      "Cannot subsample a privacy loss: it must be the same both ways: current one is not",
    );
  }
  if (rate === 1) return loss;
  const law = mirrored(mixed);
  return { forward: law, backward: law };
}

/** The part of a law above 0, its mirror image below, and what is left at 0. */
function mirrored(law: LossLaw): LossLaw {
  const { intervalMass, intervalDifference } = law;
  const above = law.atoms.filter(({ loss }) => loss > 0);
  const rest = intervalMass?.(0, Infinity) ?? { p: 0, q: 0 };
  const left = 1 - [...above, rest].reduce((sum, { p, q }) => sum + p + q, 0);
  return {
    atoms: [
      ...above.map(({ loss, p, q }) => ({ loss: -loss, p: q, q: p })),
      { loss: 0, p: left, q: left },
      ...above,
    ],
    ...(intervalMass && {
      intervalMass(from: number, to: number): PairMass {
        const up = to > 0 ? intervalMass(Math.max(from, 0), to) : { p: 0, q: 0 };
        const down = from < 0 ? intervalMass(Math.max(-to, 0), -from) : { p: 0, q: 0 };
        return { p: up.p + down.q, q: up.q + down.p };
      },
    }),
    ...(intervalDifference && {
      intervalDifference(from: number, to: number): IntervalDifference | undefined {
        if (from >= 0) return intervalDifference(from, to);
        const found = to <= 0 ? intervalDifference(-to, -from) : undefined;
        return found && { rise: found.fall, fall: found.rise };
      },
    }),
    infinite: 0,
    lowest: -Math.max(0, law.highest),
    highest: Math.max(0, law.highest),
    deviation: law.deviation,
    // The remainder is a difference, which magnifies the relative error.
    relativeError: law.relativeError * (1 + 4 / left),
  };
}
