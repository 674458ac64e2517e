import { requireInteger, requireNonNegative, requirePositive } from "../numeric/require.ts";
import { adaptiveDelta, adaptiveEpsilon } from "./adaptive_bounds.ts";
import type { DeltaCurve } from "./delta_curve.ts";
import type { Bounds } from "./composed_delta.ts";
import { crossing } from "./delta_crossing.ts";
import { gridCurve, gridSpacing, suitsGrid } from "./grid_curve.ts";
import type { LawPower, PrivacyLoss } from "./privacy_loss.ts";

/** A mechanism's privacy loss and how many times the mechanism runs. */
export interface LossPart {
  /** The loss of one run at its worst. */
  readonly loss: PrivacyLoss;
  /** A positive whole number of runs. */
  readonly count: number;
}

/** How losses are composed. */
export interface GridOptions {
  /**
   * Nats between two points of a grid on which the losses are put. When left out, laws that are exact on a
   * grid are put on one, and all others are cut into cells as narrow as the bounds need.
   */
  readonly spacing?: number;
}

/**
 * Bounds on the δ for which the composition of all parts is (epsilon, δ)-differentially private, by
 * privacy loss distributions: the upper one from finitely many losses that dominate the true ones, the
 * lower one from losses that they dominate, both with the floating-point error accounted for.
 *
 * The upper bound holds for adaptive composition of mechanisms fixed beforehand, each dominated by its
 * loss (Zhu, Dong, Wang 2022, Theorem 10); the lower one is what non-adaptive use of mechanisms with
 * exactly these losses gives away. Epsilon in nats.
 *
 * Sommer, Meiser, Mohammadi 2019; Koskela, Jälkö, Honkela 2020 (Fourier accountant); Doroshenko et al.
 * 2022 (dominating grids). Differences: the lower bound merges outputs, the convolution is tilted, and
 * laws without atoms are composed by a contour integral over cells of unequal width.
 *
 * @throws {RangeError} when ε is negative or a count is not a positive integer.
 *
 * @example
 * ```ts
 * import { laplaceLoss } from "./privacy_loss.ts";
 * import { deltaBounds } from "./privacy_loss_distribution.ts";
 * const { lower, upper } = deltaBounds(
 *   [{ loss: laplaceLoss({ epsilon: 0.01 }), count: 10_000 }],
 *   { epsilon: 5 },
 * );
 * ```
 */
export function deltaBounds(
  parts: readonly LossPart[],
  { epsilon, ...options }: { epsilon: number } & GridOptions,
): Bounds {
  requireNonNegative("bound delta", "epsilon", epsilon);
  const directions = directionsOf(parts);
  const curve = onGrids(directions, options);
  const { lower, upper } = curve === undefined
    ? adaptiveDelta(directions, { epsilon })
    : { lower: curve.lowerAt(epsilon), upper: curve.upperAt(epsilon) };
  return { lower, upper };
}

/**
 * Bounds on the ε for which the composition of all parts is (ε, delta)-differentially private.
 * `upper` is certain to suffice; it is Infinity where no ε does. For sampled Gaussian noise the bounds are
 * within 0.01% of ε, or what changes δ by about 0.01% where that is more, for a million runs as for one.
 *
 * @throws {RangeError} unless delta is in (0, 1) and the counts are positive integers.
 *
 * @example
 * ```ts
 * import { gaussianLoss } from "./privacy_loss.ts";
 * import { epsilonBounds } from "./privacy_loss_distribution.ts";
 * const { upper } = epsilonBounds([{ loss: gaussianLoss({ mu: 1 }), count: 10 }], { delta: 1e-6 });
 * ```
 */
export function epsilonBounds(
  parts: readonly LossPart[],
  { delta, ...options }: { delta: number } & GridOptions,
): Bounds {
  requirePositive("bound epsilon", "delta", delta);
  if (delta >= 1) {
    throw new RangeError(`Cannot bound epsilon: delta must be below 1: current value is ${delta}`);
  }
  const directions = directionsOf(parts);
  const curve = onGrids(directions, options);
  if (curve === undefined) {
    const { lower, upper } = adaptiveEpsilon(directions, { delta });
    return { lower, upper };
  }
  const highest = parts.reduce((sum, { loss, count }) => sum + count * reach(loss), 0) + 1;
  const upper = crossing(curve.upperAt, { delta, highest });
  const lower = crossing(curve.lowerAt, { delta, highest: upper.above });
  return { lower: lower.below, upper: upper.above };
}

function reach({ forward, backward }: PrivacyLoss): number {
  return Math.max(0, forward.highest, backward.highest);
}

/** The laws of every part, in both directions unless they are the same. */
function directionsOf(parts: readonly LossPart[]): LawPower[][] {
  for (const { count } of parts) {
    requireInteger("compose privacy losses", "count", count, { min: 1 });
  }
  const sides = [parts.map(({ loss, count }) => ({ law: loss.forward, count }))];
  if (parts.some(({ loss }) => loss.forward !== loss.backward)) {
    sides.push(parts.map(({ loss, count }) => ({ law: loss.backward, count })));
  }
  return sides;
}

/** Both bounds by grids where those are exact on the losses or asked for, and nothing otherwise. */
function onGrids(
  directions: readonly (readonly LawPower[])[],
  { spacing }: GridOptions,
): DeltaCurve | undefined {
  if (spacing !== undefined) requirePositive("compose privacy losses", "spacing", spacing);
  else if (directions.some((laws) => laws.length > 0 && !suitsGrid(laws))) return undefined;
  const points = spacing ?? gridSpacing(directions[0]!);
  const curves = directions.map((laws) => gridCurve(laws, { spacing: points }));
  return {
    lowerAt: (epsilon) => Math.max(...curves.map((curve) => curve.lowerAt(epsilon))),
    upperAt: (epsilon) => Math.max(...curves.map((curve) => curve.upperAt(epsilon))),
  };
}
