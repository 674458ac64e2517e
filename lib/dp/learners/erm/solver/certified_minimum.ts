import { conjugateGradientStep } from "./conjugate_gradient.ts";
import { gradientNormBound } from "./gradient_bound.ts";
import { choleskyStep, minimise, MOST_FACTORED } from "./minimise.ts";
import { preciseMove, type PrecisePoint, precisePoint } from "./precise_point.ts";
import { allocateEvaluation, curvatureFactors, evaluate, norm, type Problem } from "./problem.ts";
import { MOST_CONDITION } from "./require_solvable.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";

/** A point at which the exact gradient is known to be short. */
export interface CertifiedMinimum {
  /** The weights, rounded. */
  readonly weights: Float64Array;
  /** Low-order part of the weights, where doubles alone are too coarse: the point is weights + rest. */
  readonly rest: Float64Array | undefined;
  /** The exact gradient there is no longer, the rounding of this bound included. */
  readonly gradientNormBound: number;
}

/**
 * Minimises until the *exact* gradient is at most `tolerance` long: by `minimise` in doubles, and where the
 * rounding of the gradient leaves that open, by Newton steps on weights of twice the precision. `tolerance`
 * may be as small as `leastTolerance` says.
 *
 * A few rows and a tiny Λ can end this early, where a Newton step is far too long. The
 * objective is then minimised with a convexity that is added to it and falls to Λ/8, each time from where the last one
 * ended, and at last as it is.
 *
 * @returns the best point that was found: look at `gradientNormBound`.
 */
export function certifiedMinimum(problem: Problem, options: SearchOptions): CertifiedMinimum {
  const found = search(problem, options);
  if (found.gradientNormBound <= options.tolerance) return found;
  const { lambda, quadratic } = problem;
  let start: Float64Array = new Float64Array(found.weights.length);
  for (let added = MOST_CONDITION * lambda; added > lambda / 8; added /= 4) {
    const rounder = { ...problem, quadratic: quadratic + added };
    start = minimise(rounder, { tolerance: options.tolerance, start }).weights;
  }
  const again = search(problem, { ...options, start });
  return again.gradientNormBound < found.gradientNormBound ? again : found;
}

/** Options of a search for a minimum. */
interface SearchOptions {
  readonly tolerance: number;
  readonly start?: Float64Array;
  readonly onIteration?: (gradientNorm: number) => void;
}

function search(
  problem: Problem,
  { tolerance, start, onIteration }: SearchOptions,
): CertifiedMinimum {
  const { weights } = minimise(problem, {
    tolerance: tolerance / 4,
    ...(start === undefined ? {} : { start }),
    ...(onIteration === undefined ? {} : { onIteration }),
  });
  const at = allocateEvaluation(problem);
  at.weights.set(weights);
  evaluate(problem, { at, scratch: new Float64Array(rowsAtOnce(problem.rows)) });
  const bound = gradientNormBound(problem, at);
  if (bound <= tolerance) return { weights, rest: undefined, gradientNormBound: bound };
  const refined = refine(problem, { weights, tolerance });
  return { weights: refined.high, rest: refined.low, gradientNormBound: refined.gradientNormBound };
}

/** Whole Newton steps, while each halves the bound or is the last. */
function refine(
  problem: Problem,
  { weights, tolerance }: { readonly weights: Float64Array; readonly tolerance: number },
): PrecisePoint {
  let point = precisePoint(problem, { high: weights, low: new Float64Array(weights.length) });
  while (point.gradientNormBound > tolerance) {
    const next = precisePoint(problem, preciseMove(point, newtonStep(problem, point)));
    if (!(next.gradientNormBound <= Math.max(tolerance, point.gradientNormBound / 2))) break;
    point = next;
  }
  return point;
}

function newtonStep(problem: Problem, { high, margins, gradient }: PrecisePoint): Float64Array {
  const size = high.length;
  const factors = new Float64Array(margins.length), into = new Float64Array(size);
  curvatureFactors(problem, { margins, into: factors });
  if (size <= MOST_FACTORED) {
    const matrix = new Float64Array(size * size);
    choleskyStep(problem, {
      at: { weights: high, gradient },
      scratch: factors,
      matrix,
      step: into,
    });
  } else {
    const tolerance = 1e-6 * norm(gradient), maximumProducts = 2 * size;
    conjugateGradientStep(problem, {
      weights: high,
      gradient,
      factors,
      tolerance,
      maximumProducts,
      into,
    });
  }
  return into;
}
