import { divergenceGains, type DivergenceStakes } from "../../kernel/betting/divergence_bet.ts";
import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";
import type { BetGoal } from "./bet_growth.ts";

/** Rounds in which the stake and the function t are made to fit each other. */
const ROUNDS = 5;
/** Halvings of the interval in which ln t is looked for: from 0 to ln(p/q), and so much more on both sides. */
const HALVINGS = 24, BEYOND = 1;
/** The largest price that a bet pays at every draw. */
const MOST_PAID = 0.5;
/**
 * No factor is negative while the price is at most this multiple of the mean gain: so a limit above the predicted one can be
 * refuted.
 */
const HEADROOM = 1.25;

/** The directions that a bet may have: shares of the stake against D(right‖left) and against D(left‖right). */
export const DIRECTIONS: readonly (readonly [ofRight: number, ofLeft: number])[] = [
  [1, 1],
  [1, 0],
  [0, 1],
];

/**
 * Returns stakes against D_order that are likely to refute the largest limit if the predicted law is the true one.
 *
 * A stake s on gains of variance v refutes, by n draws, a price that lies a gap below the mean gain if n(s·gap − s²v/2) ≥
 * ln(1/α); the smallest such gap is √(2v·ln(1/α)/n), with s = √(2·ln(1/α)/(nv)). Given the stake, the t that grows fastest in
 * each cell solves t·E(right) = (p/q)·E(left), where E(right) and E(left) are the bet's factors there: near p/q where the
 * factors are near 1, and smaller in cells so rare on one side that p/q would stake more than there is.
 */
export function designDivergenceStakes(
  law: LeafLaw,
  { order, direction: [towardsRight, towardsLeft], draws, nats }: BetGoal & {
    readonly order: number;
    readonly direction: readonly [ofRight: number, ofLeft: number];
  },
): DivergenceStakes {
  const cells = law.left.length;
  const ratios = law.right.map((p, i) => Math.log(p) - Math.log(law.left[i]!));
  // As large as stakes of the order of 1/√n allow.
  const most = Math.log(1 + draws) / (2 * order);
  let stakes: DivergenceStakes = {
    order,
    ofRight: 0,
    ofLeft: 0,
    logRatio: ratios.map((x) => Math.min(most, Math.max(-most, x))),
  };
  for (let round = 0; round < ROUNDS; round++) {
    const unit = { ...stakes, ofRight: towardsRight, ofLeft: towardsLeft };
    const { mean, variance } = momentsOf(divergenceGains(unit), law);
    const stake = Math.min(Math.sqrt(2 * nats / (draws * variance)), MOST_PAID / (HEADROOM * mean));
    const [ofRight, ofLeft] = [stake * towardsRight, stake * towardsLeft];
    const price = Math.min(MOST_PAID, HEADROOM * stake * mean);
    const logRatio = new Float64Array(cells);
    for (let i = 0; i < cells; i++) {
      logRatio[i] = bestLogRatio(ratios[i]!, { order, ofRight, ofLeft, price });
    }
    stakes = { order, ofRight, ofLeft, logRatio };
  }
  return stakes;
}

/** Returns the mean and variance of gains in one draw. */
function momentsOf(gains: LeafLaw, law: LeafLaw): { mean: number; variance: number } {
  let mean = 0, square = 0;
  for (const side of ["left", "right"] as const) {
    law[side].forEach((share, i) => {
      if (share === 0) return;
      const gain = gains[side][i]!;
      mean += 0.5 * share * gain;
      square += 0.5 * share * gain * gain;
    });
  }
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** Returns the logarithm of the t with t·E(right) = ratio·E(left): the left side rises in t, the right side falls. */
function bestLogRatio(
  logRatio: number,
  { order, ofRight, ofLeft, price }: {
    order: number;
    ofRight: number;
    ofLeft: number;
    price: number;
  },
): number {
  if (Number.isNaN(logRatio)) return 0;
  let low = Math.min(0, logRatio) - BEYOND, high = Math.max(0, logRatio) + BEYOND;
  for (let step = 0; step < HALVINGS; step++) {
    const log = (low + high) / 2;
    const power = Math.exp((order - 1) * log), t = Math.exp(log);
    const right = 1 - price +
      2 * (ofRight * order * power - gainOf(ofLeft, (order - 1) / (t * power)));
    const left = 1 - price +
      2 * (gainOf(ofLeft, order / power) - ofRight * (order - 1) * t * power);
    // Where one factor is negative, t is too small or too large.
    const isAbove = right > 0 && (left <= 0 || log + Math.log(right) > logRatio + Math.log(left));
    if (isAbove) high = log;
    else low = log;
  }
  return (low + high) / 2;
}

/** Returns stake·power: a stake of 0 times an infinite power is 0. */
function gainOf(stake: number, power: number): number {
  return stake === 0 ? 0 : stake * power;
}
