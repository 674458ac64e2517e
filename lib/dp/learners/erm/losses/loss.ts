/**
 * A convex loss of the margin z = y·(f·x), twice differentiable (the Huber hinge but at two points),
 * decreasing, with |slope| ≤ 1: what the privacy theorems of Chaudhuri, Monteleoni, Sarwate 2011
 * (JMLR 12, Theorems 6 and 9) ask for.
 */
export interface Loss {
  /** As in reports and saved models, with its parameter: `huber-hinge(0.5)`. */
  readonly name: string;
  /** ℓ(z). */
  value(margin: number): number;
  /** ℓ′(z), in [−1, 0]. */
  slope(margin: number): number;
  /** ℓ″(z), in [0, {@linkcode Loss.curvatureBound}]. */
  curvature(margin: number): number;
  /** The paper's c: ℓ″ ≤ c everywhere. Objective perturbation pays for it. */
  readonly curvatureBound: number;
  /**
   * The sum of ℓ over `margins`, with every slope written to `slopes`: for a loss that can do both
   * faster together. Must agree with the other two but for rounding.
   */
  sumAndSlopes?(margins: Float64Array, target: { slopes: Float64Array }): number;
}
