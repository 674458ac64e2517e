import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";

/**
 * The error of MWEM's average iterate (Hardt, Ligett, McSherry 2012, Theorem 2.2): with probability at
 * least 1 − 2T/|Q|, no query is answered worse than 2n·√(ln|D|/T) + 10·T·ln|Q|/ε. The ε is that of the
 * rounds, n public.
 *
 * @param options `size` n, `cells` |D|, `queries` |Q|, `rounds` T.
 * @returns the error in rows, and the probability (0 where the theorem says nothing).
 * @throws {RangeError} unless all are positive, and all but ε integers.
 *
 * @example
 * ```ts
 * import { mwemErrorBound } from "./mwem_error_bound.ts";
 * mwemErrorBound({ size: 1e6, cells: 64, queries: 2080, rounds: 40, epsilon: 1 });
 * // 64.8% of the rows, with probability 0.96: small data are answered far better than the bound
 * ```
 */
export function mwemErrorBound(
  options: {
    readonly size: number;
    readonly cells: number;
    readonly queries: number;
    readonly rounds: number;
    readonly epsilon: number;
  },
): { error: number; probability: number } {
  const { size, cells, queries, rounds, epsilon } = requireFields("mwemErrorBound", options, {});
  requireKnown("call mwemErrorBound()", options, ["size", "cells", "queries", "rounds", "epsilon"]);
  const action = "bound the error of MWEM";
  for (const [name, value] of Object.entries({ size, cells, queries, rounds })) {
    requireInteger(action, name, value, { min: 1 });
  }
  requirePositive(action, "epsilon", epsilon);
  return {
    error: 2 * size * Math.sqrt(Math.log(cells) / rounds) +
      10 * rounds * Math.log(queries) / epsilon,
    probability: Math.max(0, 1 - 2 * rounds / queries),
  };
}
