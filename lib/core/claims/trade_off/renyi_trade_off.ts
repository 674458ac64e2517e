import { leastReached } from "../../numeric/least_reached.ts";
import { firstAbove } from "../../numeric/sorted_search.ts";

/** D_order(P‖Q) ≤ bound and D_order(Q‖P) ≤ bound, in nats. */
interface RenyiBound {
  /** The order, above 1. */
  readonly order: number;
  /** The largest divergence allowed. */
  readonly bound: number;
}

/** The bounds are widened by this share, far more than rounding can hide: the result stays below. */
const MARGIN = 1e-9;

/** Tangents are 0.05 apart in logit u down to u = e^−12, then wider. */
const NEAR_STEP = 0.05, NEAR_STEPS = 240, FAR_STEP = 0.5, FAR_STEPS = 44;

/** Logits of probabilities that doubles tell from 0, and from 1. */
const LEAST_LOGIT = -690, MOST_LOGIT = 32;

/**
 * The smallest Q(S) that Rényi bounds of several orders allow when P(S) = u, from below: the least q
 * for which Bernoulli(u) and Bernoulli(q) satisfy every bound both ways round. By data processing no
 * set can do worse.
 *
 * Rényi divergences are jointly quasi-convex (van Erven, Harremoës 2014, Theorem 13), so the allowed
 * points (u, q) form a convex region and its lower edge is a convex function. The result is the largest
 * of a few hundred of its tangents: never above it, and exactly convex. Each tangent is taken at a
 * point just outside the region and belongs to the level set through that point, which is larger.
 */
export function renyiTradeOff(bounds: readonly RenyiBound[]): (u: number) => number {
  const { us, qs, slopes } = supportLines(bounds);
  return (u) => {
    // Tangents of one convex function: the largest one belongs to a neighbouring point.
    const next = firstAbove(us, u);
    let value = 0;
    for (const i of [next - 1, next]) {
      const at = us[i];
      if (at !== undefined) value = Math.max(value, qs[i]! + slopes[i]! * (u - at));
    }
    return value;
  };
}

interface SupportLines {
  readonly us: Float64Array;
  readonly qs: readonly number[];
  readonly slopes: readonly number[];
}

function supportLines(bounds: readonly RenyiBound[]): SupportLines {
  const us: number[] = [], qs: number[] = [], slopes: number[] = [];
  const centre = symmetricLogit(bounds);
  for (let i = NEAR_STEPS + FAR_STEPS; i >= 0; i--) {
    const t = centre - NEAR_STEP * Math.min(i, NEAR_STEPS) - FAR_STEP * Math.max(0, i - NEAR_STEPS);
    const s = lowestLogit(bounds, t);
    if (s === undefined) continue;
    us.push(logistic(t));
    qs.push(logistic(s));
    slopes.push(slopeAt(bounds, t, s));
  }
  // The mirror image under (u, q) → (1 − q, 1 − u), moved right by more than 1 − q is rounded.
  for (const [i, q] of [...qs.entries()].reverse()) {
    us.push(1 - q + Number.EPSILON);
    qs.push(1 - us[i]!);
    slopes.push(1 / slopes[i]!);
  }
  return { us: Float64Array.from(us), qs, slopes };
}

function logistic(t: number): number {
  return 1 / (1 + Math.exp(-t));
}

/** For t ≥ −690: the exponential does not overflow. */
function logLogistic(t: number): number {
  return -Math.log1p(Math.exp(-t));
}

/** (order − 1)·D_order(Bernoulli(logistic(t)) ‖ Bernoulli(logistic(s))). */
function scaledDivergence(order: number, t: number, s: number): number {
  const a = order * logLogistic(t) + (1 - order) * logLogistic(s);
  const b = order * logLogistic(-t) + (1 - order) * logLogistic(-s);
  const larger = Math.max(a, b);
  return larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
}

/**
 * The order of the first bound that D(Bernoulli(u) ‖ Bernoulli(q)) breaks at u = logistic(t), q = logistic(s).
 * Asked only where q ≤ u ≤ 1 − q: there the divergence the other way round is never larger.
 */
function broken(bounds: readonly RenyiBound[], t: number, s: number): number | undefined {
  for (const { order, bound } of bounds) {
    if (scaledDivergence(order, t, s) > (order - 1) * bound * (1 + MARGIN)) return order;
  }
  return undefined;
}

/** The logit of the u that is allowed only just not with q = 1 − u. */
function symmetricLogit(bounds: readonly RenyiBound[]): number {
  const isBroken = (t: number): boolean => broken(bounds, t, -t) !== undefined;
  return leastReached(isBroken, { most: MOST_LOGIT }) ?? MOST_LOGIT;
}

/** The logit of the largest q below u that breaks a bound: within rounding of the least allowed one. */
function lowestLogit(bounds: readonly RenyiBound[], t: number): number | undefined {
  const isBroken = (gap: number): boolean => broken(bounds, t, t - gap) !== undefined;
  const gap = leastReached(isBroken, { most: t - LEAST_LOGIT });
  return gap === undefined ? undefined : t - gap;
}

/** dq/du along the level set of the broken bound, by implicit differentiation. */
function slopeAt(bounds: readonly RenyiBound[], t: number, s: number): number {
  const order = broken(bounds, t, s)!;
  const inside = Math.exp(logLogistic(t) - logLogistic(s)); // u / q
  const outside = Math.exp(logLogistic(-t) - logLogistic(-s)); // (1 − u) / (1 − q)
  const ratio = Math.exp((order - 1) * Math.log(outside / inside));
  return (order * (1 - ratio)) / ((order - 1) * (inside - ratio * outside));
}
