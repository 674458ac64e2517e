import { type Rational, toNumber } from "../../../core/numeric/rational.ts";
import { type Interval, risingInterval } from "../interval.ts";

/** The share of a fraction by which the double near it is off, at most: a few units in the last place. */
const OFF = 2 ** -49;

/** Doubles around a fraction. */
export function enclosed(value: Rational): Interval {
  const near = toNumber(value), roundingMargin = Math.abs(near) * OFF + Number.MIN_VALUE;
  return { lower: near - roundingMargin, upper: near + roundingMargin };
}

/** Doubles around e^value, at least 0. */
export function exponential(value: Rational): Interval {
  const { lower, upper } = risingInterval(enclosed(value), Math.exp);
  return { lower: Math.max(0, lower), upper };
}
