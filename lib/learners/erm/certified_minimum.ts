import { conjugateGradientStep } from "./conjugate_gradient.ts";
import { gradientNormBound } from "./gradient_bound.ts";
import { choleskyStep, minimise, MOST_FACTORED } from "./minimise.ts";
import { preciseMove, type PrecisePoint, precisePoint } from "./precise_point.ts";
import { allocateEvaluation, curvatureFactors, evaluate, norm, type Problem } from "./problem.ts";

/** A point at which the exact gradient is known to be short. */
export interface CertifiedMinimum {
  /** The weights, rounded. */
  readonly weights: Float64Array;
  /** What is left of them, where doubles alone are too coarse: the point is weights + rest. */
  readonly rest: Float64Array | undefined;
  /** The exact gradient there is no longer, the rounding of this bound included. */
  readonly gradientNormBound: number;
}

/** More steps than the last digits take: each wins about eight. */
const MOST_REFINEMENTS = 60;

/** The strongest convexity is so many times the weakest at most, as `requireSolvable` has it. */
const MOST_CONDITION = 1e12;

/**
 * Minimises until the *exact* gradient is at most `tolerance` long: by `minimise` in doubles, and where the
 * rounding of the gradient leaves that open, by Newton steps on weights of twice the precision. `tolerance`
 * may be as small as `leastTolerance` says.
 *
 * A few rows and a tiny Λ can end this early: a Newton step is then so long that no length along it is better. The
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

/** What a search for a minimum is told. */
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
  evaluate(problem, { at, scratch: new Float64Array(problem.rows.rowCount) });
  const bound = gradientNormBound(problem, at);
  if (bound <= tolerance) return { weights, rest: undefined, gradientNormBound: bound };
  const refined = refine(problem, { weights, tolerance });
  return { weights: refined.high, rest: refined.low, gradientNormBound: refined.gradientNormBound };
}

function refine(
  problem: Problem,
  { weights, tolerance }: { readonly weights: Float64Array; readonly tolerance: number },
): PrecisePoint {
  let point = precisePoint(problem, { high: weights, low: new Float64Array(weights.length) });
  for (let step = 0; step < MOST_REFINEMENTS && !(point.gradientNormBound <= tolerance); step++) {
    const next = refineOnce(problem, point);
    if (!(next.gradientNormBound < point.gradientNormBound)) break;
    point = next;
  }
  return point;
}

/** A whole Newton step where it halves the gradient; else to the least value along it. */
function refineOnce(problem: Problem, point: PrecisePoint): PrecisePoint {
  const step = newtonStep(problem, point);
  const at = (length: number): PrecisePoint =>
    precisePoint(problem, preciseMove(point, { step, length }));
  const whole = at(1);
  if (norm(whole.gradient) <= 0.5 * norm(point.gradient)) return whole;
  const slopeAt = ({ gradient }: PrecisePoint): number =>
    gradient.reduce((sum, value, j) => sum + value * step[j]!, 0);
  let low = 0, high = 1, best = whole;
  const look = (length: number): number => {
    const next = at(length);
    if (next.gradientNormBound < best.gradientNormBound) best = next;
    return slopeAt(next);
  };
  while (look(high) < 0 && high < 2 ** 20) [low, high] = [high, 2 * high];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2;
    if (look(middle) < 0) low = middle;
    else high = middle;
  }
  return best;
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
