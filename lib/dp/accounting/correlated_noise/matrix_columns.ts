import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireInteger, requireKind } from "../../../core/numeric/require.ts";

const ACTION = "make a matrix";

/**
 * The columns of a lower triangular matrix with the same numbers below each place of its diagonal (banded Toeplitz): the entry of row i and column j is the coefficient i − j.
 *
 * @throws {RangeError} when there are no coefficients, one is not finite, or steps is no positive integer.
 *
 * @example
 * ```ts
 * import { bandedColumns } from "@dpcheck/dpcheck/accounting";
 * bandedColumns([1, 0.5], { steps: 3 }); // [[1, 0.5, 0], [0, 1, 0.5], [0, 0, 1]]
 * ```
 */
export function bandedColumns(
  coefficients: readonly number[],
  options: { readonly steps: number },
): number[][] {
  requireKind("bandedColumns", "coefficients", coefficients, "list");
  const { steps } = requireFields("bandedColumns", options, {});
  requireKnown("call bandedColumns()", options, ["steps"]);
  requireInteger(ACTION, "the number of coefficients", coefficients.length, { min: 1 });
  requireInteger(ACTION, "steps", steps, { min: 1 });
  for (const value of coefficients) {
    if (!Number.isFinite(value)) {
      throw new RangeError(
        `Cannot ${ACTION}: coefficients must be finite: current value is ${value}`,
      );
    }
  }
  return Array.from(
    { length: steps },
    (_, j) => Array.from({ length: steps }, (_, i) => i < j ? 0 : coefficients[i - j] ?? 0),
  );
}

/**
 * The first coefficients of (1 − x)^(−1/2), of the square root of the matrix of prefix sums: 1, 1/2, 3/8, 5/16, … (Fichtenberger, Henzinger, Upadhyay 2023).
 *
 * @throws {RangeError} when count is no positive integer.
 *
 * @example
 * ```ts
 * import { squareRootCoefficients } from "@dpcheck/dpcheck/accounting";
 * squareRootCoefficients({ count: 3 }); // [1, 0.5, 0.375]
 * ```
 */
export function squareRootCoefficients(options: { readonly count: number }): number[] {
  const { count } = requireFields("squareRootCoefficients", options, {});
  requireKnown("call squareRootCoefficients()", options, ["count"]);
  requireInteger(ACTION, "count", count, { min: 1 });
  const coefficients = [1];
  for (let k = 1; k < count; k++) coefficients.push(coefficients[k - 1]! * (2 * k - 1) / (2 * k));
  return coefficients;
}

/**
 * The columns of the binary tree over some steps (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011): a row for each node whose steps are all there, 1 for the steps that it sums.
 *
 * @throws {RangeError} when steps is no positive integer.
 *
 * @example
 * ```ts
 * import { treeColumns } from "@dpcheck/dpcheck/accounting";
 * treeColumns({ steps: 2 }); // two leaves and their parent: [[1, 0, 1], [0, 1, 1]]
 * ```
 */
export function treeColumns(options: { readonly steps: number }): number[][] {
  const { steps } = requireFields("treeColumns", options, {});
  requireKnown("call treeColumns()", options, ["steps"]);
  requireInteger(ACTION, "steps", steps, { min: 1 });
  const nodes: { from: number; to: number }[] = [];
  for (let size = 1; size <= steps; size *= 2) {
    for (let from = 0; from + size <= steps; from += size) nodes.push({ from, to: from + size });
  }
  return Array.from(
    { length: steps },
    (_, step) => nodes.map(({ from, to }) => from <= step && step < to ? 1 : 0),
  );
}
