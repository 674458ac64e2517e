import { byCoefficients, holdForEveryT } from "../../lib/exact/enumeration/every_epsilon.ts";
import type { Polynomial } from "../../lib/exact/polynomial.ts";
import { requireEqual } from "../engine/requirement.ts";

/** What holds for every t is told from what coefficients alone show. */
export function requireMethods(): void {
  const of = (...polynomials: Polynomial[]) => ({
    power: 1,
    inequalities: polynomials.map((polynomial, pair) => ({ pair, key: "", polynomial })),
  });
  // t − 1, (t − 2)² and t − 2, for t ≥ 1.
  const [rising, square, negative]: Polynomial[] = [[-1n, 1n], [4n, -4n, 1n], [-2n, 1n]];
  for (
    const [inequalities, holds, coefficients] of [
      [of(), true, true],
      [of(rising!), true, true],
      [of(rising!, rising!), true, true],
      [of(square!), true, false],
      [of(rising!, square!), true, false],
      [of(square!, rising!), true, false],
      [of(negative!), false, false],
      [of(rising!, negative!), false, false],
      [of(negative!, rising!), false, false],
    ] as const
  ) {
    requireEqual([holdForEveryT(inequalities), byCoefficients(inequalities)], [
      holds,
      coefficients,
    ], "what holds for every t, and is shown by coefficients");
  }
}
