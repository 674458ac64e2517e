import { assert } from "@std/assert";
import { type LossGrid, optimisticGrid } from "../../../lib/accounting/loss_grid.ts";
import { finiteLoss, laplaceLoss, type LossLaw } from "../../../lib/accounting/privacy_loss.ts";

/** Σ masses·(1 − e^(ε − loss))⁺ */
function deltaOf({ first, spacing, masses }: LossGrid, epsilon: number): number {
  return masses.reduce((sum, mass, i) => {
    const excess = (first + i) * spacing - epsilon;
    return excess > 0 ? sum - mass * Math.expm1(-excess) : sum;
  }, 0);
}

// Mergers from above and from below meet where outputs are least likely; what is left there is rounded down. So the lower bound
// loses little at any ε. Mutants: another place to meet, by gaps or by weights alone.
const laws: [string, LossLaw, [number, number]][] = [
  ["laplace", laplaceLoss({ epsilon: 1 }).forward, [1.19e-3, 2.43e-4]],
  [
    "three clusters",
    finiteLoss({ p: [0.3, 0.02, 0.05, 0.03, 0.6], q: [0.6, 0.05, 0.05, 0.02, 0.28] }).forward,
    [3.56e-2, 1.305e-2],
  ],
  ["a rare one above", finiteLoss({ p: [0.5, 0.49, 0.01], q: [0.52, 0.479, 0.001] }).forward, [
    1.058e-2,
    1.085e-2,
  ]],
  ["a rare one below", finiteLoss({ p: [0.001, 0.479, 0.52], q: [0.01, 0.49, 0.5] }).forward, [
    1.998e-2,
    7.99e-4,
  ]],
];
for (const [name, law, most] of laws) {
  Deno.test(`optimisticGrid() loses no more than it did at any ε: ${name}`, () => {
    for (const [i, spacing] of [0.1, 0.037].entries()) {
      const fine = optimisticGrid(law, { spacing: spacing / 64 }),
        coarse = optimisticGrid(law, { spacing });
      let loss = 0;
      for (let epsilon = 0; epsilon < 3; epsilon += 0.01) {
        loss = Math.max(loss, deltaOf(fine, epsilon) - deltaOf(coarse, epsilon));
      }
      assert(loss <= most[i]!, `${spacing}: ${loss}`);
    }
  });
}
