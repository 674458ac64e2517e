import { requireInteger, requireNonNegative, requirePositive } from "../numeric/require.ts";
import { type Bounds, composedDelta } from "./composed_delta.ts";
import { optimisticGrid, pessimisticGrid } from "./loss_grid.ts";
import type { LossLaw, PrivacyLoss } from "./privacy_loss.ts";

/** A mechanism's privacy loss and how many times the mechanism runs. */
export interface LossPart {
  /** The loss of one run at its worst. */
  readonly loss: PrivacyLoss;
  /** A positive whole number of runs. */
  readonly count: number;
}

/** How finely losses are put on a grid. */
export interface GridOptions {
  /**
   * Nats between two points; chosen so that upper and lower bound are near each other when left out.
   * A smaller one brings them nearer and takes longer.
   */
  readonly spacing?: number;
}

/** Points to a standard deviation of one mechanism's loss, at least and at most. */
const FEWEST_POINTS = 64, MOST_POINTS = 256;
/** Points to all of the composed loss that matters: what a transform handles in a tenth of a second. */
const POINTS_IN_ALL = 2 ** 18;
const DEVIATIONS_IN_ALL = 24;

/**
 * Bounds on the δ for which the composition of all parts is (epsilon, δ)-differentially private, by
 * privacy loss distributions: the upper one from grids that dominate the losses, the lower one from
 * grids that they dominate, both with the floating-point error accounted for.
 *
 * The upper bound holds for adaptive composition of mechanisms fixed beforehand, each dominated by its
 * loss (Zhu, Dong, Wang 2022, Theorem 10); the lower one is what non-adaptive use of mechanisms with
 * exactly these losses gives away. Epsilon in nats.
 *
 * Sommer, Meiser, Mohammadi 2019; Koskela, Jälkö, Honkela 2020 (Fourier accountant); Doroshenko et al.
 * 2022 (dominating grids). Differences: the lower grid merges outputs, and the convolution is tilted.
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
  const curve = composition(parts, options);
  return { lower: curve.lowerAt(epsilon), upper: curve.upperAt(epsilon) };
}

/**
 * Bounds on the ε for which the composition of all parts is (ε, delta)-differentially private.
 * `upper` is certain to suffice; it is Infinity where no ε does.
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
  const curve = composition(parts, options);
  const highest = parts.reduce((sum, { loss, count }) => sum + count * reach(loss), 0) + 1;
  const upper = crossing(curve.upperAt, { delta, highest });
  const lower = crossing(curve.lowerAt, { delta, highest: upper.above });
  return { lower: lower.below, upper: upper.above };
}

function reach({ forward, backward }: PrivacyLoss): number {
  return Math.max(0, forward.highest, backward.highest);
}

/** Relative width to which a crossing is pinned. */
const EPSILON_TOLERANCE = 1e-6;

/**
 * Encloses the ε where the decreasing δ(ε) falls to `delta`: regula falsi on ln δ, which is smooth, with
 * a bisection whenever that stalls. δ(above) ≤ delta is checked, not inferred; below is 0 when even
 * δ(0) ≤ delta.
 */
function crossing(
  deltaAt: (epsilon: number) => number,
  { delta, highest }: { delta: number; highest: number },
): { below: number; above: number } {
  const heightAt = (epsilon: number): number =>
    Math.log(Math.max(deltaAt(epsilon), 1e-300)) - Math.log(delta);
  let below = 0, belowHeight = heightAt(0);
  if (belowHeight <= 0) return { below: 0, above: 0 };
  let above = Math.min(1, highest), aboveHeight = heightAt(above);
  while (aboveHeight > 0) {
    if (above >= highest) return { below: above, above: Infinity };
    [below, belowHeight] = [above, aboveHeight];
    above = Math.min(highest, 2 * above);
    aboveHeight = heightAt(above);
  }
  for (let step = 0; above - below > EPSILON_TOLERANCE * above && step < 100; step++) {
    const secant = below + ((above - below) * belowHeight) / (belowHeight - aboveHeight);
    const margin = 0.25 * EPSILON_TOLERANCE * above;
    // Every third step halves; the others step just over the root, first to one side, then the other.
    const middle = step % 3 === 2
      ? 0.5 * (below + above)
      : secant + (step % 3 === 0 ? margin : -margin);
    const epsilon = Math.min(Math.max(middle, below + margin), above - margin);
    const height = heightAt(epsilon);
    if (height > 0) [below, belowHeight] = [epsilon, height];
    else [above, aboveHeight] = [epsilon, height];
  }
  return { below, above };
}

