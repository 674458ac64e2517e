import type { PrivacyLoss } from "../loss_distribution/privacy_loss.ts";

/** Maximum number of grid points. */
const POINTS = 4096;
/** Probability that is cut off at either end. */
const RARE = 1e-30;
/** The least distance of two points, in the logarithm. */
const FINEST = 2 ** -18;
/** Nats after which a summand is as one that far away: it adds less than e^−30 of the sum. */
const FAR = 30;
const UNIT_ROUNDOFF = 2 ** -53;

/**
 * Bounds on the law under Q of a sum of independent likelihood ratios dP/dQ: two laws on the points of a logarithmic grid, from
 * which the expectation of every convex function of the sum is bounded on either side (Strassen's convex order). What was added up is between them too, for
 * the order is kept by independent sums.
 */
export interface RatioSum extends SpreadSum {
  /** The smaller law: what is about a point is merged, as probabilities. */
  readonly merged: Float64Array;
  /**
   * About each point, times probabilities: the mean of the sum first, and after it those of the sums of the products of any two ratios, of any three, and so on (elementary symmetric
   * polynomials).
   */
  readonly moments: readonly Float64Array[];
  /** Its probability of 0. */
  readonly least: number;
}

/** The larger law alone: what is between two points is split among them with its mean, and so is what is beyond them, with 0 and infinity. */
export interface SpreadSum {
  /** The mean: number of ratios, or of products of them, that are added. */
  readonly count: number;
  /** The distance of two points, in the logarithm. */
  readonly step: number;
  /** The logarithm of the first point, in steps. */
  readonly first: number;
  /** Probabilities of the points. */
  readonly spread: Float64Array;
  /** Its probability of 0. */
  readonly zero: number;
  /** Share of its mean at infinity. */
  readonly infinite: number;
  /** Every mass and mean is right up to a factor e^±`relativeError`. */
  readonly relativeError: number;
}

/**
 * The sum of `count` ratios of a loss, by doubling, and of the products of up to `most` of them. With a power below 1 points are those of sums of ratios to that power, and
 * of the smaller law and its moments alone anything is said: these are by cells of what may be any function of the ratios.
 */
export function ratioSum(loss: PrivacyLoss, count: number, most = 1, power = 1): RatioSum {
  const one = oneRatio(loss, most, power);
  let sum = one;
  for (const bit of count.toString(2).slice(1)) {
    sum = added(sum, sum);
    if (bit === "1") sum = added(sum, one);
  }
  return sum;
}

/** One ratio, by cells of its logarithm. */
export function oneRatio(
  { forward, backward }: PrivacyLoss,
  most: number,
  power = 1,
): RatioSum {
  const { atoms, intervalMass } = forward;
  // Range of the losses of P and Q.
  const lowest = power * Math.min(forward.lowest, -backward.highest);
  const highest = power * Math.max(forward.highest, -backward.lowest);
  const step = Math.max(FINEST, (highest - lowest) / (POINTS / 2)),
    first = Math.floor(lowest / step);
  const length = Math.ceil(highest / step) - first + 2, end = first + length - 1;
  const spread = new Float64Array(length), merged = new Float64Array(length);
  const moments = Array.from({ length: most }, () => new Float64Array(length));
  const points = pointsOf(first, { length, step });
  let zero = backward.infinite, infinite = forward.infinite;
  const put = (place: number, { p, q }: { p: number; q: number }): void => {
    const low = points[place]!, high = points[place + 1]!;
    const above = Math.min(q, Math.max(0, (p - q * low) / (high - low)));
    spread[place]! += q - above;
    spread[place + 1]! += above;
    merged[place]! += q;
    moments[0]![place]! += p;
  };
  for (const { loss, p, q } of atoms) put(Math.floor(power * loss / step) - first, { p, q });
  if (intervalMass !== undefined) {
    const wide = step / power;
    for (let place = 0; place + 1 < length; place++) {
      put(place, intervalMass((first + place) * wide, (first + place + 1) * wide));
    }
    const below = intervalMass(-Infinity, first * wide), above = intervalMass(end * wide, Infinity);
    const part = Math.min(below.q, below.p / points[0]!);
    spread[0]! += part;
    zero += below.q - part;
    spread[length - 1]! += above.q;
    infinite += Math.max(0, above.p - above.q * points[length - 1]!);
    for (const [place, { p, q }] of [[0, below], [length - 1, above]] as const) {
      merged[place]! += q;
      moments[0]![place]! += p;
    }
  }
  return trimmed({
    count: 1,
    step,
    first,
    spread,
    zero,
    infinite,
    merged,
    moments,
    least: backward.infinite,
    relativeError: 2 * (forward.relativeError + backward.relativeError) + 64 * UNIT_ROUNDOFF,
  });
}

