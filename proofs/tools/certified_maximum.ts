import { requireInteger, requirePositive } from "../../lib/core/numeric/require.ts";
import type { GradientInterval } from "./gradient_interval.ts";
import {
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  subtractIntervals,
} from "../../lib/judge/exact/interval.ts";

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
 * are halved. With `enclose` in interval arithmetic, the result is a proof.
 *
 * Where enclosures come with slopes (`GradientInterval`), a box on which a slope has one sign is
 * replaced by the face on which the function is largest, and the mean value form f(c) + f′(box)·(x − c)
 * bounds it as well: that is what makes two and three dimensions feasible.
 *
 * @param options `enclose` returns an interval that holds all values on a box; on a point, a narrow one.
 * @throws {RangeError} unless gap is positive and there is at least one side.
 *
 * @example
 * ```ts
 * import { certifiedMaximum } from "./certified_maximum.ts";
 * import { affine, coordinates, product } from "./gradient_interval.ts";
 * import { interval } from "../../lib/judge/exact/interval.ts";
 * certifiedMaximum({
 *   box: [interval(0, 1), interval(0, 1)],
 *   enclose: (box) => {
 *     const [x, y] = coordinates(box);
 *     return product(x!, affine(x!, { scale: -1, shift: 1 }), y!);
 *   },
 *   gap: 1e-3,
 * }).lower; // x(1 − x)y is largest at (1/2, 1): 0.25
 * ```
 */
export function certifiedMaximum(
  { box, enclose, gap, most = 1_000_000 }: {
    readonly box: readonly Interval[];
    readonly enclose: (box: readonly Interval[]) => Interval | GradientInterval;
    /** How far apart the two bounds may stay. */
    readonly gap: number;
    /** Most boxes looked at. */
    readonly most?: number;
  },
): CertifiedMaximum {
  requirePositive("enclose a maximum", "gap", gap);
  requireInteger("enclose a maximum", "the number of sides", box.length, { min: 1 });
  const widths = box.map(({ lower, upper }) => upper - lower);
  const stack: (readonly Interval[])[] = [box];
  let lower = -Infinity, upper = -Infinity, at: readonly number[] = [], boxes = 0;
  while (stack.length > 0) {
    if (boxes === most) return { lower, upper: Infinity, at, complete: false, boxes };
    boxes++;
    const here = stack.pop()!;
    const middle = here.map((side) => (side.lower + side.upper) / 2);
    const value = enclose(middle.map((x) => interval(x)));
    if (value.lower > lower) [lower, at] = [value.lower, middle];
    const over = enclose(here);
    const bound = "gradient" in over
      ? Math.min(over.upper, meanValueBound(over, { value, here, middle }))
      : over.upper;
    if (bound <= lower + gap) {
      upper = Math.max(upper, bound);
      continue;
    }
    const face = "gradient" in over ? highestFace(here, over) : here;
    if (face !== here) stack.push(face);
    else stack.push(...halves(here, { widths, middle, over }));
  }
  return { lower, upper, at, complete: true, boxes };
}

/**
 * An upper bound from the value in the middle and the slopes on all of the box. Slopes that are no numbers give none:
 * no comparison with it holds.
 */
function meanValueBound(
  { gradient }: GradientInterval,
  { value, here, middle }: {
    readonly value: Interval;
    readonly here: readonly Interval[];
    readonly middle: readonly number[];
  },
): number {
  return gradient.reduce(
    (bound, slope, j) =>
      addIntervals(
        bound,
        multiplyIntervals(slope, subtractIntervals(here[j]!, interval(middle[j]!))),
      ),
    value,
  ).upper;
}

/** The face on which the function is largest, where slopes have one sign; else the box itself. */
function highestFace(
  here: readonly Interval[],
  { gradient }: GradientInterval,
): readonly Interval[] {
  return gradient.reduce((face, slope, j) => {
    const { lower, upper } = here[j]!;
    if (lower === upper) return face;
    if (slope.lower >= 0) return face.with(j, interval(upper));
    return slope.upper <= 0 ? face.with(j, interval(lower)) : face;
  }, here);
}

/** The box halved along the side that is longest, or along which the function may change most. */
function halves(
  here: readonly Interval[],
  { widths, middle, over }: {
    readonly widths: readonly number[];
    readonly middle: readonly number[];
    readonly over: Interval | GradientInterval;
  },
): (readonly Interval[])[] {
  const extent = here.map(({ lower, upper }, j) => {
    if (lower === upper) return 0;
    const slope = "gradient" in over ? over.gradient[j]! : undefined;
    const most = slope ? Math.max(-slope.lower, slope.upper) : Infinity;
    return (upper - lower) * (most < Infinity ? most : 1 / widths[j]!);
  });
  const j = extent.indexOf(Math.max(...extent)), cut = middle[j]!;
  return [
    here.with(j, interval(here[j]!.lower, cut)),
    here.with(j, interval(cut, here[j]!.upper)),
  ];
}
