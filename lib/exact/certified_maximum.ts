import { requireInteger, requirePositive } from "../numeric/require.ts";
import { type Interval, interval } from "./interval.ts";

/** A maximum enclosed from both sides. */
export interface CertifiedMaximum {
  /** The function reaches at least this, at `at`. */
  readonly lower: number;
  /** It exceeds this nowhere in the box: proved when `complete`. */
  readonly upper: number;
  /** A point at which it reaches `lower`. */
  readonly at: readonly number[];
  /** False when the boxes ran out: then `upper` is Infinity. */
  readonly complete: boolean;
  /** How many boxes were looked at. */
  readonly boxes: number;
}

/**
 * Encloses the largest value of a function on a box, by branch and bound (Moore, Kearfott, Cloud 2009,
 * chapter 10): boxes whose enclosure is at most `gap` above the best value seen are dropped, others
 * are halved along their longest side. With `enclose` in interval arithmetic, the result is a proof.
 *
 * @param options `enclose` returns an interval that holds all values on a box; on a point, a narrow one.
 * @throws {RangeError} unless gap is positive and there is at least one side.
 *
 * @example
 * ```ts
 * import { certifiedMaximum } from "./certified_maximum.ts";
 * import { interval, multiplyIntervals, subtractIntervals } from "./interval.ts";
 * certifiedMaximum({
 *   box: [interval(0, 1)],
 *   enclose: ([x]) => multiplyIntervals(x!, subtractIntervals(interval(1), x!)),
 *   gap: 1e-3,
 * }).lower; // 0.25
 * ```
 */
export function certifiedMaximum(
  { box, enclose, gap, most = 1_000_000 }: {
    readonly box: readonly Interval[];
    readonly enclose: (box: readonly Interval[]) => Interval;
    /** How far apart the two bounds may stay. */
    readonly gap: number;
    /** Most boxes looked at. */
    readonly most?: number;
  },
): CertifiedMaximum {
  requirePositive("enclose a maximum", "gap", gap);
  requireInteger("enclose a maximum", "the number of sides", box.length, { min: 1 });
  const width = box.map(({ lower, upper }) => Math.max(upper - lower, Number.MIN_VALUE));
  const stack: (readonly Interval[])[] = [box];
  let lower = -Infinity, at: readonly number[] = [], boxes = 0;
  while (stack.length > 0) {
    if (boxes++ >= most) return { lower, upper: Infinity, at, complete: false, boxes };
    const here = stack.pop()!;
    const middle = here.map((side) => (side.lower + side.upper) / 2);
    const value = enclose(middle.map((x) => interval(x))).lower;
    if (value > lower) [lower, at] = [value, middle];
    if (enclose(here).upper <= lower + gap) continue;
    let longest = 0;
    for (let j = 1; j < here.length; j++) {
      const length = (k: number): number => (here[k]!.upper - here[k]!.lower) / width[k]!;
      if (length(j) > length(longest)) longest = j;
    }
    const { lower: from, upper: to } = here[longest]!;
    const cut = middle[longest]!;
    stack.push(here.with(longest, interval(from, cut)), here.with(longest, interval(cut, to)));
  }
  return { lower, upper: lower + gap, at, complete: true, boxes };
}
