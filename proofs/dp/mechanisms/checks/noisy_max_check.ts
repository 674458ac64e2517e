import { noisyMaxProbability } from "../../../tools/quadrature.ts";
import { atMost, short } from "../../../engine/outcome.ts";
import type { Outcome } from "../../../engine/theorem.ts";

/** The largest loss of noisy max, for ε = 1: one answer falls behind by a gap, all move towards it. */
export function noisyMaxLoss({ scale }: { readonly scale: number }): number {
  let worst = 0;
  for (const others of [1, 2, 4, 9]) {
    for (const gap of [0, 1, 3, 10, 25]) {
      const left = [0, ...new Array<number>(others).fill(gap + 2)];
      const right = [1, ...new Array<number>(others).fill(gap + 1)];
      for (const index of [0, 1]) {
        const p = noisyMaxProbability(left, { index, scale });
        const q = noisyMaxProbability(right, { index, scale });
        worst = Math.max(worst, Math.abs(Math.log(p / q)));
      }
    }
  }
  return worst;
}

/** Returns true if the loss is at most 1 for ε = 1. */
export function noisyMaxOutcome(subject: { readonly scale: number }): Outcome {
  const loss = noisyMaxLoss(subject);
  return atMost(1, {
    value: loss,
    detail: `largest loss ${short(loss)} at ε = 1, over 20 pairs of up to ten answers`,
    witness: `one answer far behind the others loses ${short(loss)}`,
  });
}
