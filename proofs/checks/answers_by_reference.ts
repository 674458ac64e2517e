import {
  type errorOfLieProbabilities,
  logLieProbabilities,
} from "../../lib/accounting/lie_probabilities.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import { requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, exactly } from "./dyadic_reference.ts";
import { lieWeights, quotient, WEIGHT_BITS, weightUnits } from "./lie_weights.ts";

const ONE = 1n << WEIGHT_BITS;

/** The chances of lies are known within the stated error, and δ has room for it and for little more. */
export function requireAnswers(error: typeof errorOfLieProbabilities): void {
  for (const [epsilon, count, target] of [[0.01, 100_000, 5], [0.5, 2000, 245]] as const) {
    const { weights, total } = lieWeights({ epsilon, count }), room = error({ epsilon, count });
    const logs = logLieProbabilities({ epsilon, count });
    // |ln p| is at most 100 there: a double's own rounding is below 1e−14.
    weights.forEach((weight, lies) => {
      if (weight << 100n < total) return;
      const log = Math.log(quotient(weight, total));
      requireThat(
        Math.abs(logs[lies]! - log) <= room + 3e-14,
        () => `the logarithm of ${lies} lies of ${count} is ${logs[lies]}, not ${log}`,
      );
    });
    // EPSILON·count·(4 + 2ε), by the derivation beside the function.
    requireNear(room, 2 ** -52 * count * (4 + 2 * epsilon), { relative: 1e-12 });
    // Σ P(loss)·(1 − e^(target − loss)) over losses above the target.
    let above = 0n;
    const step = weightUnits(exactly(epsilon)), end = weightUnits(exactly(target));
    for (let lies = 0; 2 * lies < count; lies++) {
      const excess = BigInt(count - 2 * lies) * step - end;
      if (excess <= 0n) break;
      if (weights[lies] === 0n) continue;
      const nats = Number(excess >> (WEIGHT_BITS - 200n)) / 2 ** 200;
      const share = nats > 600 ? ONE : ONE - weightUnits(exactExp(-nats));
      above += weights[lies]! * share >> WEIGHT_BITS;
    }
    const over = optimalDelta([{ epsilon, count }], { epsilon: target }) / quotient(above, total) -
      1;
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
