import { calibrateObjective } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";

/** Objective perturbation in one dimension where all rows but the first are zero. */
interface OneRow {
  readonly loss: Loss;
  /** n(Λ + Δ): the curvature of the rest of the objective, times n. */
  readonly convexity: number;
  /** Noise of density ∝ e^(−rate·|b|). */
  readonly rate: number;
  /** False for the error of leaving the Jacobian out of the account: then only noise is compared. */
  readonly jacobian?: boolean;
}

/**
 * What the shipped learner sets for one row of norm at most 1 and an exact solver, given ε and nΛ.
 */
export function calibrateOneRow(
  options: {
    readonly epsilon: number;
    readonly lambda: number;
    readonly loss: Loss;
    readonly slack?: "tight" | "cms11";
  },
): ReturnType<typeof calibrateObjective> {
  return calibrateObjective({
    ...options,
    rowCount: 1,
    normBound: 1,
    tolerance: 1e-12,
    residualShare: 0,
  });
}

/**
 * ln of the density of the minimiser at f, up to a constant, when the first row is x·y = u:
 * b(f) = −u·ℓ′(uf) − n(Λ + Δ)f and its derivative (Chaudhuri, Monteleoni, Sarwate 2011, Theorem 9).
 */
function oneRowLogDensity(
  f: number,
  u: number,
  { loss, convexity, rate, jacobian = true }: OneRow,
): number {
  const noise = -u * loss.slope(u * f) - convexity * f;
  const bend = jacobian ? Math.log(convexity + u * u * loss.curvature(u * f)) : 0;
  return -rate * Math.abs(noise) + bend;
}

/** The largest loss over these rows and a line of f: dense near 0 and the kinks, and far out. */
export function oneRowLoss(rows: readonly number[], options: OneRow): number {
  let worst = 0;
  const consider = (f: number): void => {
    let least = Infinity, most = -Infinity;
    for (const u of rows) {
      const log = oneRowLogDensity(f, u, options);
      least = Math.min(least, log);
      most = Math.max(most, log);
    }
    worst = Math.max(worst, most - least);
  };
  const { convexity } = options;
  for (let step = -4000; step <= 4000; step++) {
    consider(step / 500);
    consider(step / 4000 * (6 + 6 / convexity));
  }
  // Beside the kinks of the Huber hinge with h = 1/2, and where a row leaves no noise.
  for (const u of rows) {
    for (const z of [0.5, 1.5, 0]) {
      for (const side of [-1e-9, 1e-9]) if (u !== 0) consider((z + side) / u);
    }
    let f = 0;
    for (let k = 0; k < 200; k++) f += 0.5 * (-u * options.loss.slope(u * f) / convexity - f);
    consider(f);
  }
  return worst;
}
