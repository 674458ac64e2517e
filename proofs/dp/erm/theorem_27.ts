import { integerVectors } from "../../engine/finite_check.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How many mistakes more than the least are allowed. */
type Excess = (options: { candidates: number; delta: number; epsilon: number }) => number;

/** The utility of the private choice. */
export const theorem27 = theorem<Excess>({
  id: "erm/theorem_27",
  statement: "Algorithm 4 chooses a candidate with z ≤ z_min + 2ln(m/δ)/ε with probability 1 − δ.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 27; McSherry, Talwar 2007",
  source: "JMLR preprint, parameter tuning",
  remember: () =>
    `Of ten candidates at ε = 1 the chosen one has no more than ${
      short(2 * Math.log(10 / 0.05))
    } mistakes beyond the least, in 19 choices of 20.`,
  onPaper: true,
  kind: "sampled",
  checked: "351 lists of mistakes of two to four candidates, three ε and three δ, exact chances",
  subject: ({ candidates, delta, epsilon }) => 2 * Math.log(candidates / delta) / epsilon,
  check: (excess) => {
    let worst = 0, witness = "", cases = 0;
    for (const epsilon of [0.5, 1, 3]) {
      for (const delta of [0.3, 0.1, 0.01]) {
        for (const candidates of [2, 3, 4]) {
          const allowed = excess({ candidates, delta, epsilon });
          // Candidates that are as good as may be and still too bad, and all mixtures with fewer.
          const near = Math.floor(allowed) + 1;
          for (const gaps of integerVectors(candidates - 1, { min: 0, max: 2 })) {
            cases++;
            const mistakes = [0, ...gaps.map((gap) => gap === 0 ? 0 : near + gap - 1)];
            const weights = mistakes.map((z) => Math.exp(-epsilon * z / 2));
            const total = weights.reduce((sum, weight) => sum + weight, 0);
            const bad = weights.reduce(
              (sum, weight, i) => mistakes[i]! > allowed ? sum + weight : sum,
              0,
            ) / total;
            if (bad / delta > worst || Number.isNaN(bad / delta)) {
              [worst, witness] = [bad / delta, `mistakes ${mistakes}`];
            }
          }
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: `${cases} lists of mistakes, exactly; at worst ${short(worst)} δ`,
      witness,
    });
  },
  mutants: {
    "ln(m/δ)/ε": ({ candidates, delta, epsilon }) => Math.log(candidates / delta) / epsilon,
  },
});
