import { factorCholesky, solveCholesky } from "./cholesky.ts";
import { conjugateGradientStep } from "./conjugate_gradient.ts";
import { leastAlong } from "./least_along.ts";
import {
  allocateEvaluation,
  curvatureFactors,
  evaluate,
  type Evaluation,
  hessian,
  type Problem,
} from "./problem.ts";
import { type RowBlocks, rowsAtOnce } from "../files/row_blocks.ts";
import type { Rows } from "../rows/rows.ts";

/**
 * Forming and factoring the Hessian pays while it costs no more than this many products with it; a
 * Newton step by conjugate gradients takes some tens of them.
 */
const PRODUCTS_WORTH_FACTORING = 20;

/** A product with rows that are not in memory reads, checks and clips them, and computes their margins twice. */
const READ_AND_TWICE = 8;

/** Columns for which a matrix of 8·d² bytes is still no burden. */
export const MOST_FACTORED = 4000;

/** A minimiser and its certificate. */
interface Minimum {
  /** The computed minimiser. */
  readonly weights: Float64Array;
  /**
   * ‖∇J‖ there, as computed. J is (lambda + quadratic)-strongly convex, so the true minimiser lies within
   * gradientNorm/(lambda + quadratic), but for the rounding that `certifiedMinimum` bounds.
   */
  readonly gradientNorm: number;
  /** The objective there. */
  readonly value: number;
  /**
   * Newton steps taken. It depends on the data: nothing private may be built on it, and learners
   * neither return nor store it.
   */
  readonly iterations: number;
}

/**
 * Minimises a regularised empirical risk by Newton's method with a line search: Cholesky factors for
 * moderate numbers of columns, conjugate gradients beyond. It stops when ‖∇J‖ ≤ tolerance, or when
 * the steps are spent or no longer help: look at `gradientNorm`, which certifies the distance to the
 * true minimiser.
 *
 * @throws {RangeError} unless there is at least one row and one column, and lambda > 0.
 */
export function minimise(
  problem: Problem,
  { tolerance, maximumIterations = 10_000, start, method, onIteration }: {
    readonly tolerance: number;
    readonly maximumIterations?: number;
    readonly start?: Float64Array;
    readonly method?: "cholesky" | "conjugate-gradient";
    /** Called after every step with ‖∇J‖; for the eyes of whoever holds the data only. */
    readonly onIteration?: (gradientNorm: number) => void;
  },
): Minimum {
  const { rowCount, columnCount } = problem.rows;
  if (rowCount === 0 || columnCount === 0) {
    throw new RangeError(
      `Cannot minimise: rows must be at least 1 by 1: current value is ${rowCount} by ${columnCount}`,
    );
  }
  let factored = (method ?? cheaperMethod(problem.rows)) === "cholesky";
  const scratch = new Float64Array(rowsAtOnce(problem.rows));
  const step = new Float64Array(columnCount);
  let matrix = new Float64Array(factored ? columnCount * columnCount : 0);
  let current = allocateEvaluation(problem), trial = allocateEvaluation(problem);
  if (start !== undefined) current.weights.set(start);
  evaluate(problem, { at: current, scratch });
  let iterations = 0;
  while (current.gradientNorm > tolerance && iterations < maximumIterations) {
    curvatureFactors(problem, { margins: current.margins, into: scratch });
    if (factored) choleskyStep(problem, { at: current, scratch, matrix, step });
    else {
      const maximumProducts = 2 * columnCount;
      const products = conjugateGradientStep(problem, {
        weights: current.weights,
        gradient: current.gradient,
        factors: scratch,
        tolerance: Math.max(
          tolerance / 4,
          Math.min(0.1, Math.sqrt(current.gradientNorm)) * current.gradientNorm,
        ),
        maximumProducts,
        into: step,
      });
      // So ill-conditioned that factoring is cheaper after all.
      if (products === maximumProducts && method === undefined && columnCount <= MOST_FACTORED) {
        factored = true;
        matrix = new Float64Array(columnCount * columnCount);
      }
    }
    iterations++;
    if (!advance(problem, { current, trial, step, scratch })) break;
    [current, trial] = [trial, current];
    onIteration?.(current.gradientNorm);
  }
  return {
    weights: current.weights,
    gradientNorm: current.gradientNorm,
    value: current.value,
    iterations,
  };
}

/** Depends on the layout and the number of stored values: on rounding only, as far as outputs go. */
function cheaperMethod(rows: Rows | RowBlocks): "cholesky" | "conjugate-gradient" {
  const { rowCount, columnCount } = rows;
  const valueCount = rows.kind === "blocks" ? rows.valueCount : rows.values.length;
  const perRow = valueCount / rowCount;
  const factoring = valueCount * perRow / 2 + columnCount ** 3 / 6;
  const product = (rows.kind === "blocks" ? READ_AND_TWICE : 2) * valueCount + columnCount;
  // Small systems: whatever is simplest.
  return columnCount <= 20 || factoring <= PRODUCTS_WORTH_FACTORING * product
    ? "cholesky"
    : "conjugate-gradient";
}

/** Writes −H⁻¹·gradient to `step`; `scratch` holds the factors of `curvatureFactors`. */
export function choleskyStep(
  problem: Problem,
  { at, scratch, matrix, step }: {
    at: Pick<Evaluation, "weights" | "gradient">;
    scratch: Float64Array;
    matrix: Float64Array;
    step: Float64Array;
  },
): void {
  const size = step.length;
  // Rounding may spoil the last pivots when lambda is near 1e-16 of the largest: then a ridge, which
  // slows the steps but not where they lead.
  for (let ridge = 0;; ridge = Math.max(10 * ridge, 1e-14)) {
    hessian(problem, { weights: at.weights, factors: scratch, into: matrix });
    for (let j = 0; j < size && ridge > 0; j++) matrix[j * size + j]! += ridge;
    if (factorCholesky(matrix, { size })) break;
  }
  for (let j = 0; j < size; j++) step[j] = -at.gradient[j]!;
  solveCholesky(matrix, { vector: step });
}

/**
 * Moves `trial` along `step` from `current`: by the whole step where the value falls enough (Armijo) or,
 * where rounding hides that, the gradient does; else to the least value along it. False when that is
 * no better.
 */
function advance(
  problem: Problem,
  { current, trial, step, scratch }: {
    current: Evaluation;
    trial: Evaluation;
    step: Float64Array;
    scratch: Float64Array;
  },
): boolean {
  let slope = 0;
  for (let j = 0; j < step.length; j++) slope += step[j]! * current.gradient[j]!;
  // A sum over n rows may lose n units in the last place, and does where many rows are equal.
  const rounding = (1e-13 + Number.EPSILON * problem.rows.rowCount) * (1 + Math.abs(current.value));
  const moveTo = (length: number): boolean => {
    for (let j = 0; j < step.length; j++) {
      trial.weights[j] = current.weights[j]! + length * step[j]!;
    }
    evaluate(problem, { at: trial, scratch });
    const falls = trial.value < current.value &&
      trial.value <= current.value + 1e-4 * length * slope;
    return falls || trial.gradientNorm < 0.9 * current.gradientNorm &&
        trial.value <= current.value + rounding;
  };
  return moveTo(1) || moveTo(leastAlong(step, { problem, from: current }));
}
