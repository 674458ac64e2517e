import { logGamma } from "../../../../core/numeric/log_gamma.ts";
import type { Calibration } from "./calibration.ts";
import { factorCholesky, logDeterminant } from "../solver/cholesky.ts";
import { minimise } from "../solver/minimise.ts";
import { curvatureFactors, hessian, norm, type Problem } from "../solver/problem.ts";
import { rowsAtOnce } from "../files/row_blocks.ts";
import { addWeightedRows, computeMargins } from "../solver/row_kernels.ts";
import type { RiskMinimisation } from "./sample_minimiser.ts";
import { visitRows } from "../solver/visit_rows.ts";

/**
 * ln of the density at `weights` of objective perturbation's exact minimiser on this data, by change
 * of variables (Chaudhuri, Monteleoni, Sarwate 2011, proof of Theorem 9): the noise that leads to f is
 * b(f) = −Σ y_i ℓ′(y_i f·x_i) x_i − n(Λ∇N(f) + Δf), and the density at f is that of the noise at b(f)
 * times the determinant of −db/df = Σ ℓ″ x_i x_iᵀ + n(Λ∇²N + Δ). The second noise for the residual is
 * left out: it is a function of the outcome, and is composed.
 *
 * @throws {RangeError} when the calibration is of output perturbation.
 */
export function objectivePerturbationLogDensity(
  weights: Float64Array,
  { calibration, ...risk }: RiskMinimisation & { readonly calibration: Calibration },
): number {
  if (calibration.perturbation !== "objective") {
    throw new RangeError(
      "Cannot compute a density: perturbation must be objective: current value is output",
    );
  }
  const problem: Problem = { ...risk, quadratic: calibration.quadratic };
  return noiseLogDensity(noiseLeadingTo(weights, problem), calibration) +
    logJacobian(weights, problem);
}

/**
 * ln of the density at `weights` of output perturbation on this data: that of the noise at
 * weights − f*. The minimiser f* is computed to 1e-13 in the gradient.
 */
export function outputPerturbationLogDensity(
  weights: Float64Array,
  { calibration, ...risk }: RiskMinimisation & { readonly calibration: Calibration },
): number {
  const problem: Problem = { ...risk, quadratic: calibration.quadratic };
  const minimiser = minimise(problem, { tolerance: 1e-13 }).weights;
  return noiseLogDensity(weights.map((f, j) => f - minimiser[j]!), calibration);
}

/** b(f): the one noise vector for which `weights` minimises the perturbed objective. */
export function noiseLeadingTo(weights: Float64Array, problem: Problem): Float64Array {
  const { rows, loss, regulariser, lambda, quadratic } = problem;
  const n = rows.rowCount;
  const noise = weights.map((f) => -n * quadratic * f);
  visitRows(problem, (block, signs) => {
    const factors = new Float64Array(block.rowCount);
    computeMargins(block, { weights, signs, into: factors });
    for (let i = 0; i < factors.length; i++) factors[i] = -signs[i]! * loss.slope(factors[i]!);
    addWeightedRows(block, { factors, into: noise });
  });
  regulariser.addGradient(weights, { scale: -n * lambda, into: noise });
  return noise;
}

/** ln det(−db/df): d ln n plus that of the Hessian of the objective. */
export function logJacobian(weights: Float64Array, problem: Problem): number {
  const { rowCount: n, columnCount: size } = problem.rows;
  const factors = new Float64Array(rowsAtOnce(problem.rows));
  visitRows(problem, (block, signs) => computeMargins(block, { weights, signs, into: factors }));
  curvatureFactors(problem, { margins: factors.slice(), into: factors });
  const matrix = new Float64Array(size * size);
  hessian(problem, { weights, factors, into: matrix });
  if (!factorCholesky(matrix, { size })) {
    throw new RangeError("Cannot compute a density: the Hessian must be positive definite");
  }
  return logDeterminant(matrix, { size }) + size * Math.log(n);
}

function noiseLogDensity(noise: Float64Array, calibration: Calibration): number {
  const d = noise.length, length = norm(noise);
  if (calibration.noise.kind === "gaussian") {
    const { sigma } = calibration.noise;
    return -0.5 * (length / sigma) ** 2 - d * Math.log(sigma * Math.sqrt(2 * Math.PI));
  }
  const { rate } = calibration.noise;
  // ∫ e^(−rate·‖b‖) db = S·(d − 1)!/rate^d, with the surface S = 2π^(d/2)/Γ(d/2) of the unit sphere.
  const logSurface = Math.LN2 + d / 2 * Math.log(Math.PI) - logGamma(d / 2);
  return d * Math.log(rate) - logSurface - logGamma(d) - rate * length;
}
