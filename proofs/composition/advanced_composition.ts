import { advancedComposition as advanced } from "../../lib/accounting/advanced_composition.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import { atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** ε′ for k mechanisms of ε with slack δ′. */
type Advanced = (epsilon: number, options: { count: number; slack: number }) => number;

/** The theorem's ε′, against the exact optimum. */
export const advancedComposition = theorem<Advanced>({
  id: "composition/advanced_composition",
  statement: "k-fold adaptive composition of (ε, δ)-DP mechanisms is (ε′, kδ + δ′)-DP for " +
    "ε′ = √(2k ln(1/δ′))·ε + kε(e^ε − 1).",
  citation: "Dwork, Rothblum, Vadhan 2010, Theorem III.3; Dwork, Roth 2014, Theorem 3.20",
  source: "Haußmann’s slides, theorem on composition",
  kind: "enumerated",
  subject: (epsilon, options) => advanced({ epsilon }, options).epsilon,
  check: (bound) => {
    let worst = 0, witness = "", cases = 0;
    for (const epsilon of [0.01, 0.1, 0.5, 1, 2]) {
      for (const count of [1, 2, 10, 100, 1000]) {
        for (const slack of [0.5, 0.1, 1e-3, 1e-8]) {
          cases++;
          const claimed = bound(epsilon, { count, slack });
          // Above kε no δ is lost at all.
          if (claimed >= count * epsilon) continue;
          const exact = optimalDelta([{ epsilon, count }], { epsilon: claimed });
          if (exact / slack > worst) {
            worst = exact / slack;
            witness = `${count} mechanisms of ε = ${epsilon}: δ is ${short(exact)} at ${
              short(claimed)
            }`;
          }
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: `${cases} settings, against the exact optimum`,
      witness,
    });
  },
  mutants: {
    "√(2k ln(1/δ′))·ε alone, halved": (epsilon, { count, slack }) =>
      Math.sqrt(2 * count * Math.log(1 / slack)) * epsilon / 2,
    "√(2k ln(1/δ′))·ε without the drift": (epsilon, { count, slack }) =>
      Math.sqrt(2 * count * Math.log(1 / slack)) * epsilon,
  },
});
