import { type Calibration, leastTolerance } from "../noise/calibration.ts";
import type { Loss } from "../losses/loss.ts";

/** The strongest convexity is so many times the weakest at most, for steps in doubles to find a minimum. */
export const MOST_CONDITION = 1e12;

/** Squares of such numbers and of their quotients are far from the ends of the doubles. */
const LARGEST = 1e60;

/**
 * Throws on options with which the solver might not reach the tolerance that the noise is calibrated to:
 * after the budget has paid nothing may depend on that.
 *
 * @throws {RangeError} naming the option.
 */
export function requireSolvable(
  { noise, quadratic, tolerance, residualRate = 1, grid }: Calibration,
  { lambda, loss, normBound }: { lambda: number; loss: Loss; normBound: number },
): void {
  const action = "train";
  const sizes = {
    "normBound": normBound,
    "lambda": lambda,
    "the scale of the noise": noise.kind === "gaussian" ? noise.sigma : 1 / noise.rate,
    "the scale of the second noise": 1 / residualRate,
    "the grid of weights": grid,
  };
  for (const [name, value] of Object.entries(sizes)) {
    if (value >= 1 / LARGEST && value <= LARGEST) continue;
    throw new RangeError(
      `Cannot ${action}: ${name} must be from ${
        1 / LARGEST
      } to ${LARGEST}: current value is ${value}`,
    );
  }
  const least = leastTolerance({ normBound, loss });
  if (!(tolerance >= least)) {
    throw new RangeError(
      `Cannot ${action}: tolerance must be at least ${least}: current value is ${tolerance}`,
    );
  }
  const bend = loss.curvatureBound * normBound ** 2;
  if (!(bend <= MOST_CONDITION * (lambda + quadratic))) {
    throw new RangeError(
      `Cannot ${action}: lambda must be at least ${bend / MOST_CONDITION - quadratic} ` +
        `with this normBound and loss: current value is ${lambda}`,
    );
  }
}
