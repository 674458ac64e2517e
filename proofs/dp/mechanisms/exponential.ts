import type { Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { monomial } from "../../tools/polynomials.ts";
import type { LawPair } from "../../tools/enumerate.ts";
import { ratioOutcome, scorePairs } from "../../engine/finite_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The exponential mechanism with weight t^(power·score), where t = e^(ε/2) and sensitivity is 1. */
export interface ScoreWeighting {
  readonly power: number;
}

/** The mechanism's laws on all pairs of up to 4 candidates with whole scores. */
export function* exponentialPairs({ power }: ScoreWeighting): Generator<LawPair> {
  // Weights t^(power·(score + 1)): a common factor, so that no exponent is negative.
  const law = (scores: readonly number[]): Polynomial[] =>
    scores.map((score) => monomial(1, power * (score + 1)));
  for (const [candidates, most] of [[2, 4], [3, 2], [4, 1]] as const) {
    for (const { left, right } of scorePairs({ candidates, most })) {
      yield { name: `scores ${left} and ${right}`, left: law(left), right: law(right) };
    }
  }
}

/** The exponential mechanism, for all ε at once. */
export const exponential = theorem<ScoreWeighting>({
  id: "mechanisms/exponential",
  statement: "Choosing r with probability ∝ e^(ε·u(r)/(2Δu)) is ε-differentially private.",
  citation: "McSherry, Talwar 2007, Theorem 6; Dwork, Roth 2014, Theorem 3.10",
  source: "Haußmann’s slides, exponential mechanism",
  remember: () =>
    `At ε = 1 a candidate that is ten points better is ${short(Math.exp(10 / 2))} times likelier.`,
  assumptions: ["each score moves by at most Δu = 1 between neighbours"],
  onPaper: true,
  kind: "exact",
  checked:
    "every ε at once; all whole scores of two candidates up to 4, of three up to 2 and of four up to 1",
  subject: { power: 1 },
  check: (weighting) =>
    ratioOutcome(exponentialPairs(weighting), {
      bound: monomial(1, 2),
      of: "all whole scores of 2 to 4 candidates",
    }),
  mutants: { "without the 2 in the exponent": { power: 2 } },
});
