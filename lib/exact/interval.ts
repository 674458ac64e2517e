import { nextDown, nextUp } from "../numeric/round_outward.ts";

/** All reals from `lower` to `upper`. Every function here encloses the true result, rounding and all. */
export interface Interval {
  /** The lower end. */
  readonly lower: number;
  /** The upper end. */
  readonly upper: number;
}

/** The interval from `lower` to `upper`. @throws {RangeError} when they are not in order. */
export function interval(lower: number, upper: number = lower): Interval {
  if (!(lower <= upper)) {
    throw new RangeError(
      `Cannot make an interval: lower must be at most upper: current values are ${lower} and ${upper}`,
    );
  }
  return { lower, upper };
}

/** One ulp of each end: enough for a correctly rounded operation. */
function rounded(lower: number, upper: number): Interval {
  return { lower: nextDown(lower), upper: nextUp(upper) };
}

/** Elementary functions are within two units in the last place in every engine: four are allowed. */
function elementary(lower: number, upper: number): Interval {
  const slack = 4 * 2 ** -52;
  return rounded(lower - Math.abs(lower) * slack, upper + Math.abs(upper) * slack);
}

/** The sum. */
export function addIntervals(a: Interval, b: Interval): Interval {
  return rounded(a.lower + b.lower, a.upper + b.upper);
}

/** `a − b`. */
export function subtractIntervals(a: Interval, b: Interval): Interval {
  return rounded(a.lower - b.upper, a.upper - b.lower);
}

/** The product. */
export function multiplyIntervals(a: Interval, b: Interval): Interval {
  const corners = [a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper];
  return rounded(Math.min(...corners), Math.max(...corners));
}

/** The square, which is never negative. */
export function squareInterval(a: Interval): Interval {
  const { lower, upper } = absoluteInterval(a);
  return { lower: Math.max(0, nextDown(lower * lower)), upper: nextUp(upper * upper) };
}

/** The absolute value. */
export function absoluteInterval({ lower, upper }: Interval): Interval {
  if (lower >= 0) return { lower, upper };
  if (upper <= 0) return { lower: -upper, upper: -lower };
  return { lower: 0, upper: Math.max(-lower, upper) };
}

/** A function that never falls, computed as the platform's elementary functions are. */
export function risingInterval(a: Interval, of: (x: number) => number): Interval {
  return elementary(of(a.lower), of(a.upper));
}
