import type { Label } from "../../../../lib/learners/erm/model.ts";
import { requireSolvable } from "../../../../lib/learners/erm/require_solvable.ts";
import { requireTrainable } from "../../../../lib/learners/erm/require_trainable.ts";
import { type DenseRows, denseRows } from "../../../../lib/learners/erm/rows.ts";
import { sampleModel } from "../../../../lib/learners/erm/sample_model.ts";
import { sampleTuned } from "../../../../lib/learners/erm/tune.ts";
import type { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** What a mutant may stand in for. */
export const training = { sampleModel, sampleTuned, requireSolvable, requireTrainable };

/** What a mutant may stand in for. */
export type Training = typeof training;

/** For cases that are checked in several files. */
export function generated(
  source: SeededSource,
  count: number,
  classes: readonly Label[],
): { rows: DenseRows; labels: Label[] } {
  const list = Array.from(
    { length: count },
    () =>
      Array.from(
        { length: 4 },
        (_, j) => source.uniform() < 0.3 ? 0 : (2 * source.uniform() - 1) * (j + 1) / 2,
      ),
  );
  const labels = list.map(([a, b]) =>
    classes[(a! > 0 ? 1 : 0) + (b! > 0.2 && classes.length > 2 ? 1 : 0)]!
  );
  return { rows: denseRows(list), labels };
}

/** For cases that are checked in several files. */
export const options = { epsilon: 3, lambda: 0.05, normBound: 1.5 };