/** The sum of two independent sums, on a grid as fine as its range allows. */
function added(a: RatioSum, b: RatioSum): RatioSum {
  const from = Math.max(a.first * a.step, b.first * b.step);
  const ends = [a, b].map(({ first, step, spread }) => (first + spread.length - 1) * step);
  const end = Math.max(...ends), to = end + Math.log1p(Math.exp(Math.min(...ends) - end));
  let step = Math.min(a.step, b.step);
  while ((to - from) / step < POINTS / 2 && step / 2 >= FINEST) step /= 2;
  const scaleA = a.step / step, scaleB = b.step / step; // powers of two
  const first = Math.round(from / step), length = Math.ceil(to / step) - first + 3;
  const spread = new Float64Array(length), merged = new Float64Array(length);
  const moments = a.moments.map(() => new Float64Array(length));
  const farthest = Math.ceil(FAR / step), { places, shares } = offsets(farthest, step);
  for (let i = 0; i < a.spread.length; i++) {
    const at = (a.first + i) * scaleA, wide = a.spread[i]!;
    // Of laws with few outcomes nearly all.
    if (wide === 0 && a.merged[i] === 0) continue;
    const of = [a.merged, ...a.moments].map((values) => values[i]!);
    for (let j = 0; j < b.spread.length; j++) {
      const other = (b.first + j) * scaleB, apart = Math.min(farthest, Math.abs(at - other));
      const share = shares[apart]!;
      const place = (at > other ? at : other) - first + places[apart]!;
      const both = wide * b.spread[j]!, above = both * share;
      spread[place]! += both - above;
      spread[place + 1]! += above;
      const near = share < 0.5 ? place : place + 1;
      merged[near]! += of[0]! * b.merged[j]!;
      for (let most = 0; most < moments.length; most++) {
        // Of so many ratios some are of the one sum, and the others of the other.
        let sum = of[most + 1]! * b.merged[j]!;
        for (let some = 0; some <= most; some++) sum += of[most - some]! * b.moments[some]![j]!;
        moments[most]![near]! += sum;
      }
    }
  }
  let zero = a.zero * b.zero;
  for (const [one, scale, other] of [[a, scaleA, b], [b, scaleB, a]] as const) {
    for (let i = 0; i < one.spread.length; i++) {
      const below = (one.first + i) * scale - first, place = Math.max(0, below);
      // Below the first point of the sum it is split between that and 0.
      const mass = one.spread[i]! * other.zero, share = below < 0 ? Math.exp(below * step) : 1;
      spread[place]! += mass * share;
      zero += mass * (1 - share);
      merged[place]! += one.merged[i]! * other.least;
      moments.forEach((values, most) => values[place]! += one.moments[most]![i]! * other.least);
    }
  }
  return trimmed({
    count: a.count + b.count,
    step,
    first,
    spread,
    zero,
    infinite: a.infinite + b.infinite,
    merged,
    moments,
    least: a.least * b.least,
    // No point gets more products than twice both lengths.
    relativeError: a.relativeError + b.relativeError +
      UNIT_ROUNDOFF * (64 + 8 * moments.length + 4 * (a.spread.length + b.spread.length)) +
      Math.exp(-FAR),
  });
}

/** The points that a sum of two points is between, from the larger one on, and the share of the upper one: these depend on their distance alone. */
export function offsets(most: number, step: number): { places: Int32Array; shares: Float64Array } {
  const places = new Int32Array(most + 1), shares = new Float64Array(most + 1);
  for (let apart = 0; apart <= most; apart++) {
    const smaller = Math.exp(-apart * step), place = Math.floor(Math.log1p(smaller) / step);
    places[apart] = place;
    // (1 + e^−d − e^place)/(e^(place + 1) − e^place), in which nothing cancels where the sum is hardly larger.
    const share = (smaller - Math.expm1(place * step)) / Math.exp(place * step) / Math.expm1(step);
    shares[apart] = Math.min(1, Math.max(0, share));
  }
  return { places, shares };
}

function pointsOf(
  first: number,
  { length, step }: { readonly length: number; readonly step: number },
): Float64Array {
  return Float64Array.from({ length }, (_, i) => Math.exp((first + i) * step));
}

/** Without the points at either end that hardly matter: below, under Q, and above, of the mean. */
function trimmed(sum: RatioSum): RatioSum {
  const { spread, merged, moments, first, step, count } = sum;
  const points = pointsOf(first, { length: spread.length, step });
  let start = 0, end = spread.length - 1, below = 0, beyond = 0;
  while (start < end && below + spread[start]! < RARE) below += spread[start++]!;
  while (end > start && beyond + spread[end]! * points[end]! < RARE * count) {
    beyond += spread[end]! * points[end]!;
    end--;
  }
  let { zero, infinite } = sum;
  const kept = spread.slice(start, end + 1), keptMerged = merged.slice(start, end + 1);
  const keptMoments = moments.map((values) => values.slice(start, end + 1));
  for (let i = 0; i < spread.length; i++) {
    if (i >= start && i <= end) continue;
    const place = i < start ? 0 : end - start, mass = spread[i]!;
    const share = i < start ? points[i]! / points[start]! : 1;
    kept[place]! += mass * share;
    zero += mass * (1 - share);
    if (i > end) infinite += mass * (points[i]! - points[end]!);
    keptMerged[place]! += merged[i]!;
    keptMoments.forEach((values, most) => values[place]! += moments[most]![i]!);
  }
  return {
    ...sum,
    first: first + start,
    spread: kept,
    merged: keptMerged,
    moments: keptMoments,
    zero,
    infinite,
  };
}
