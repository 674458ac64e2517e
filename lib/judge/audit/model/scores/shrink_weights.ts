import { logAddExp, logSumExp } from "../../../../core/numeric/log_sum_exp.ts";

/**
 * Standard deviations of the prior of a bin's effect, in log odds. No effect has a prior probability of a half, the
 * standard deviations share the other half evenly.
 */
const PRIOR_DEVIATIONS: readonly number[] = [0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2];
const LOG_PRIOR_NONE = Math.log(0.5);
const LOG_PRIOR_EACH = Math.log(0.5 / PRIOR_DEVIATIONS.length);

/** Estimates of the effects of bins, and where their posterior means go. */
interface Effects {
  readonly sums: Float64Array;
  readonly precisions: Float64Array;
  readonly out: Float64Array;
  /** The bins of one tree, in order. */
  readonly bins: readonly number[];
}

/**
 * Shrinks the effects of bins: the posterior mean of each under the mixture of every pruning of the balanced tree over
 * the bins that are not empty (context-tree weighting: Willems, Shtarkov, Tjalkens 1995), with normal estimates in
 * place of counts. A node stops or splits with equal probability; where it stops its bins share one effect, which is 0
 * or normal around 0. So neighbouring bins, whose effects are often equal, are estimated together. The last bin, that
 * of missing values, has no neighbours.
 *
 * For estimates of mean m and precision P at a node, with S = mP, and an effect of variance v, the evidence
 * against "no effect" is (1 + vP)^(−1/2) · exp(S²v / (2(1 + vP))), and the posterior mean is Sv / (1 + vP).
 *
 * @param sums estimates of the effects, in log odds, times their precisions
 * @param precisions 1 over the variances of the estimates; 0 for empty bins
 * @param out the posterior means, in log odds; 0 for empty bins
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
  for (const tree of [inOrder, bins.slice(inOrder.length)]) {
    if (tree.length > 0) shrinkBetween({ sums, precisions, out, bins: tree }, 0, tree.length);
  }
}

/** Shrinks the bins of places `from` to `to`; returns the log evidence for the mixture against "no effect". */
function shrinkBetween(effects: Effects, from: number, to: number): number {
  const { sums, precisions, out, bins } = effects;
  let sum = 0, precision = 0;
  for (let k = from; k < to; k++) {
    sum += sums[bins[k]!]!;
    precision += precisions[bins[k]!]!;
  }
  const means = PRIOR_DEVIATIONS.map((deviation) =>
    sum * deviation ** 2 / (1 + deviation ** 2 * precision)
  );
  const logs = PRIOR_DEVIATIONS.map((deviation, k) =>
    LOG_PRIOR_EACH - 0.5 * Math.log1p(deviation ** 2 * precision) + 0.5 * sum * means[k]!
  );
  const stopped = logSumExp([LOG_PRIOR_NONE, ...logs]);
  const mean = means.reduce((total, m, k) => total + Math.exp(logs[k]! - stopped) * m, 0);
  if (to - from === 1) {
    out[bins[from]!] = mean;
    return stopped;
  }
  const middle = (from + to) >> 1;
  const split = shrinkBetween(effects, from, middle) + shrinkBetween(effects, middle, to);
  const both = logAddExp(stopped, split);
  const stop = Math.exp(stopped - both);
  for (let k = from; k < to; k++) {
    out[bins[k]!] = stop * mean + (1 - stop) * out[bins[k]!]!;
  }
  return both - Math.LN2;
}
