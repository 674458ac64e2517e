import type { EventStakes } from "../../kernel/betting/event_bet.ts";
import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";
import type { BetGoal } from "./bet_growth.ts";

/** Rounds in which the largest stake is made to fit the event. */
const ROUNDS = 4;
/** The largest stake, as a share of that which could lose everything in one draw. */
const MOST_STAKED = 0.9;

/**
 * Returns stakes on the point (ε, δ) that are likely to refute the largest parameter if the predicted law is the true one: in
 * cells where the ratio r of the two probabilities exceeds e^ε, the stake (r − e^ε)(1 − paid·δ)/(2e^ε(1 + r)), at most the
 * cap √(2·ln(1/α)/(nv)), with v the variance of the gains of a stake of 1.
 */
export function designEventStakes(
  law: LeafLaw,
  { epsilon, delta, direction: [towardsRight, towardsLeft], draws, nats }: BetGoal & {
    readonly epsilon: number;
    readonly delta: number;
    readonly direction: readonly [ofRight: number, ofLeft: number];
  },
): EventStakes {
  const growth = Math.exp(epsilon);
  const stakesBelow = (cap: number, paid: number): EventStakes => {
    const onto = (towards: number, own: Float64Array, other: Float64Array): Float64Array =>
      own.map((p, i) => {
        const q = other[i]!;
        if (towards === 0 || !(p > growth * q)) return 0;
        const best = (p - growth * q) * (1 - paid * delta) / (2 * growth * (p + q));
        return Math.min(cap, best);
      });
    return {
      onRight: onto(towardsRight, law.right, law.left),
      onLeft: onto(towardsLeft, law.left, law.right),
    };
  };
  const most = MOST_STAKED / (2 * growth + 2 * delta);
  let cap = most;
  for (let round = 0; round < ROUNDS; round++) {
    const { onRight, onLeft } = stakesBelow(cap, 2 * cap);
    let mean = 0, square = 0;
    for (let i = 0; i < onRight.length; i++) {
      const right = 2 * (onRight[i]! - growth * onLeft[i]!) / cap;
      const left = 2 * (onLeft[i]! - growth * onRight[i]!) / cap;
      mean += 0.5 * (law.right[i]! * right + law.left[i]! * left);
      square += 0.5 * (law.right[i]! * right ** 2 + law.left[i]! * left ** 2);
    }
    const variance = square - mean ** 2;
    if (!(variance > 0)) break;
    cap = Math.min(most, Math.sqrt(2 * nats / (draws * variance)));
  }
  return stakesBelow(cap, 2 * cap);
}
