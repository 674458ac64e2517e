import {
  objectiveRequirement,
  outputRequirement,
  type Requirement,
} from "../checks/erm_sample_requirements.ts";
import { atMost, short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** How many times the rows of the theorem the corollary takes. */
interface Rows {
  readonly factor: number;
}

/** A probability of 1 − δ out of a theorem that gives 1 − 2δ. */
export const corollary20Probability = falseClaim<Rows>({
  id: "false_claims/corollary_20_probability",
  statement:
    "The rows for which Theorems 15 and 18 give L(f_priv) ≤ L(f₀) + ε_g with probability 1 − 2δ give it " +
    "with probability 1 − δ, as Corollaries 20 and 21 say.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollaries 20 and 21",
  source: "a slip of no weight: the constant C is left open, and twice the rows pay for δ/2",
  assumptions: ["the theorem asks for its rows at δ/2; δ ≤ ½; 1440 settings of all else"],
  kind: "enumerated",
  subject: { factor: 1 },
  check: ({ factor }) => {
    let worst = 0, witness = "";
    const settings: Requirement[] = [1, 2, 100].flatMap((d) =>
      [1, 3, 30, 100].flatMap((norm) =>
        [0.3, 0.01].flatMap((error) =>
          [0.01, 0.1, 1].flatMap((epsilon) =>
            [0.25, 1].flatMap((c) =>
              [0.5, 0.25, 0.1, 0.01, 1e-6].map((delta) => ({ d, norm, error, epsilon, c, delta }))
            )
          )
        )
      )
    );
    for (const at of settings) {
      for (const rows of [outputRequirement, objectiveRequirement]) {
        const share = rows({ ...at, delta: at.delta / 2 }) / (factor * rows(at));
        if (share > worst) {
          worst = share;
          witness = `d = ${at.d}, δ = ${at.delta}: ${
            short(share)
          } times as many rows are asked for`;
        }
      }
    }
    return atMost(1, { value: worst, detail: `${2 * settings.length} requirements`, witness });
  },
  corrected: { name: "twice the rows", subject: { factor: 2 } },
  mutants: { "half as many again": { factor: 1.5 } },
});
