import {
  type errorOfLieProbabilities,
  logLieProbabilities,
} from "../../lib/accounting/lie_probabilities.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import { requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, exactly, UNIT_BITS } from "./dyadic_reference.ts";

/** Bits behind the point of the references. */
const BITS = 320n, ONE = 1n << BITS;

/** In units of 2^−320. */
const unitsOf = (value: bigint): bigint => value >> (UNIT_BITS - BITS);

/** A ratio of two positive whole numbers, as a double. */
const ratio = (part: bigint, whole: bigint): number => Number((part << 200n) / whole) / 2 ** 200;

/** Binomial weights of lies with odds e^−ε, outwards from the likeliest number, and their sum. */
function weightsOf(epsilon: number, count: number): { weights: bigint[]; total: bigint } {
  const odds = unitsOf(exactExp(-epsilon));
  const weights = new Array<bigint>(count + 1).fill(0n);
  const mode = Math.round(count / (1 + Math.exp(epsilon)));
  weights[mode] = ONE;
  for (let lies = mode; lies < count && weights[lies]! > 0n; lies++) {
    weights[lies + 1] = (weights[lies]! * odds * BigInt(count - lies) >> BITS) / BigInt(lies + 1);
  }
  for (let lies = mode; lies > 0 && weights[lies]! > 0n; lies--) {
    weights[lies - 1] = (weights[lies]! * BigInt(lies) << BITS) / (odds * BigInt(count - lies + 1));
  }
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0n) };
}

/** The chances of lies are known within the stated error, and δ has room for it and for little more. */
export function requireAnswers(error: typeof errorOfLieProbabilities): void {
  for (const [epsilon, count, target] of [[0.01, 100_000, 5], [0.5, 2000, 245]] as const) {
    const { weights, total } = weightsOf(epsilon, count), room = error({ epsilon, count });
    const logs = logLieProbabilities({ epsilon, count });
    // |ln p| is at most 100 there: a double's own rounding is below 1e−14.
    weights.forEach((weight, lies) => {
      if (weight << 100n < total) return;
      const log = Math.log(ratio(weight, total));
      requireThat(
        Math.abs(logs[lies]! - log) <= room + 3e-14,
        () => `the logarithm of ${lies} lies of ${count} is ${logs[lies]}, not ${log}`,
      );
    });
    // EPSILON·count·(4 + 2ε), by the derivation beside the function.
    requireNear(room, 2 ** -52 * count * (4 + 2 * epsilon), { relative: 1e-12 });
    // Σ P(loss)·(1 − e^(target − loss)) over losses above the target.
    let above = 0n;
    const step = unitsOf(exactly(epsilon)), end = unitsOf(exactly(target));
    for (let lies = 0; 2 * lies < count; lies++) {
      const excess = BigInt(count - 2 * lies) * step - end;
      if (excess <= 0n) break;
      if (weights[lies] === 0n) continue;
      const nats = Number(excess >> (BITS - 200n)) / 2 ** 200;
      const share = nats > 600 ? ONE : ONE - unitsOf(exactExp(-nats));
      above += weights[lies]! * share >> BITS;
    }
    const over = optimalDelta([{ epsilon, count }], { epsilon: target }) / ratio(above, total) - 1;
    const stated = 1e-11 + room;
    requireThat(
      over >= stated * 0.75 && over <= stated * 1.25,
      () => `δ of ${count} answers is ${over} above the truth, with room of ${stated}`,
    );
  }
  // A δ that underflows is not 0; a loss beyond the doubles counts whole.
  requireThat(
    optimalDelta([{ epsilon: 1, count: 3000 }], { epsilon: 2999.5 }) > 0,
    "a δ that underflows is 0",
  );
  for (const count of [2, 10]) {
    const beyond = optimalDelta([{ epsilon: 1e308, count }], { epsilon: 1e308 });
    requireThat(beyond > 0.99 && beyond <= 1, `δ of losses beyond the doubles is ${beyond}`);
  }
  // What is given away outright, of groups of several.
  for (const count of [1, 7, 90]) {
    const given = optimalDelta([{ epsilon: 0.1, delta: 0.01, count }], {
      epsilon: 0.1 * count + 1,
    });
    requireNear(given, 1 - 0.99 ** count, { relative: 1e-10, what: "what is given away" });
  }
}
