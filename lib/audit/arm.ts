import type { Pair } from "../core/relation.ts";
import { logSigmoid } from "./bet_pure.ts";
import { Learner } from "./learner.ts";

/** A pair under trial: what has been learned about telling its two sides apart. */
export interface Arm {
  readonly pair: Pair;
  readonly learner: Learner;
}

/** A new arm; with `bits` its learner looks at the bits of doubles too. */
export function armOf(pair: Pair, { bits }: { bits: boolean }): Arm {
  return {
    pair,
    learner: new Learner({
      centres: bits ? numbersIn([pair.left, pair.right]) : undefined,
      signs: signsOf(pair),
    }),
  };
}

/** The direction in which each number of the dataset moves, if it is numbers on both sides alike. */
function signsOf({ left, right }: Pair): Int8Array | undefined {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) {
    return undefined;
  }
  const moves = left.map((x, i) => Number(right[i]) - Number(x));
  return moves.some(Number.isNaN) ? undefined : Int8Array.from(moves, Math.sign);
}

/** The distinct numbers anywhere inside a value, a few of them, and the sums of arrays. */
function numbersIn(value: unknown, into: Set<number> = new Set(), depth = 0): number[] {
  if (typeof value === "number" && Number.isFinite(value)) into.add(value);
  else if (Array.isArray(value) && depth < 4) {
    for (const inner of value.slice(0, 8)) numbersIn(inner, into, depth + 1);
    if (value.length > 1 && value.every((inner) => typeof inner === "number")) {
      into.add(value.reduce((a: number, b: number) => a + b, 0));
    }
  } else if (typeof value === "object" && value !== null && depth < 4) {
    for (const inner of Object.values(value).slice(0, 8)) numbersIn(inner, into, depth + 1);
  }
  return [...into].slice(0, 8);
}

/**
 * The ε that this arm is expected to refute with `draws` more draws, judged by what it learned: the
 * largest ε whose bets would grow to `nats`. 0 if none.
 */
export function merit(arm: Arm, { draws, nats }: { draws: number; nats: number }): number {
  const { learner } = arm;
  const { counts, leaves } = learner;
  if (learner.draws === 0) return 0;
  const logOdds = learner.logOdds[2]!;
  let total = 0;
  for (const leaf of leaves) total += counts[2 * leaf]! + counts[2 * leaf + 1]!;
  const order = leaves.toSorted((a, b) => Math.abs(logOdds[b]!) - Math.abs(logOdds[a]!));
  const growth = (epsilon: number): number => {
    let rate = 0;
    for (const leaf of order) {
      const l = Math.abs(logOdds[leaf]!);
      if (l <= epsilon) break;
      const mass = (counts[2 * leaf]! + counts[2 * leaf + 1]!) / total;
      const r = 1 / (1 + Math.exp(-l));
      rate += mass * (r * (logSigmoid(l) - logSigmoid(epsilon)) +
        (1 - r) * (logSigmoid(-l) - logSigmoid(-epsilon)));
    }
    return draws * rate;
  };
  let low = 0, high = Math.abs(logOdds[order[0]!]!);
  if (growth(0) < nats) return growth(0) / nats * 1e-9;
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (growth(middle) >= nats) low = middle;
    else high = middle;
  }
  return low;
}
