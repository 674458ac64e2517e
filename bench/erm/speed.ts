import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import type { Rows } from "../../lib/learners/erm/rows.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

/** One timed minimisation. */
export interface Timing {
  readonly name: string;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly layout: "dense" | "sparse";
  readonly seconds: number;
  readonly iterations: number;
  readonly gradientNorm: number;
}

/** Seconds to ‖∇J‖ ≤ 1e-8 from zero, logistic loss, the best of `runs`. */
export function timeMinimise(
  name: string,
  { rows, signs, lambda, runs }: {
    rows: Rows;
    signs: Float64Array;
    lambda: number;
    runs: number;
  },
): Timing {
  const problem = {
    rows,
    signs,
    loss: logisticLoss,
    regulariser: squaredNorm,
    lambda,
    quadratic: 0,
  };
  let seconds = Infinity, minimum = minimise(problem, { tolerance: 1e-8, maximumIterations: 1 });
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    minimum = minimise(problem, { tolerance: 1e-8 });
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
  }
  const { iterations, gradientNorm } = minimum;
  const { rowCount, columnCount, kind } = rows;
  return { name, rowCount, columnCount, layout: kind, seconds, iterations, gradientNorm };
}

/** Dense rows of norm about 1 with noisy labels, the same for a seed. */
export function generatedRows(
  { rowCount, columnCount, seed }: { rowCount: number; columnCount: number; seed: number },
): { rows: Rows; signs: Float64Array } {
  const source = new SeededSource(seed).split("speed");
  const values = floatNormal(source, new Float64Array(rowCount * columnCount), {
    scale: 1 / Math.sqrt(columnCount),
  });
  const signs = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    let score = 0;
    for (let j = 0; j < columnCount; j += 2) score += values[i * columnCount + j]!;
    signs[i] = score + 0.5 * (source.uniform() - 0.5) > 0 ? 1 : -1;
  }
  return { rows: { kind: "dense", rowCount, columnCount, values }, signs };
}
