import { requireKnown } from "../../../core/text/known_options.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { adaptiveDelta, adaptiveEpsilon } from "./adaptive_bounds.ts";
import { composedMu, normalDelta, normalEpsilon } from "./normal_losses.ts";
import type { LawPower, PrivacyLoss } from "./privacy_loss.ts";

/** A mechanism's privacy loss and how many times the mechanism runs. */
export interface LossPart {
  /** The loss of one run at its worst. */
  readonly loss: PrivacyLoss;
  /** A positive whole number of runs. */
  readonly count: number;
}

/** Certain bounds on a number that was computed in floating point. */
export interface Bounds {
  /** At most the true number. */
  readonly lower: number;
  /** At least the true number. */
  readonly upper: number;
}

/**
 * Bounds on the δ for which the composition of all parts is (epsilon, δ)-differentially private, by
 * privacy loss distributions: the upper one from finitely many losses that dominate the true ones, the
 * lower one from losses that they dominate, both with the floating-point error accounted for.
 *
 * The upper bound holds for adaptive composition of mechanisms fixed beforehand, each dominated by its
 * loss (Zhu, Dong, Wang 2022, Theorem 10); the lower one is what non-adaptive use of mechanisms with
 * exactly these losses gives away. The two are within 0.1% of δ where that is above 1e-12. Epsilon in nats.
 *
 * Sommer, Meiser, Mohammadi 2019; Koskela, Jälkö, Honkela 2020 (Fourier accountant); Doroshenko et al.
 * 2022 (connecting the dots). Differences: the lower bound merges outputs, cells are as narrow as the bounds
 * need and no grid, and losses are composed by a contour integral.
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
  options: { epsilon: number },
): Bounds {
  requireKind("deltaBounds", "parts", parts, "list");
  const { epsilon } = requireFields("deltaBounds", options, {});
  requireKnown("call deltaBounds()", options, ["epsilon"]);
  requireNonNegative("bound delta", "epsilon", epsilon);
  const directions = directionsOf(parts), mu = normalMu(directions);
  if (mu !== undefined) return normalDelta(mu, epsilon);
  const { lower, upper } = adaptiveDelta(directions, { epsilon });
  return { lower, upper };
}

/**
 * Bounds on the ε for which the composition of all parts is (ε, delta)-differentially private.
 * `upper` is certain to suffice; both are Infinity where no ε does. The bounds are
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
  options: { delta: number },
): Bounds {
  requireKind("epsilonBounds", "parts", parts, "list");
  const { delta } = requireFields("epsilonBounds", options, {});
  requireKnown("call epsilonBounds()", options, ["delta"]);
  requirePositive("bound epsilon", "delta", delta);
  if (delta >= 1) {
    throw new RangeError(`Cannot bound epsilon: delta must be below 1: current value is ${delta}`);
  }
  const directions = directionsOf(parts), mu = normalMu(directions);
  if (mu !== undefined) return normalEpsilon(mu, delta);
  const { lower, upper } = adaptiveEpsilon(directions, { delta });
  return { lower, upper };
}

/** The μ of a composition of Gaussian losses alone, which are the same in both directions. */
function normalMu(directions: readonly (readonly LawPower[])[]): number | undefined {
  return directions.length === 1 ? composedMu(directions[0]!) : undefined;
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
