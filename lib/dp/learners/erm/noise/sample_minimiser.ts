import type { Source } from "../../../../core/mechanism/source.ts";
import { floatNormal } from "../../../../core/random/float_normal.ts";
import type { Calibration } from "./calibration.ts";
import { certifiedMinimum } from "../solver/certified_minimum.ts";
import type { Loss } from "../losses/loss.ts";
import type { Problem } from "../solver/problem.ts";
import type { Regulariser } from "../losses/regulariser.ts";
import { vectorNoise } from "./vector_noise.ts";
import type { SignedRows } from "../solver/visit_rows.ts";

/**
 * Rows no longer than the norm bound of the calibration (the caller clips), labels and objective: what both
 * perturbations start from.
 */
export interface RiskMinimisation extends SignedRows {
  /** ℓ. */
  readonly loss: Loss;
  /** N. */
  readonly regulariser: Regulariser;
  /** Λ > 0. */
  readonly lambda: number;
}

/**
 * One draw of the private minimiser, from a source of either kind: what audits and tests run. Users
 * call `fit`, which spends a budget and takes a secure source only.
 *
 * The weights are rounded to a grid declared by the calibration, so that their last bits tell nothing.
 *
 * The solver is judged by a bound on the exact gradient, rounding included (`certifiedMinimum`). How many
 * steps it took, and whether doubles were enough, shows in no output. It shows in the time taken, which no
 * claim here covers.
 *
 * @param start where the solver begins; the draw may depend on it within the tolerance only.
 * @throws {Error} when the solver cannot reach the tolerance; nothing is released then.
 */
export function sampleMinimiser(
  source: Source,
  { calibration, start, onIteration, ...risk }: RiskMinimisation & {
    readonly calibration: Calibration;
    readonly start?: Float64Array;
    readonly onIteration?: (gradientNorm: number) => void;
  },
): Float64Array {
  const d = risk.rows.columnCount, n = risk.rows.rowCount;
  const { perturbation, quadratic, tolerance, residualRate, grid } = calibration;
  const noise = drawNoise(source, new Float64Array(d), calibration);
  const inside = perturbation === "objective";
  const problem: Problem = inside
    ? { ...risk, quadratic, linear: noise.map((b) => b / n) }
    : { ...risk, quadratic };
  const { weights, rest, gradientNormBound } = certifiedMinimum(problem, {
    tolerance,
    ...(start === undefined ? {} : { start }),
    ...(onIteration === undefined ? {} : { onIteration }),
  });
  if (!(gradientNormBound <= tolerance)) {
    throw new Error(
      `Cannot minimise: the norm of the gradient must come to ${tolerance} or less. ` +
        "A larger tolerance or lambda would make it do so",
    );
  }
  if (!inside) addTo(weights, noise);
  if (residualRate !== undefined) {
    addTo(weights, vectorNoise(source, new Float64Array(d), { rate: residualRate }));
  }
  if (rest !== undefined) addTo(weights, rest);
  for (let j = 0; j < d; j++) weights[j] = Math.round(weights[j]! / grid) * grid;
  return weights;
}

function drawNoise(source: Source, out: Float64Array, { noise }: Calibration): Float64Array {
  return noise.kind === "gaussian"
    ? floatNormal(source, out, { scale: noise.sigma })
    : vectorNoise(source, out, { rate: noise.rate });
}

function addTo(weights: Float64Array, noise: Float64Array): void {
  for (let j = 0; j < weights.length; j++) weights[j]! += noise[j]!;
}
