/** The best split so far; `gain` in nats, less the cost of the feature's prior; `threshold` is its place. */
export interface BestSplit {
  gain: number;
  feature: number;
  threshold: number;
}

/** x·ln x of small whole numbers, 0 at 0: to compute logarithms would take most of the time for small trees. */
const XLOGX = Float64Array.from({ length: 1 << 14 }, (_, x) => (x > 0 ? x * Math.log(x) : 0));

function xlogx(x: number): number {
  return x < XLOGX.length ? XLOGX[x]! : x * Math.log(x);
}

/** Replaces `found` by the best split of one feature's histogram of (bin, label), which begins at `offset`, if that gains more. */
export function improveSplit(
  histograms: Int32Array,
  { offset, count, categorical, minLeaf, feature, cost, found }: {
    offset: number;
    count: number;
    cost: number;
    categorical: boolean;
    minLeaf: number;
    feature: number;
    found: BestSplit;
  },
): void {
  let total0 = 0, total1 = 0;
  for (let bin = 0; bin < count; bin++) {
    total0 += histograms[offset + 2 * bin]!;
    total1 += histograms[offset + 2 * bin + 1]!;
  }
  const whole = xlogx(total0) + xlogx(total1) - xlogx(total0 + total1);
  let in0 = 0, in1 = 0;
  for (let threshold = 0; threshold < count - 1; threshold++) {
    const at = offset + 2 * threshold, c0 = histograms[at]!, c1 = histograms[at + 1]!;
    if (categorical) {
      in0 = c0;
      in1 = c1;
    } else {
      in0 += c0;
      in1 += c1;
      if (c0 + c1 === 0) continue;
    }
    const inside = in0 + in1;
    const out0 = total0 - in0, out1 = total1 - in1, outside = out0 + out1;
    if (inside < minLeaf || outside < minLeaf) continue;
    const gain = xlogx(in0) + xlogx(in1) - xlogx(inside) + xlogx(out0) + xlogx(out1) -
      xlogx(outside) - whole - cost;
    if (gain > found.gain) {
      found.gain = gain;
      found.feature = feature;
      found.threshold = threshold;
    }
  }
}
