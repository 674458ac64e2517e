import {
  requireChance,
  requireDelta,
  requireNonNegative,
  requirePositive,
} from "../../../../core/numeric/require.ts";
import type { Loss } from "../losses/loss.ts";

/**
 * Calibration of a private learner's noise. All of it follows from declared numbers (n is public under
 * replace-one neighbours); nothing is read from the data.
 */
export interface Calibration {
  /** Place of the main noise: onto the minimiser, or into the objective before minimising. */
  readonly perturbation: "output" | "objective";
  /** The main noise: density ∝ e^(−rate·‖b‖) (pure), or N(0, sigma²) in every coordinate. */
  readonly noise:
    | { readonly kind: "exponential-norm"; readonly rate: number }
    | { readonly kind: "gaussian"; readonly sigma: number };
  /** Δ: added to the objective as ½Δ‖f‖². 0 for output perturbation. */
  readonly quadratic: number;
  /** The minimiser must reach ‖∇J‖ ≤ tolerance. */
  readonly tolerance: number;
  /**
   * Rate of the small second noise, of density ∝ e^(−rate·‖b‖), that covers what is left of the
   * minimisation under objective perturbation; undefined where the main noise covers it.
   */
  readonly residualRate: number | undefined;
  /**
   * Weights are rounded to multiples of this power of two, 2²⁰ times finer than the noise added last:
   * so coarse that the last bits of doubles, which betray what noise was added to (Mironov 2012), do
   * not come out, so fine that no use of the model notices.
   */
  readonly grid: number;
  /** Parts of ε, in nats, that are spent on the noise, on the Jacobian of the minimiser and on the residual. */
  readonly spent: { readonly noise: number; readonly jacobian: number; readonly residual: number };
}

/** The declared numbers that calibrations are made from. */
interface CalibrationInput {
  /** ε > 0, in nats, for neighbours that differ in one row replaced. */
  readonly epsilon: number;
  /** Rows: public. */
  readonly rowCount: number;
  /** Λ > 0. */
  readonly lambda: number;
  /** ℓ, for its bound c. */
  readonly loss: Loss;
  /** q: no row (intercept and all) is longer. */
  readonly normBound: number;
}

/**
 * Part of ε kept, under objective perturbation, for the minimiser not being exact. With the tolerance
 * of {@linkcode defaultTolerance} the noise that it pays for is a thousandth of the main noise.
 */
const RESIDUAL_SHARE = 1 / 1000;

/**
 * The least bound on ‖∇J‖ that `certifiedMinimum` is asked for: 2⁻⁴³·q·(1 + c). That is ten times what the
 * rounding of slopes and sums can do to a gradient, at any number of rows; the rest of the arithmetic has
 * twice the precision where it must.
 */
export function leastTolerance({ normBound, loss }: { normBound: number; loss: Loss }): number {
  return 2 ** -43 * normBound * (1 + loss.curvatureBound);
}

/**
 * The default bound on ‖∇J‖: a millionth of what one row can do to it (q/n), far below the noise; but at
 * least 1e-12·q, and {@linkcode leastTolerance}. From 10⁶ rows on it is a larger share of q/n, which the noise
 * pays for like any other.
 */
export function defaultTolerance(
  { rowCount, normBound, loss }: { rowCount: number; normBound: number; loss: Loss },
): number {
  return Math.max(
    normBound * Math.max(1e-6 / rowCount, 1e-12),
    leastTolerance({ normBound, loss }),
  );
}

/**
 * Output perturbation (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1, Theorem 6): the exact
 * minimiser moves by at most 2q/(nΛ) when a row is replaced (Corollary 8 for rows of norm q). The
 * computed one lies within tolerance/Λ of it, so its sensitivity is 2q/(nΛ) + 2·tolerance/Λ, and the
 * noise is set to that: whatever the solver did within the tolerance is paid for.
 *
 * @throws {RangeError} unless every number is positive and finite.
 */
export function calibrateOutput(
  { epsilon, rowCount, lambda, normBound, tolerance }: CalibrationInput & { tolerance: number },
): Calibration {
  const action = "calibrate output perturbation";
  requireInputs(action, { epsilon, rowCount, lambda, normBound });
  requireNonNegative(action, "tolerance", tolerance);
  const exact = 2 * normBound / (rowCount * lambda);
  const sensitivity = exact + 2 * tolerance / lambda;
  return {
    perturbation: "output",
    noise: { kind: "exponential-norm", rate: epsilon / sensitivity },
    quadratic: 0,
    tolerance,
    residualRate: undefined,
    grid: gridBelow(sensitivity / epsilon),
    spent: {
      noise: epsilon * exact / sensitivity,
      jacobian: 0,
      residual: epsilon * (1 - exact / sensitivity),
    },
  };
}

/** Division of ε in objective perturbation between its noise and the Jacobian of the minimiser. */
export interface ObjectiveShares {
  /**
   * `"tight"` (default): the determinants' ratio is at most 1 + cq²/(n(Λ + Δ)), for the Hessian on D′
   * is at most that on D plus one rank-one term, and the matrix determinant lemma. `"cms11"`: the
   * square of it, and the branches of Algorithm 2 as printed.
   */
  readonly slack?: "tight" | "cms11";
  /**
   * Tight slack only: the least share of ε that goes to the noise, in (0, 1); default 1/2. Where the
   * Jacobian would take more than the rest, Δ > 0 is added to the objective. So the noise falls and Δ
   * does not rise as ε rises; in Algorithm 2 as printed, ε just above the slack leaves next to nothing
   * for the noise, and the error rises with ε there.
   */
  readonly noiseShare?: number;
}

