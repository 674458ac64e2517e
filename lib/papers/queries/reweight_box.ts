import type { BoxQuery } from "./box_query.ts";
import type { FiniteDomain } from "./finite_domain.ts";
import { scaleTo } from "./scale_to.ts";

/**
 * One step of multiplicative weights for a counting query: cells in the box are multiplied by `factor`,
 * then all are scaled to `size` in sum. In place.
 */
export function reweightBox(
  histogram: Float64Array,
  { domain: { shape }, query: { lower, upper }, factor, size }: {
    domain: FiniteDomain;
    query: BoxQuery;
    factor: number;
    size: number;
  },
): void {
  const last = shape.length - 1, run = upper[last]! - lower[last]! + 1;
  const codes = lower.slice();
  for (let attribute = 0; attribute >= 0;) {
    let from = 0;
    for (let i = 0; i <= last; i++) from = from * shape[i]! + codes[i]!;
    for (let i = from; i < from + run; i++) histogram[i] = histogram[i]! * factor;
    // The next run: count up in the attributes before the last.
    for (attribute = last - 1; attribute >= 0 && codes[attribute] === upper[attribute];) {
      codes[attribute] = lower[attribute]!;
      attribute--;
    }
    if (attribute >= 0) codes[attribute]!++;
  }
  scaleTo(size, histogram);
}
