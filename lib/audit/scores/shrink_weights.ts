import { logAddExp, logSumExp } from "../../numeric/log_sum_exp.ts";

/**
 * Standard deviations, in log odds, that the effect of a bin may have beforehand. Half of the belief is in
 * no effect at all, the other half is shared evenly.
 */
const EFFECTS: readonly number[] = [0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2];
const LOG_NONE = Math.log(0.5);
const LOG_EFFECT = Math.log(0.5 / EFFECTS.length);

/** What is known of the effects of bins, and where their posterior means go. */
interface Effects {
  readonly sums: Float64Array;
  readonly precisions: Float64Array;
  readonly out: Float64Array;
  /** The bins that are smoothed together, in order. */
  readonly bins: readonly number[];
}

/**
 * Effects of neighbouring bins are often the same: the posterior mean of each under the mixture of every
 * pruning of the balanced tree over the bins that are not empty, as `mixture.ts` mixes the prunings of a
 * partition (Willems, Shtarkov, Tjalkens 1995), with normal estimates in place of counts. A node stops or
 * splits with equal chance; where it stops its bins share one effect, which is 0 or normal around 0. The
 * last bin, that of missing values, has no neighbours.
 *
 * For estimates of mean m and precision P at a node, with S = mP, and an effect of variance v, the evidence
 * against "no effect" is (1 + vP)^(−1/2) · exp(S²v / (2(1 + vP))), and the posterior mean is Sv / (1 + vP).
 *
 * @param sums estimates of the effects, in log odds, times their precisions
 * @param precisions 1 over the variances of the estimates; 0 where nothing is known
 * @param out the posterior means, in log odds; 0 where nothing is known
 */
export function shrinkWeights(
  sums: Float64Array,
  precisions: Float64Array,
  out: Float64Array,
): void {
  const bins = [...precisions.keys()].filter((bin) => precisions[bin]! > 0);
  const missing = out.length - 1;
  const inOrder = bins.filter((bin) => bin < missing);
  out.fill(0);
  for (const some of [inOrder, bins.slice(inOrder.length)]) {
    if (some.length > 0) smoothBetween({ sums, precisions, out, bins: some }, 0, some.length);
  }
}

/** Smooths the bins of places `from` to `to`; returns the log evidence for the mixture against "no effect". */
function smoothBetween(effects: Effects, from: number, to: number): number {
  const { sums, precisions, out, bins } = effects;
  let sum = 0, precision = 0;
  for (let k = from; k < to; k++) {
    sum += sums[bins[k]!]!;
    precision += precisions[bins[k]!]!;
  }
  const means = EFFECTS.map((effect) => sum * effect ** 2 / (1 + effect ** 2 * precision));
  const logs = EFFECTS.map((effect, k) =>
    LOG_EFFECT - 0.5 * Math.log1p(effect ** 2 * precision) + 0.5 * sum * means[k]!
  );
  const stopped = logSumExp([LOG_NONE, ...logs]);
  const mean = means.reduce((total, m, k) => total + Math.exp(logs[k]! - stopped) * m, 0);
  if (to - from === 1) {
    out[bins[from]!] = mean;
    return stopped;
  }
  const middle = (from + to) >> 1;
  const split = smoothBetween(effects, from, middle) + smoothBetween(effects, middle, to);
  const both = logAddExp(stopped, split);
  const stop = Math.exp(stopped - both);
  for (let k = from; k < to; k++) {
    out[bins[k]!] = stop * mean + (1 - stop) * out[bins[k]!]!;
  }
  return both - Math.LN2;
}
