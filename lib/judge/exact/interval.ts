/** All reals from `lower` to `upper`. Every function here encloses the true result, rounding and all. */
export interface Interval {
  /** The lower end. */
  readonly lower: number;
  /** The upper end. */
  readonly upper: number;
}

/** Returns the interval from `lower` to `upper`. @throws {RangeError} when they are not in order. */
export function interval(lower: number, upper: number = lower): Interval {
  if (!(lower <= upper)) {
    throw new RangeError(
      `Cannot make an interval: lower must be at most upper: current values are ${lower} and ${upper}`,
    );
  }
  return { lower, upper };
}

/**
 * Returns the next double above `value`, or the one after it: enough for a correctly rounded operation. What is −∞ may
 * be a finite number that overflowed.
 */
function above(value: number): number {
  return value === -Infinity
    ? -Number.MAX_VALUE
    : value + (Math.abs(value) * 2 ** -52 + Number.MIN_VALUE);
}

/** Returns both ends moved outward by an ulp at least. */
function rounded(lower: number, upper: number): Interval {
  return { lower: -above(-lower), upper: above(upper) };
}

/** Returns the product of ends: 0 times an end at infinity is 0, for all that lies between is finite. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Encloses the result of an elementary function. They are within two units in the last place in every engine: four are allowed. */
function elementary(lower: number, upper: number): Interval {
  const roundingMargin = (value: number): number =>
    Math.abs(value) < Infinity ? Math.abs(value) * 4 * 2 ** -52 : 0;
  return rounded(lower - roundingMargin(lower), upper + roundingMargin(upper));
}

/** Returns the sum. */
export function addIntervals(a: Interval, b: Interval): Interval {
  return rounded(a.lower + b.lower, a.upper + b.upper);
}

/** Returns `a − b`. */
export function subtractIntervals(a: Interval, b: Interval): Interval {
  return rounded(a.lower - b.upper, a.upper - b.lower);
}

/** Returns the product. */
export function multiplyIntervals(a: Interval, b: Interval): Interval {
  const p = times(a.lower, b.lower), q = times(a.lower, b.upper);
  const r = times(a.upper, b.lower), s = times(a.upper, b.upper);
  return rounded(Math.min(p, q, r, s), Math.max(p, q, r, s));
}

/** Returns a function that never falls, computed as the platform's elementary functions are. */
export function risingInterval(a: Interval, of: (x: number) => number): Interval {
  return elementary(of(a.lower), of(a.upper));
}
