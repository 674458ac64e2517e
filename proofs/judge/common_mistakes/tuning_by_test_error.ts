import { all, atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The probability of choosing each candidate, by its mistakes, at ε = 1. */
type Choice = (mistakes: readonly number[]) => readonly number[];

const exponential = (rate: number): Choice => (mistakes) => {
  const weights = mistakes.map((count) => Math.exp(-rate * count));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

/** Choosing the regularisation constant by the fewest mistakes. */
export const tuningByTestError = falseClaim<Choice>({
  id: "common_mistakes/tuning_by_test_error",
  statement: "Choosing Λ by the fewest errors on held-out rows costs no privacy.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, section 7.2; Chaudhuri, Monteleoni 2008, section 5",
  source: "JMLR paper, how its experiments were prepared",
  remember: () =>
    "Where two candidates are one mistake apart, the choice tells which of the two datasets it was.",
  assumptions: ["a row replaced moves each count of mistakes by at most 1", "ε = 1"],
  onPaper: true,
  kind: "sampled",
  subject: (mistakes) => {
    const best = mistakes.indexOf(Math.min(...mistakes));
    return mistakes.map((_, i) => Number(i === best));
  },
  check: (choice) => {
    const pairs = [[[5, 6], [6, 5]], [[3, 3, 4], [4, 2, 4]], [[9, 0], [10, 1]]] as const;
    const losses = pairs.map(([left, right]) => {
      const p = choice(left), q = choice(right);
      return Math.max(
        ...p.map((chance, i) => chance === q[i] ? 0 : Math.abs(Math.log(chance / q[i]!))),
      );
    });
    return all(
      losses.map((value, i) =>
        atMost(1, {
          value,
          detail: "loss",
          witness: `mistakes ${pairs[i]!.join(" and ")}: loss ${value}`,
        })
      ),
      `losses ${losses.map(short).join(", ")}`,
    );
  },
  corrected: { name: "Algorithm 4: probability ∝ e^(−ε·mistakes/2)", subject: exponential(0.5) },
  mutants: { "probability ∝ e^(−ε·mistakes)": exponential(1) },
});