/**
 * Objective perturbation (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2, Theorem 9), for rows of
 * norm at most q: the noise b changes by at most 2q between neighbours, so ε′ of the budget gives it
 * density ∝ e^(−ε′‖b‖/(2q)); the Jacobian takes ln(1 + cq²/(n(Λ + Δ))), note q², or twice that with
 * CMS11's slack. With `delta` > 0 the noise is Gaussian (Kifer, Smith, Thakurta 2012, Algorithm 1):
 * the log-ratio of the noise densities is at most (2q·R + 2q²)/σ², R the length of b in the plane of
 * the two rows, P(R > r) = e^(−r²/2σ²), so with L = ln(1/δ) ε′ is kept by
 * σ = q(√(2L + 2ε′) + √(2L))/ε′ (a little under the paper's, and proved without asking that the two
 * rows' effects be independent of b).
 *
 * The computed f̂ is within 2·tolerance/(Λ + Δ), for both neighbours together, of a function of the
 * exactly private minimiser: noise of rate ε_residual(Λ + Δ)/(2·tolerance) is added to it, and
 * composition pays.
 *
 * @param input `residualShare` 0 leaves the residual unpaid: for the study of exact minimisers only.
 * @throws {RangeError} on numbers out of range.
 */
export function calibrateObjective(
  input: CalibrationInput & ObjectiveShares & {
    readonly tolerance: number;
    readonly delta?: number;
    readonly residualShare?: number;
  },
): Calibration {
  const { epsilon, rowCount, lambda, normBound, tolerance, delta = 0 } = input;
  const { slack = "tight", noiseShare = 1 / 2, residualShare = RESIDUAL_SHARE } = input;
  const action = "calibrate objective perturbation";
  requireInputs(action, { epsilon, rowCount, lambda, normBound });
  requirePositive(action, "tolerance", tolerance);
  requireDelta(action, "delta", delta);
  requireChance(action, "noiseShare", noiseShare);
  const residual = residualShare * epsilon;
  // cq²/n: by how much one row can bend the objective in one direction.
  const bend = input.loss.curvatureBound * normBound ** 2 / rowCount;
  const { noise, jacobian, quadratic } = slack === "tight"
    ? tightShares(epsilon - residual, { bend, lambda, noiseShare })
    : printedShares(epsilon - residual, { bend, lambda });
  const convexity = lambda + quadratic;
  // Without a second noise the exact minimiser is studied: on as fine a grid as the tolerance allows.
  const last = residual === 0 ? tolerance / convexity : 2 * tolerance / (residual * convexity);
  return {
    perturbation: "objective",
    noise: delta === 0
      ? { kind: "exponential-norm", rate: noise / (2 * normBound) }
      : { kind: "gaussian", sigma: gaussianSigma(noise, { delta, normBound }) },
    quadratic,
    tolerance,
    residualRate: residual === 0 ? undefined : 1 / last,
    grid: gridBelow(last),
    spent: { noise, jacobian, residual },
  };
}

/** The power of two just below 2⁻²⁰ of a scale. */
function gridBelow(scale: number): number {
  return 2 ** (Math.floor(Math.log2(scale)) - 20);
}

type Shares = { readonly noise: number; readonly jacobian: number; readonly quadratic: number };

function tightShares(
  epsilon: number,
  { bend, lambda, noiseShare }: { bend: number; lambda: number; noiseShare: number },
): Shares {
  const most = (1 - noiseShare) * epsilon;
  const jacobian = Math.log1p(bend / lambda);
  if (jacobian <= most) return { noise: epsilon - jacobian, jacobian, quadratic: 0 };
  // Rounding of this difference moves the Jacobian's share by a part in 1e16 of lambda: it is far
  // below what the residual's share leaves over.
  const quadratic = Math.max(0, bend / Math.expm1(most) - lambda);
  return { noise: epsilon - most, jacobian: most, quadratic };
}

function printedShares(
  epsilon: number,
  { bend, lambda }: { bend: number; lambda: number },
): Shares {
  const jacobian = 2 * Math.log1p(bend / lambda);
  if (epsilon - jacobian > 0) return { noise: epsilon - jacobian, jacobian, quadratic: 0 };
  // Above 0: the slack 2·ln(1 + bend/Λ) is at least ε here, so that bend/Λ is above e^(ε/4) − 1.
  const quadratic = bend / Math.expm1(epsilon / 4) - lambda;
  return { noise: epsilon / 2, jacobian: epsilon / 2, quadratic };
}

function gaussianSigma(
  epsilon: number,
  { delta, normBound }: { delta: number; normBound: number },
): number {
  const twice = 2 * Math.log(1 / delta);
  return normBound * (Math.sqrt(twice + 2 * epsilon) + Math.sqrt(twice)) / epsilon;
}

function requireInputs(
  action: string,
  numbers: { epsilon: number; rowCount: number; lambda: number; normBound: number },
): void {
  for (const [name, value] of Object.entries(numbers)) requirePositive(action, name, value);
}
