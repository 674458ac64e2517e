/**
 * N(f), 1-strongly convex and twice differentiable on ℝ^d, with N's minimum anywhere. The
 * privacy theorems use nothing else of it (Chaudhuri, Monteleoni, Sarwate 2011, Theorems 6 and 9), so
 * any may be supplied; it must not depend on the data. Matrices are row-major, of which only the
 * lower triangle is used.
 */
export interface Regulariser {
  /** As in reports and saved models. */
  readonly name: string;
  /** N(f). */
  value(weights: Float64Array): number;
  /** Adds scale·∇N(f) to `into`. */
  addGradient(weights: Float64Array, target: { scale: number; into: Float64Array }): void;
  /** Adds scale·∇²N(f) to the lower triangle of the d×d matrix `into`. */
  addHessian(weights: Float64Array, target: { scale: number; into: Float64Array }): void;
  /** Adds scale·∇²N(f)·direction to `into`. */
  addHessianProduct(
    weights: Float64Array,
    target: { direction: Float64Array; scale: number; into: Float64Array },
  ): void;
}

/**
 * ½‖f‖², the regulariser of ridge-penalised logistic regression and of support vector machines.
 *
 * @example
 * ```ts
 * import { squaredNorm } from "./regulariser.ts";
 * squaredNorm.value(Float64Array.of(3, 4)); // 12.5
 * ```
 */
export const squaredNorm: Regulariser = {
  name: "squared-norm",
  value(weights): number {
    let sum = 0;
    for (let j = 0; j < weights.length; j++) sum += weights[j]! * weights[j]!;
    return sum / 2;
  },
  addGradient(weights, { scale, into }): void {
    for (let j = 0; j < weights.length; j++) into[j]! += scale * weights[j]!;
  },
  addHessian(weights, { scale, into }): void {
    const d = weights.length;
    for (let j = 0; j < d; j++) into[j * d + j]! += scale;
  },
  addHessianProduct(weights, { direction, scale, into }): void {
    for (let j = 0; j < weights.length; j++) into[j]! += scale * direction[j]!;
  },
};

/**
 * Returns the regulariser Σ ½f_j² + softening·(√(1 + f_j²) − 1), the squared norm with a smooth pull towards few
 * large weights (a smooth stand-in for the elastic net of Zou, Hastie 2005). Strongly convex with constant
 * 1, for the second term is convex. An example of a regulariser that is not quadratic.
 *
 * @throws {RangeError} unless softening is at least 0 and finite.
 */
export function smoothElasticNet(softening: number): Regulariser {
  if (!(softening >= 0 && Number.isFinite(softening))) {
    throw new RangeError(
      `Cannot make a regulariser: softening must be at least 0 and finite: current value is ${softening}`,
    );
  }
  const slope = (f: number): number => f + softening * f / Math.sqrt(1 + f * f);
  const curvature = (f: number): number => 1 + softening / (1 + f * f) ** 1.5;
  return {
    name: `smooth-elastic-net(${softening})`,
    value(weights): number {
      let sum = 0;
      for (const f of weights) sum += f * f / 2 + softening * (Math.sqrt(1 + f * f) - 1);
      return sum;
    },
    addGradient(weights, { scale, into }): void {
      for (let j = 0; j < weights.length; j++) into[j]! += scale * slope(weights[j]!);
    },
    addHessian(weights, { scale, into }): void {
      const d = weights.length;
      for (let j = 0; j < d; j++) into[j * d + j]! += scale * curvature(weights[j]!);
    },
    addHessianProduct(weights, { direction, scale, into }): void {
      for (let j = 0; j < weights.length; j++) {
        into[j]! += scale * curvature(weights[j]!) * direction[j]!;
      }
    },
  };
}
