import {
  type Interval,
  multiplyIntervals,
  risingInterval,
} from "../../lib/judge/exact/interval.ts";

/** The square, which is never negative. */
export function squareInterval(a: Interval): Interval {
  const absolute = absoluteInterval(a);
  const { lower, upper } = multiplyIntervals(absolute, absolute);
  return { lower: Math.max(0, lower), upper };
}

/** The absolute value. */
export function absoluteInterval({ lower, upper }: Interval): Interval {
  return { lower: Math.max(0, lower, -upper), upper: Math.max(-lower, upper) };
}

/** A function that never rises, computed as the platform's elementary functions are. */
export function fallingInterval({ lower, upper }: Interval, of: (x: number) => number): Interval {
  return risingInterval({ lower: -upper, upper: -lower }, (x) => of(-x));
}
