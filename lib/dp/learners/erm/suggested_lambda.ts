import {
  requireDelta,
  requireFields,
  requireInteger,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { logisticLoss } from "./losses/logistic_loss.ts";
import type { Loss } from "./losses/loss.ts";
import { calibrationOf } from "./training_options.ts";

/** Options of a suggestion of Λ: public numbers, nothing from the rows or their labels. */
export interface LambdaOptions {
  /** ε > 0 in nats, of the whole model. */
  readonly epsilon: number;
  /** δ in [0, 1), as for `fit`. Default 0. */
  readonly delta?: number;
  /** As for `fit`. Default: objective. */
  readonly perturbation?: "output" | "objective";
  /** As for `fit`. Default: logistic. */
  readonly loss?: Loss;
  /** K ≥ 2, declared classes. Default 2. */
  readonly classCount?: number;
  /** n: public under replace-one neighbours. */
  readonly rowCount: number;
  /** d: the intercept, if any, is one of them. */
  readonly columnCount: number;
  /** q: no row is longer, intercept and all. */
  readonly normBound: number;
  /**
   * W, a guess at ‖f₀‖ of a good classifier, made without the data. Default 1.2√d/q: scores of
   * rows of norm q in all directions alike have a standard deviation of 1.2 then. It was chosen on
   * synthetic data with the rule, and did better there than any W/q that is the same for all d.
   */
  readonly weightNorm?: number;
}

/** qW/√d by default. */
const SCORE_DEVIATION = 1.2;

/**
 * Returns a Λ from public numbers only, so that choosing it costs no privacy: for the calibration that `fit`
 * would use, the one of least excess risk in a model where the loss is quadratic around f₀ with
 * Hessian hI, h = cq²/d (the trace of the Hessian is at most cq²). With m = Λ + Δ the minimiser errs by
 * m/(h + m) of f₀, and by the noise g of the gradient divided by h + m: that of the sample, with
 * E‖g‖² = cq²/n, and that of objective perturbation, E‖b‖²/n². What output perturbation adds afterwards
 * counts as it is. The lengths are those of the noise drawn: Γ(d, ·), or Gaussian where δ is given.
 *
 * K > 2 classes have K classifiers with ε/K and δ/K each, as `fit` trains them, and with weights
 * of norm W/K: the last for no reason but that it was best on synthetic data. So were the form of the
 * rule and the default of W chosen; bench/papers/erm/README has the families, seeds and errors. The rule is a
 * model, not a bound. Objective perturbation is taken with its default slack.
 *
 * @throws {RangeError} on numbers out of range, and on `delta` > 0 with output perturbation.
 *
 * @example
 * ```ts
 * import { suggestedLambda } from "./suggested_lambda.ts";
 * suggestedLambda({ epsilon: 1, rowCount: 10_000, columnCount: 20, normBound: 1 });
 * ```
 */
export function suggestedLambda(options: LambdaOptions): number {
  requireFields("suggestedLambda", options, { loss: "record?" });
  const { epsilon, delta = 0, perturbation = "objective", loss = logisticLoss } = options;
  const { classCount = 2, rowCount, columnCount, normBound } = options;
  const { weightNorm = SCORE_DEVIATION * Math.sqrt(columnCount) / normBound } = options;
  const action = "suggest lambda";
  requirePositive(action, "loss.curvatureBound", loss.curvatureBound);
  requirePositive(action, "epsilon", epsilon);
  requireDelta(action, "delta", delta);
  requireInteger(action, "classCount", classCount, { min: 2 });
  requireInteger(action, "rowCount", rowCount, { min: 1 });
  requireInteger(action, "columnCount", columnCount, { min: 1 });
  requirePositive(action, "normBound", normBound);
  requirePositive(action, "weightNorm", weightNorm);
  const classifiers = classCount === 2 ? 1 : classCount;
  const square = (weightNorm / classifiers) ** 2;
  const trace = loss.curvatureBound * normBound ** 2;
  const hessian = trace / columnCount;
  const calibrate = (lambda: number): { convexity: number; noise: number } => {
    const { noise, quadratic } = calibrationOf(
      { epsilon, delta, perturbation, loss, normBound, lambda },
      { rowCount, classifiers },
    );
    return {
      convexity: lambda + quadratic,
      noise: noise.kind === "gaussian"
        ? columnCount * noise.sigma ** 2
        : columnCount * (columnCount + 1) / noise.rate ** 2,
    };
  };
  // ln of the excess risk over that of f = 0.
  const excess = (logarithm: number): number => {
    const { convexity, noise } = calibrate(Math.exp(logarithm));
    const steepness = (hessian + convexity) ** 2;
    const gradient = trace / rowCount +
      (perturbation === "objective" ? noise / rowCount ** 2 : 0);
    const added = perturbation === "output" ? noise : 0;
    const ratio = (convexity ** 2 + gradient / square) / steepness + added / square;
    if (ratio < 1 / 2) return Math.log(ratio);
    // Near 1, where m is far above h, the difference from 1 is what tells two Λ apart.
    const pull = hessian * (hessian + 2 * convexity);
    return Math.log1p((gradient / square - pull) / steepness + added / square);
  };
  // Below the least convexity, where Δ makes up for a smaller Λ, nothing changes.
  const least = calibrate(1e-30 * normBound ** 2).convexity;
  const from = Math.log(least);
  return Math.exp(leastOf(excess, { from, to: from + 160 }));
}

/**
 * Returns the minimiser of a function that falls, then rises (or only rises), by golden sections (Kiefer 1953). Where
 * it is flat, rounding leaves some 1e-4 open, which no use of Λ notices.
 */
function leastOf(
  of: (x: number) => number,
  { from, to }: { from: number; to: number },
): number {
  const share = (Math.sqrt(5) - 1) / 2, first = from;
  let low = to - share * (to - from), high = from + share * (to - from);
  let atLow = of(low), atHigh = of(high);
  while (to - from > 1e-6) {
    if (atLow <= atHigh) {
      [to, high, atHigh] = [high, low, atLow];
      low = to - share * (to - from);
      atLow = of(low);
    } else {
      [from, low, atLow] = [low, high, atHigh];
      high = from + share * (to - from);
      atHigh = of(high);
    }
  }
  const middle = (from + to) / 2;
  return of(first) <= of(middle) ? first : middle;
}
