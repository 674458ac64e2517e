import { replaceOne } from "../../core/relations/relation.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import { requireSecondMoments, type SecondMomentOptions } from "./principal_directions.ts";

/**
 * Returns a bound on the distance, in operator norm, of `noisySecondMoments` from Σ xxᵀ of the clipped rows, with probability at
 * least 1 − `failure`: 4σ·√(d·ln 9 + ln(2/failure)), σ the deviation of the noise on an entry. (A net of 9ᵈ
 * unit vectors finds half of the norm, and xᵀEx has variance 2σ² at most. The rounding of rows, d·2⁻²¹ of
 * a row's squared norm bound, is left out.)
 *
 * So the k directions found have at least Σ of the k largest eigenvalues less 2k times this, and the first
 * is off by an angle of sine at most twice this over the gap between the first two (Davis, Kahan 1970, in
 * the form of Yu, Wang, Samworth 2015, Corollary 1).
 *
 * @throws {RangeError} when an option is out of range, and unless failure is in (0, 1).
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { secondMomentError } from "./second_moment_error.ts";
 * const options = { columnCount: 5, normBound: 1, rho: 0.5, relation: replaceOne };
 * secondMomentError(options, { failure: 0.05 }); // 21.7: small beside the moments of 10,000 rows
 * ```
 */
export function secondMomentError(
  options: SecondMomentOptions,
  given: { readonly failure: number },
): number {
  const { columnCount, normBound, rho, relation } = requireFields("secondMomentError", options, {
    relation: "relation",
    domain: "record?",
  });
  const { failure } = requireFields("secondMomentError", given, {});
  const action = "bound the error of second moments";
  requireSecondMoments(action, { columnCount, normBound, relation });
  requirePositive(action, "rho", rho);
  requirePositive(action, "failure", failure);
  if (!(failure < 1)) {
    throw new RangeError(
      `Cannot ${action}: failure must be below 1: current value is ${failure}`,
    );
  }
  const deviation = normBound ** 2 * Math.sqrt((relation === replaceOne ? 2 : 1) / (2 * rho));
  return 4 * deviation * Math.sqrt(columnCount * Math.log(9) + Math.log(2 / failure));
}
