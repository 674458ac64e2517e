import { monomial } from "../../tools/polynomials.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { exponentialPairs, type ScoreWeighting } from "../../dp/mechanisms/exponential.ts";
import { all, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** ln of the ratio of the first candidate's probabilities when one score rises and 1000 fall. */
function lossAmong(candidates: number, { power }: ScoreWeighting): number {
  // Scores (0, gap + 2, …) and (1, gap + 1, …), with t = e^(ε/2), ε = 1 and a wide gap.
  const rate = power / 2, gap = 0;
  const first = (own: number, other: number): number =>
    1 / (1 + (candidates - 1) * Math.exp(rate * (other - own)));
  return Math.log(first(1, gap + 1) / first(0, gap + 2));
}

/** The exponential mechanism with e^(ε·u/Δu). */
export const exponentialWithoutHalf = falseClaim<ScoreWeighting>({
  id: "common_mistakes/exponential_without_half",
  statement: "Choosing r with probability ∝ e^(ε·u(r)/Δu) is ε-differentially private.",
  citation: "against McSherry, Talwar 2007, Theorem 6, which has 2εΔu",
  source: "code that leaves the 2 out",
  remember: () =>
    `Among 1,000 candidates it loses ${short(lossAmong(1000, { power: 2 }))} at ε = 1.`,
  assumptions: ["scores may rise and fall between neighbours"],
  onPaper: true,
  kind: "exact",
  subject: { power: 2 },
  check: (weighting) => {
    const proof = ratioOutcome(exponentialPairs(weighting), {
      bound: monomial(1, 2),
      of: "all whole scores of 2 to 4 candidates",
    });
    const loss = lossAmong(1000, weighting);
    return { ...all([proof], proof.detail), margin: loss };
  },
  corrected: { name: "with the 2", subject: { power: 1 } },
  mutants: { "three times too sharp": { power: 3 } },
});
