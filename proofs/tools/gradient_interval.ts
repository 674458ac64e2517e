import {
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  risingInterval,
} from "../../lib/judge/exact/interval.ts";
import { fallingInterval, squareInterval } from "./intervals.ts";

/**
 * The values of a function on a box and all its slopes there: forward differentiation in interval
 * arithmetic (Moore, Kearfott, Cloud 2009, chapter 6). Where a function has a kink, the slopes enclose
 * those on either side, which is what the mean value form needs.
 */
export interface GradientInterval extends Interval {
  /** Encloses the partial derivatives, one for each side of the box. */
  readonly gradient: readonly Interval[];
}

/** The coordinates of a box as functions on it. */
export function coordinates(box: readonly Interval[]): GradientInterval[] {
  return box.map((side, i) => ({
    ...side,
    gradient: box.map((_, j) => interval(i === j ? 1 : 0)),
  }));
}

/** The sum of functions. */
export function sum(...terms: readonly GradientInterval[]): GradientInterval {
  return terms.reduce((a, b) => ({
    ...addIntervals(a, b),
    gradient: a.gradient.map((slope, j) => addIntervals(slope, b.gradient[j]!)),
  }));
}

/** scale·a + shift. */
export function affine(
  a: GradientInterval,
  { scale = 1, shift = 0 }: { readonly scale?: number; readonly shift?: number },
): GradientInterval {
  const by = interval(scale);
  return chain(a, {
    value: (x) => addIntervals(multiplyIntervals(by, x), interval(shift)),
    slope: () => by,
  });
}

/** The product of functions. */
export function product(...factors: readonly GradientInterval[]): GradientInterval {
  return factors.reduce((a, b) => ({
    ...multiplyIntervals(a, b),
    gradient: a.gradient.map((slope, j) =>
      addIntervals(multiplyIntervals(slope, b), multiplyIntervals(a, b.gradient[j]!))
    ),
  }));
}

/** The square, which is never negative. */
export function square(a: GradientInterval): GradientInterval {
  return chain(a, { value: squareInterval, slope: (x) => multiplyIntervals(interval(2), x) });
}

/** 1/a. @throws {RangeError} unless `a` is positive on all of the box. */
export function reciprocal(a: GradientInterval): GradientInterval {
  if (!(a.lower > 0)) {
    throw new RangeError(
      `Cannot divide intervals: the divisor must be positive: its lower end is ${a.lower}`,
    );
  }
  return chain(a, {
    value: (x) => fallingInterval(x, (y) => 1 / y),
    slope: (x) => risingInterval(x, (y) => -1 / (y * y)),
  });
}

/** ln(1 + a). @throws {RangeError} unless `a` is above −1 on all of the box. */
export function logOnePlus(a: GradientInterval): GradientInterval {
  if (!(a.lower > -1)) {
    throw new RangeError(
      `Cannot take a logarithm of intervals: 1 + a must be positive: a's lower end is ${a.lower}`,
    );
  }
  return chain(a, {
    value: (x) => risingInterval(x, Math.log1p),
    slope: (x) => fallingInterval(x, (y) => 1 / (1 + y)),
  });
}

/** √a of values that are never negative: what rounding puts below 0 counts as 0. */
export function squareRoot(a: GradientInterval): GradientInterval {
  const root = (x: number): number => Math.sqrt(Math.max(0, x));
  return chain(a, {
    value: (x) => {
      const { lower, upper } = risingInterval(x, root);
      return { lower: Math.max(0, lower), upper };
    },
    slope: (x) => fallingInterval(x, (y) => 1 / (2 * root(y))),
  });
}

/** A function of one variable after `a`, from enclosures of its values and of its slopes. */
export function chain(
  a: GradientInterval,
  { value, slope }: {
    readonly value: (x: Interval) => Interval;
    readonly slope: (x: Interval) => Interval;
  },
): GradientInterval {
  const by = slope(a);
  return { ...value(a), gradient: a.gradient.map((each) => multiplyIntervals(by, each)) };
}