/** Both bounds on δ as functions of ε. */
interface Curve {
  lowerAt(epsilon: number): number;
  upperAt(epsilon: number): number;
}

/** Puts every part on its grids once, in both directions unless they are the same. */
function composition(
  parts: readonly LossPart[],
  { spacing = defaultSpacing(parts) }: GridOptions,
): Curve {
  requirePositive("compose privacy losses", "spacing", spacing);
  for (const { count } of parts) {
    requireInteger("compose privacy losses", "count", count, { min: 1 });
  }
  const sides = [parts.map(({ loss, count }) => ({ law: loss.forward, count }))];
  if (parts.some(({ loss }) => loss.forward !== loss.backward)) {
    sides.push(parts.map(({ loss, count }) => ({ law: loss.backward, count })));
  }
  const directions = sides.map((laws) => directionOf(laws, spacing));
  return {
    lowerAt: (epsilon) => Math.max(...directions.map((curve) => curve.lowerAt(epsilon))),
    upperAt: (epsilon) => Math.max(...directions.map((curve) => curve.upperAt(epsilon))),
  };
}

function directionOf(laws: readonly { law: LossLaw; count: number }[], spacing: number): Curve {
  const high = laws.map(({ law, count }) => ({ grid: pessimisticGrid(law, { spacing }), count }));
  const low = laws.map(({ law, count }) => ({ grid: optimisticGrid(law, { spacing }), count }));
  // P and Q are right up to e^±error each: a factor on P, and the two together a shift of ε.
  const error = high.reduce((sum, { grid, count }) => sum + count * grid.relativeError, 0);
  return {
    upperAt(epsilon): number {
      const { upper } = composedDelta(high, { epsilon: epsilon - 2 * error });
      return Math.min(1, upper * Math.exp(error));
    },
    lowerAt: (epsilon) =>
      composedDelta(low, { epsilon: epsilon + 2 * error }).lower * Math.exp(-error),
  };
}

/**
 * A spacing that resolves the typical loss, keeps the whole composition within one transform of moderate
 * size, and has all atoms on the grid, as near as can be: one that is not loses distance to the lower
 * bound.
 */
function defaultSpacing(parts: readonly LossPart[]): number {
  const runs = parts.reduce((sum, { count }) => sum + count, 0);
  const variance = parts.reduce(
    (sum, { loss, count }) => sum + count * loss.forward.deviation ** 2,
    0,
  );
  if (!(variance > 0)) return 1;
  const whole = (DEVIATIONS_IN_ALL * Math.sqrt(variance)) / POINTS_IN_ALL;
  const one = Math.sqrt(variance / runs);
  const wanted = Math.min(one / FEWEST_POINTS, Math.max(one / MOST_POINTS, whole));
  const atoms = parts.flatMap(({ loss: { forward }, count }) =>
    forward.atoms.map(({ loss, p }) => ({ loss: Math.abs(loss), weight: count * p }))
  );
  const largest = Math.max(0, ...atoms.map(({ loss }) => loss));
  if (largest === 0) return wanted;
  const fewest = Math.ceil(largest / wanted);
  let best = largest / fewest, least = Infinity;
  for (let points = fewest; points <= 2 * fewest && least > 1e-9; points++) {
    const spacing = largest / points;
    const off = atoms.reduce((sum, { loss, weight }) => {
      const steps = loss / spacing;
      return sum + weight * Math.abs(steps - Math.round(steps));
    }, 0);
    if (off < least) [best, least] = [spacing, off];
  }
  return best;
}
