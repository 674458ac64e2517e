import type { LinearQuery } from "./linear_query.ts";
import { scaleTo } from "./scale_to.ts";

/**
 * One step of multiplicative weights for a linear query: every cell is multiplied by
 * e^(exponent·weight), then all are scaled to `size` in sum. In place.
 */
export function reweightLinear(
  histogram: Float64Array,
  { query: { weights }, exponent, size }: { query: LinearQuery; exponent: number; size: number },
): void {
  for (let cell = 0; cell < histogram.length; cell++) {
    histogram[cell] = histogram[cell]! * Math.exp(exponent * weights[cell]!);
  }
  scaleTo(size, histogram);
}
