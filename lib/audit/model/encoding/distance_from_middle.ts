import type { Feature } from "./features.ts";
import type { LabelledRows } from "./labelled_rows.ts";

/**
 * How far the first number of a row lies from the median of all. Where the scale of noise depends on the data, both tails say the
 * same, and one threshold separates them from the middle. The median does not depend on labels.
 */
export function distanceFromMiddle({ rows, labels, width }: LabelledRows): Feature {
  const numbers = Float64Array.from(labels, (_, i) => rows[i * width]!).filter((x) => x === x);
  const median = numbers.sort()[numbers.length >> 1] ?? 0;
  return { kind: "distance", index: 0, value: median, name: "distance(output)" };
}
