import { logGamma } from "../../../../core/numeric/log_gamma.ts";
import { logAddExp } from "../../../../core/numeric/log_sum_exp.ts";
import type { Partition } from "./grow_tree.ts";

/**
 * Pseudo-counts of the Beta priors that are averaged at every node. ½ is Krichevsky and Trofimov's,
 * which suits gross violations; the larger ones expect probabilities near ½, as small ε implies, and
 * have far less regret there.
 */
const PSEUDO_COUNTS: readonly number[] = [0.5, 4, 30, 250, 2000];

const LOG_BETA: readonly number[] = PSEUDO_COUNTS.map((a) => 2 * logGamma(a) - logGamma(2 * a));

/** Values of the log gamma function are stored for counts below this: most leaves have fewer draws. */
const TABLE_SIZE = 1 << 13;

/** ln Γ(count + shift) for whole counts; those of small counts are computed once, on first use. */
class ShiftedLogGamma {
  readonly #shift: number;
  readonly #known = new Float64Array(TABLE_SIZE).fill(NaN);

  constructor(shift: number) {
    this.#shift = shift;
  }

  at(count: number): number {
    if (!(count < TABLE_SIZE)) return logGamma(count + this.#shift);
    const known = this.#known[count]!;
    return known === known ? known : this.#known[count] = logGamma(count + this.#shift);
  }
}

const ONE_SIDE: readonly ShiftedLogGamma[] = PSEUDO_COUNTS.map((a) => new ShiftedLogGamma(a));
const BOTH_SIDES: readonly ShiftedLogGamma[] = PSEUDO_COUNTS.map((a) => new ShiftedLogGamma(2 * a));

/** The evidence and the prediction of one node, averaged over the priors. */
export interface NodePosterior {
  /** Log probability of a label sequence with these counts. */
  logEvidence: number;
  /** Posterior probability of "right". */
  probability: number;
}

const NOTHING_SEEN: NodePosterior = { logEvidence: 0, probability: 0.5 };

/** The log weights of the priors at the node that is looked at. */
const logs = new Float64Array(PSEUDO_COUNTS.length);

/** Weighs one node, or another cell. The hot loop: a tree has hundreds of nodes, and is weighed whenever its counts have changed. */
export function nodePosterior(c0: number, c1: number): NodePosterior {
  if (c0 + c1 === 0) return NOTHING_SEEN;
  let high = -Infinity;
  for (let k = 0; k < logs.length; k++) {
    const sides = ONE_SIDE[k]!.at(c0) + ONE_SIDE[k]!.at(c1);
    logs[k] = sides - BOTH_SIDES[k]!.at(c0 + c1) - LOG_BETA[k]!;
    if (logs[k]! > high) high = logs[k]!;
  }
  let sum = 0, mean = 0;
  for (let k = 0; k < logs.length; k++) {
    const a = PSEUDO_COUNTS[k]!, weight = Math.exp(logs[k]! - high);
    sum += weight;
    mean += (weight * (c1 + a)) / (c0 + c1 + 2 * a);
  }
  return { logEvidence: high + Math.log(sum / logs.length), probability: mean / sum };
}

/** The mixture over prunings at each node. */
interface PruningPosterior {
  /** Posterior share, of the prunings that reach a node, of those that stop there. */
  readonly stop: Float64Array;
  /** Posterior probability of "right" at a node, on its own counts. */
  readonly probability: Float64Array;
  /** Counts at `[2 * node + label]`, inner nodes included. */
  readonly total: Float64Array;
  /** By how many nats the mixture explains the labels better than the root alone. */
  readonly gain: number;
}

/**
 * Weighs every pruning of the partition by context-tree weighting (Willems, Shtarkov, Tjalkens 1995;
 * Helmbold, Schapire 1997). At a node with own evidence P_e the mixture is
 * P_w = (1−π)P_e + π·P_w(left)P_w(right), so the share of prunings that stop there is (1−π)P_e/P_w. The
 * prior π of a split is the partition's: about one in the number of splits among which it was chosen,
 * which keeps the weight of chance patterns in the training draws small.
 *
 * @param counts draws at `[2 * node + label]`, leaves only
 */
export function stopShares(partition: Partition, counts: Float64Array): PruningPosterior {
  const { left, right, splitPrior } = partition;
  const nodes = left.length;
  const total = counts.slice();
  const stop = new Float64Array(nodes);
  const weighted = new Float64Array(nodes);
  const probability = new Float64Array(nodes);
  let root = 0;
  for (let node = nodes - 1; node >= 0; node--) {
    const l = left[node]!, r = right[node]!;
    if (l >= 0) {
      total[2 * node] = total[2 * l]! + total[2 * r]!;
      total[2 * node + 1] = total[2 * l + 1]! + total[2 * r + 1]!;
    }
    const own = nodePosterior(total[2 * node]!, total[2 * node + 1]!);
    probability[node] = own.probability;
    root = own.logEvidence;
    if (l < 0) {
      weighted[node] = own.logEvidence;
      stop[node] = 1;
      continue;
    }
    const prior = splitPrior[node]!;
    const stays = Math.log1p(-prior) + own.logEvidence;
    weighted[node] = logAddExp(stays, Math.log(prior) + weighted[l]! + weighted[r]!);
    stop[node] = Math.exp(stays - weighted[node]!);
  }
  return { stop, probability, total, gain: weighted[0]! - root };
}

/** Returns by how many nats the mixture over the partition's prunings explains the labels better than the root alone. */
export function evidenceGain(partition: Partition, counts: Float64Array): number {
  return stopShares(partition, counts).gain;
}

/**
 * Returns the posterior log odds that an output of each leaf came from the right dataset, under the mixture of
 * every pruning of the partition ({@linkcode stopShares}), one vector for each of `standardErrors`: a leaf's odds are
 * averaged over its ancestors with their shares. Every node's log odds are drawn towards 0 by that many of its standard
 * errors first. A bettor on the drawn odds loses little while it learns: it bets on a node only after the node's counts
 * show a difference.
 */
export function leafLogOdds(
  partition: Partition,
  { counts, standardErrors }: { counts: Float64Array; standardErrors: readonly number[] },
): Float64Array[] {
  const { left, right } = partition;
  const nodes = left.length;
  const { stop, probability, total } = stopShares(partition, counts);
  const logOdds = new Float64Array(nodes), error = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const p = probability[node]!;
    logOdds[node] = Math.log(p) - Math.log1p(-p);
    error[node] = Math.sqrt(1 / (total[2 * node]! + 0.5) + 1 / (total[2 * node + 1]! + 0.5));
  }
  return standardErrors.map((errors) => {
    const odds = new Float64Array(nodes);
    const mean = new Float64Array(nodes);
    const share = new Float64Array(nodes);
    share[0] = 1;
    for (let node = 0; node < nodes; node++) {
      // `mean` holds the contribution of prunings that stop at ancestors, `share` the weight of those that reach the
      // node.
      const reached = share[node]!;
      const drawn = Math.max(0, Math.abs(logOdds[node]!) - errors * error[node]!);
      const own = 1 / (1 + Math.exp(-Math.sign(logOdds[node]!) * drawn));
      const stopped = mean[node]! + reached * stop[node]! * own;
      if (left[node]! < 0) {
        odds[node] = Math.log(stopped) - Math.log1p(-stopped);
        continue;
      }
      const l = left[node]!, r = right[node]!;
      mean[l] = mean[r] = stopped;
      share[l] = share[r] = reached * (1 - stop[node]!);
    }
    return odds;
  });
}
