import { assert } from "@std/assert";
import { composedDelta } from "../../../lib/accounting/composed_delta.ts";
import { pessimisticGrid } from "../../../lib/accounting/loss_grid.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import { approximateLoss } from "../../../lib/accounting/privacy_loss.ts";

// Losses far below 1e-4 need a tilt beyond the range that is searched, so that what the transform
// returns is mostly its own rounding error: the bounds must say so. Mutants: no error term; an error
// term without the sum of the weights.
Deno.test("composedDelta() encloses δ when rounding errors are larger than δ", () => {
  for (const [epsilon, count] of [[1e-6, 100], [1e-6, 400], [1e-7, 1000], [1e-8, 300]] as const) {
    const grid = pessimisticGrid(approximateLoss({ epsilon }).forward, { spacing: epsilon });
    for (const fraction of [0.5, 0.7, 0.8, 0.9]) {
      const at = fraction * count * epsilon * (1 + 1e-6);
      const { lower, upper } = composedDelta([{ grid, count }], { epsilon: at });
      const truth = optimalDelta([{ epsilon, count }], { epsilon: at });
      assert(lower <= truth && truth <= upper * (1 + 2e-11), `${lower} ${truth} ${upper}`);
    }
  }
});

// Mutant: a window that forgets what falls outside it. A transform of the largest size holds 2^23
// points; at a million compositions the sum's range is far larger.
Deno.test("composedDelta() encloses δ when the window is far smaller than the range", () => {
  const epsilon = 0.001, count = 1_000_000;
  const grid = pessimisticGrid(approximateLoss({ epsilon }).forward, { spacing: epsilon });
  for (const at of [0.5, 3, 6]) {
    const { lower, upper } = composedDelta([{ grid, count }], { epsilon: at });
    const truth = optimalDelta([{ epsilon, count }], { epsilon: at });
    // The grid's own masses are off by an ulp, a million times over.
    assert(
      lower <= truth * (1 + 1e-8) && truth <= upper * (1 + 1e-8),
      `${lower} ${truth} ${upper}`,
    );
    assert(upper <= lower * (1 + 1e-6), `${lower} ${upper}`);
  }
});
