import { logSigmoid } from "../../../../core/numeric/log_sigmoid.ts";
import type { PredictedOdds } from "../../kernel/betting/prediction_batch.ts";

/** Halvings of the interval in which the refutable ε lies: 2⁻³⁰ of the largest log odds is left. */
const HALVINGS = 30;

/** Stakes that are compared in a bet against an ε and a δ: how many, and the ratio of each to the one before. */
const STAKES = { count: 7, ratio: 0.4 };

/** Standard errors by which an event is taken to exceed an ε and a δ by less than it did. */
const EXCESS_ERRORS = 1;

/** A point of a claim: e^ε times the probability of every event on one dataset, plus δ, bounds that on the other. */
export interface ClaimPoint {
  readonly epsilon: number;
  readonly delta: number;
}

/** Where a claim has no δ, all ε are compared alike. */
export const PURE_POINTS: readonly ClaimPoint[] = [{ epsilon: 1, delta: 0 }];

/**
 * Returns the expected log wealth after some draws of bets against a claim, if the predicted odds are the true ones. `epsilon` stands for
 * the ε of the claim's first point, and the others move in proportion.
 */
export function expectedLogWealthOf(
  predicted: PredictedOdds,
  { draws, epsilon, points }: {
    draws: number;
    epsilon: number;
    points: readonly ClaimPoint[];
  },
): number {
  return draws * growthAgainst(leafWealthOf(predicted), { epsilon, points });
}

/** Returns the largest ε against which {@linkcode expectedLogWealthOf} is at least `nats`; 0 if there is none. */
export function refutableEpsilonOf(
  predicted: PredictedOdds,
  { draws, nats, points }: { draws: number; nats: number; points: readonly ClaimPoint[] },
): number {
  const found = leafWealthOf(predicted);
  const isRefuted = (epsilon: number): boolean =>
    draws * growthAgainst(found, { epsilon, points }) >= nats;
  if (!isRefuted(0)) return 0;
  let low = 0;
  // No point of the claim can be refuted whose ε is as large as all log odds.
  let high = found.leaves.reduce((most, { odds }) => Math.max(most, Math.abs(odds)), 0) /
    Math.min(...points.map((point) => relativeTo(points[0]!, point)));
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (isRefuted(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the ε of a point as a multiple of that of the first one. */
function relativeTo(first: ClaimPoint, { epsilon }: ClaimPoint): number {
  return first.epsilon > 0 && epsilon > 0 ? epsilon / first.epsilon : 1;
}

/** Numbers of a leaf from which the expected log wealth is computed, for any ε. */
interface LeafWealth {
  /** Its share of the draws. */
  readonly mass: number;
  /** The shares of all draws that were in it with the label that the odds favour, and with the other. */
  readonly seen: { readonly right: number; readonly wrong: number };
  /** The predicted log odds of "right". */
  readonly odds: number;
  /** The probability of the label that they favour, its logarithm, and that of the other label. */
  readonly favoured: number;
  readonly logFavoured: number;
  readonly logOther: number;
}

/** The leaves with draws in them, and the number of all draws. */
interface Leaves {
  readonly leaves: readonly LeafWealth[];
  readonly draws: number;
}

function leafWealthOf({ counts, leaves, odds }: PredictedOdds): Leaves {
  const draws = leaves.reduce((sum, leaf) => sum + counts[2 * leaf]! + counts[2 * leaf + 1]!, 0);
  const found: LeafWealth[] = [];
  for (const leaf of leaves) {
    const count = counts[2 * leaf]! + counts[2 * leaf + 1]!;
    if (count === 0) continue;
    const size = Math.abs(odds[leaf]!), label = odds[leaf]! > 0 ? 1 : 0;
    found.push({
      mass: count / draws,
      seen: {
        right: counts[2 * leaf + label]! / draws,
        wrong: counts[2 * leaf + 1 - label]! / draws,
      },
      odds: odds[leaf]!,
      favoured: 1 / (1 + Math.exp(-size)),
      logFavoured: logSigmoid(size),
      logOther: logSigmoid(-size),
    });
  }
  return { leaves: found, draws };
}

/** Returns the expected growth of log wealth a draw, by the best of bets against the points of a claim. */
function growthAgainst(
  found: Leaves,
  { epsilon, points }: { readonly epsilon: number; readonly points: readonly ClaimPoint[] },
): number {
  let best = 0;
  for (const point of points) {
    const own = epsilon * relativeTo(points[0]!, point);
    const growth = point.delta === 0
      ? growthAgainstPure(found.leaves, own)
      : growthAgainstPoint(found, { epsilon: own, delta: point.delta });
    best = Math.max(best, growth);
  }
  return best;
}

/** Returns the growth against ε: in each leaf the relative entropy of the predicted odds and ε where the odds exceed it, averaged over draws. */
function growthAgainstPure(leaves: readonly LeafWealth[], epsilon: number): number {
  const logUpper = logSigmoid(epsilon), logLower = logSigmoid(-epsilon);
  let growth = 0;
  for (const { mass, odds, favoured, logFavoured, logOther } of leaves) {
    if (Math.abs(odds) <= epsilon) continue;
    growth += mass *
      (favoured * (logFavoured - logUpper) + (1 - favoured) * (logOther - logLower));
  }
  return growth;
}

/**
 * Returns the growth by the better of two events, one for each side: the leaves whose odds favour it by more than ε. Its probabilities
 * are those that were seen, less standard errors of what exceeds the claim: the odds of each leaf, drawn towards 0, say little
 * of rare leaves that add up to more than δ, and much of frequent ones that exceed ε by chance.
 */
function growthAgainstPoint({ leaves, draws }: Leaves, point: ClaimPoint): number {
  let best = 0;
  for (const sign of [1, -1]) {
    let right = 0, wrong = 0;
    for (const { odds, seen } of leaves) {
      if (sign * odds <= point.epsilon) continue;
      right += seen.right;
      wrong += seen.wrong;
    }
    const lost = wrong === 0 ? 0 : Math.exp(2 * point.epsilon) * wrong;
    const error = Math.sqrt((right + lost) / draws);
    const sure = Math.max(0, right - EXCESS_ERRORS * error);
    best = Math.max(best, eventGrowth(point, { right: sure, wrong }));
  }
  return best;
}

/** Returns the growth by one stake on an event whose outputs come with these probabilities, the label with them. */
function eventGrowth(
  { epsilon, delta }: ClaimPoint,
  { right, wrong }: { readonly right: number; readonly wrong: number },
): number {
  // e^ε has no double above ε = 709: stakes are computed as multiples of e^−ε.
  const decay = Math.exp(-epsilon);
  if (2 * right * decay - 2 * wrong <= delta * decay) return 0;
  let best = 0, grown = (1 - 1e-9) / (2 + delta * decay);
  for (let k = 0; k < STAKES.count; k++, grown *= STAKES.ratio) {
    const stake = grown * decay, price = stake * delta;
    const growth = right * Math.log1p(2 * stake - price) +
      wrong * Math.log1p(-2 * grown - price) +
      (1 - right - wrong) * Math.log1p(-price);
    best = Math.max(best, growth);
  }
  return best;
}
