import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The least nΛ that a proof asks for, given c and ε. */
type Condition = (given: { readonly c: number; readonly epsilon: number }) => number;

/** When objective perturbation's slack leaves something of ε. */
export const lemma23Slack = falseClaim<Condition>({
  id: "false_claims/lemma_23_slack",
  statement: "If nΛ > c/(4ε) then c/(nΛ) < ε/4, so that ε′ = ε − 2ln(1 + c/(nΛ)) > 0.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, proofs of Theorem 18 and Lemma 23",
  source: "JMLR paper, proofs: c/(nΛ) is below 4ε there, and not below ε/4",
  remember: () =>
    `At ε = 1 the condition leaves ε′ = ${short(1 - 2 * Math.log1p(4))}: more than all is spent.`,
  onPaper: true,
  kind: "sampled",
  subject: ({ c, epsilon }) => c / (4 * epsilon),
  check: (condition) => {
    let worst = Infinity, witness = "";
    for (const c of [0.25, 1, 10]) {
      for (let k = 1; k <= 200; k++) {
        const epsilon = 0.05 * k;
        const convexity = condition({ c, epsilon }) * (1 + 1e-9);
        const left = (epsilon - 2 * Math.log1p(c / convexity)) / epsilon;
        if (left < worst) {
          worst = left;
          witness = `c = ${c}, ε = ${short(epsilon)}: ε′ = ${short(left * epsilon)}`;
        }
      }
    }
    return {
      holds: worst > 0,
      margin: 1 - worst,
      detail: `the least ε′/ε is ${short(worst)}, over ε from .05 to 10`,
      ...(worst > 0 ? {} : { witness }),
    };
  },
  corrected: { name: "nΛ ≥ 4c/ε, which leaves ε/2", subject: ({ c, epsilon }) => 4 * c / epsilon },
  mutants: { "nΛ ≥ c/ε": ({ c, epsilon }) => c / epsilon },
});
