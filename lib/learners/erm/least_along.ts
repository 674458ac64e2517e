import type { Evaluation, Problem } from "./problem.ts";
import { computeMargins } from "./row_kernels.ts";

/**
 * The length t > 0 at which the objective along `from + t·step` is least, by bisection of its slope. The
 * margins are linear in t, so that a trial costs no product with the rows. Newton's method with this
 * search ends on the piecewise quadratic Huber hinge too (Keerthi, DeCoste 2005, "A modified finite
 * Newton method"), where halving can crawl from kink to kink.
 *
 * @param step a direction of descent.
 */
export function leastAlong(
  step: Float64Array,
  { problem, from }: { problem: Problem; from: Evaluation },
): number {
  const { rows, signs, loss, regulariser, lambda, quadratic, linear } = problem;
  const n = rows.rowCount, d = step.length;
  const change = new Float64Array(n);
  computeMargins(rows, { weights: step, signs, into: change });
  const weights = new Float64Array(d), gradient = new Float64Array(d);
  const slopeAt = (length: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum += loss.slope(from.margins[i]! + length * change[i]!) * change[i]!;
    }
    for (let j = 0; j < d; j++) weights[j] = from.weights[j]! + length * step[j]!;
    gradient.fill(0);
    regulariser.addGradient(weights, { scale: lambda, into: gradient });
    let rest = 0;
    for (let j = 0; j < d; j++) {
      rest += step[j]! * (gradient[j]! + quadratic * weights[j]! + (linear?.[j] ?? 0));
    }
    return sum / n + rest;
  };
  let low = 0, high = 1;
  while (slopeAt(high) < 0 && high < 1e12) [low, high] = [high, 2 * high];
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (slopeAt(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
