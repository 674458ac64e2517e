import { denseRows, type Rows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { squaredNorm } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import { allocateEvaluation, evaluate } from "../../../../lib/dp/learners/erm/solver/problem.ts";
import type { RiskMinimisation } from "../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** J(f), without any perturbation. */
export function objectiveAt(weights: Float64Array, risk: RiskMinimisation): number {
  const problem = { ...risk, quadratic: 0 };
  const at = allocateEvaluation(problem);
  at.weights.set(weights);
  evaluate(problem, { at, scratch: new Float64Array(risk.rows.rowCount) });
  return at.value;
}

/** n rows of norm at most 1 in d columns, with labels that mostly follow the first column. */
export function generatedRisk(
  source: SeededSource,
  { n, d, lambda, loss }: { n: number; d: number; lambda: number; loss: Loss },
): RiskMinimisation & { readonly rows: Rows; readonly signs: Float64Array } {
  const signs = new Float64Array(n);
  const rows = Array.from({ length: n }, (_, i) => {
    const row = Array.from(floatNormal(source, new Float64Array(d), { scale: 1 }));
    const length = Math.max(1, Math.hypot(...row) * (1 + 1e-12));
    signs[i] = (row[0]! > 0) === (source.uniform() < 0.9) ? 1 : -1;
    return row.map((value) => value / length);
  });
  return { rows: denseRows(rows), signs, loss, regulariser: squaredNorm, lambda };
}
