import type { Calibration } from "../lib/learners/erm/calibration.ts";
import type { Loss } from "../lib/learners/erm/loss.ts";
import { squaredNorm } from "../lib/learners/erm/regulariser.ts";
import { denseRows } from "../lib/learners/erm/rows.ts";
import { sampleMinimiser } from "../lib/learners/erm/sample_minimiser.ts";
import type { SeededSource } from "../lib/random/seeded_source.ts";

/** A population of four kinds of rows; labels are 1 nine times in ten. */
const ATOMS = [[0.8, 0.5], [0.8, -0.5], [0.2, 0.9], [0.4, -0.7]] as const;

/** L(f) = E ℓ(y f·x), a finite sum. */
export function trueRisk(weights: ArrayLike<number>, loss: Loss): number {
  return ATOMS.reduce((sum, [x, y]) => {
    const margin = weights[0]! * x + weights[1]! * y;
    return sum + (0.9 * loss.value(margin) + 0.1 * loss.value(-margin)) / ATOMS.length;
  }, 0);
}

/** The share of training sets whose private classifier has a risk above `allowed`. */
export function shareAbove(
  allowed: number,
  { source, n, loss, lambda, calibration, runs }: {
    readonly source: SeededSource;
    readonly n: number;
    readonly loss: Loss;
    readonly lambda: number;
    readonly calibration: Calibration;
    readonly runs: number;
  },
): number {
  let above = 0;
  for (let run = 0; run < runs; run++) {
    const values = new Float64Array(2 * n), signs = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      values.set(ATOMS[source.uint32() % ATOMS.length]!, 2 * i);
      signs[i] = source.uniform() < 0.9 ? 1 : -1;
    }
    const weights = sampleMinimiser(source, {
      rows: denseRows(values, { columnCount: 2 }),
      signs,
      loss,
      regulariser: squaredNorm,
      lambda,
      calibration,
    });
    if (trueRisk(weights, loss) > allowed) above++;
  }
  return above / runs;
}
