import { pure } from "../../../lib/core/claim.ts";
import { replaceOne } from "../../../lib/core/relation.ts";
import type { certificateOf } from "../../../lib/exact/enumeration/certificate.ts";
import { checkExactly } from "../../../lib/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../../lib/exact/enumeration/drawing_from.ts";
import { byCoefficients, holdForEveryT } from "../../../lib/exact/enumeration/every_epsilon.ts";
import type { Polynomial } from "../../../lib/exact/polynomial.ts";
import { requireEqual } from "../../engine/requirement.ts";

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

/** A certificate is for every ε where coefficients alone show it, and nowhere else. */
export function requireCertifiedMethods(certify: typeof certificateOf): void {
  const options = { datasets: [[0], [1]], neighbours: [[0, 1]] as const };
  const run = drawingFrom((data, draws) =>
    (data[0] as number) ^ draws.choice({ exponents: [0, 1] })
  );
  const { report, details } = checkExactly({ name: "it", run }, {
    ...options,
    claim: pure({ epsilon: 1, relation: replaceOne }),
  });
  // t − 1, and (t − 2)².
  for (
    const [polynomials, every] of [
      [undefined, false],
      [[[-1n, 1n]], true],
      [[[4n, -4n, 1n]], false],
      [[[-1n, 1n], [4n, -4n, 1n]], false],
    ] as [Polynomial[] | undefined, boolean][]
  ) {
    const inequalities = polynomials && {
      power: 1,
      inequalities: polynomials.map((polynomial, pair) => ({ pair, key: "0", polynomial })),
    };
    const text = certify(
      { report, details: { ...details, inequalities } as typeof details },
      options,
    );
    requireEqual(JSON.parse(text).everyEpsilon, every, `every ε of ${polynomials?.length} signs`);
  }
}
