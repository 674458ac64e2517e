import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { perceptronCalibration, type PerceptronOptions } from "./perceptron.ts";

/** Properties of the rows, and the accuracy wanted of the perceptron. */
export interface PerceptronGoal {
  /** d: rows have so many features in [−1, 1]. */
  readonly columnCount: number;
  /** γ: some unit vector's product with every row's features, times its label, is at least this. */
  readonly margin: number;
  /** The claim, zero-concentrated, in nats. */
  readonly rho: number;
  /** Probability that it may fail, in (0, 1). */
  readonly failure: number;
}

/**
 * Returns options with which the private perceptron stops in time on rows with a margin, with probability at least
 * 1 − `failure`, and how many rows may then be on the wrong side (Blum, Dwork, McSherry, Nissim 2005
 * have the algorithm; this is Novikoff's argument with noise, and the constants are ours).
 *
 * Of all T noises none is beyond t = √(2R·ln(2T/failure)) but with that probability. An update is the
 * mean g of label times features over the wrong rows and an error of norm at most η = 3t√d/tolerance.
 * So u·w grows by γ − η at least, and ‖w‖ after k updates is at most √k·(√d + η) + kη, for w·g ≤ 0:
 * hence k ≤ ((√d + η)/(γ − 2η))². The tolerance here makes η = γ/4. At the end the noisy number of wrong
 * rows is within the tolerance, and the true one within t more.
 *
 * @throws {RangeError} unless columnCount is a positive integer, margin in (0, √d], rho positive and
 * failure in (0, 1).
 *
 * @example
 * ```ts
 * import { perceptronGuarantee } from "./perceptron_guarantee.ts";
 * const goal = { columnCount: 2, margin: 0.5, rho: 0.5, failure: 0.05 };
 * const { options, wrongRows } = perceptronGuarantee(goal);
 * options.rounds; // 38
 * wrongRows; // 1250.4, however many rows there are
 * ```
 */
export function perceptronGuarantee(
  given: PerceptronGoal,
): { readonly options: Required<PerceptronOptions>; readonly wrongRows: number } {
  const { columnCount, margin, rho, failure } = requireFields("perceptronGuarantee", given, {});
  const action = "guarantee what a perceptron does";
  requireInteger(action, "columnCount", columnCount, { min: 1 });
  requirePositive(action, "margin", margin);
  requirePositive(action, "failure", failure);
  const longest = Math.sqrt(columnCount);
  if (!(margin <= longest && failure < 1)) {
    throw new RangeError(
      `Cannot ${action}: margin must be at most ${longest} and failure below 1: current values are ${margin} and ${failure}`,
    );
  }
  const error = margin / 4;
  // One more than there can be updates: the last round finds that it may stop.
  const rounds = Math.floor(((longest + error) / (margin - 2 * error)) ** 2) + 1;
  const { variance, queries } = perceptronCalibration({ columnCount, rounds, rho });
  const noise = Math.sqrt(2 * variance * Math.log(2 * queries / failure));
  const tolerance = 3 * noise * longest / error;
  return { options: { columnCount, rounds, rho, tolerance }, wrongRows: tolerance + noise };
}
