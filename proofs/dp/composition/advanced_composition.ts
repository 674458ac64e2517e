import { advancedComposition as advanced } from "../../../lib/dp/accounting/composition/advanced_composition.ts";
import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Setting {
  readonly epsilon: number;
  readonly delta: number;
}

/** ε′ and the whole δ for k mechanisms of (ε, δ) with slack δ′. */
type Advanced = (part: Setting, options: { count: number; slack: number }) => Setting;

/** Its ε′ by another rule, with the shipped δ. */
function withEpsilon(
  rule: (epsilon: number, options: { count: number; slack: number }) => number,
): Advanced {
  return (part, options) => ({ ...advanced(part, options), epsilon: rule(part.epsilon, options) });
}

/** The theorem's ε′, against the exact optimum. */
export const advancedComposition = theorem<Advanced>({
  id: "composition/advanced_composition",
  statement: "k-fold adaptive composition of (ε, δ)-DP mechanisms is (ε′, kδ + δ′)-DP for " +
    "ε′ = √(2k ln(1/δ′))·ε + kε(e^ε − 1).",
  citation: "Dwork, Rothblum, Vadhan 2010, Theorem III.3; Dwork, Roth 2014, Theorem 3.20",
  source: "Haußmann’s slides, theorem on composition",
  remember: () =>
    `100 releases of ε = .1 cost ${
      short(advanced({ epsilon: 0.1, delta: 0 }, { count: 100, slack: 1e-5 }).epsilon)
    } with δ = 1e-5, where the sum is ${short(100 * 0.1)}.`,
  assumptions: [
    "the exact optimum holds for adaptive choices (Kairouz, Oh, Viswanath 2015, Theorem 3.3, which is not checked here)",
  ],
  kind: "sampled",
  checked:
    "300 settings: 1 to 1000 mechanisms, ε from .01 to 2, δ from 0 to .5, against the exact optimum",
  subject: advanced,
  check: (bound) => {
    let worst = 0, witness = "", cases = 0;
    for (const epsilon of [0.01, 0.1, 0.5, 1, 2]) {
      for (const count of [1, 2, 10, 100, 1000]) {
        for (const slack of [0.5, 0.1, 1e-3, 1e-8]) {
          for (const delta of [0, slack / count, 1e-5]) {
            cases++;
            const claim = bound({ epsilon, delta }, { count, slack });
            const exact = optimalDelta([{ epsilon, delta, count }], { epsilon: claim.epsilon });
            const share = exact / claim.delta;
            // A share that is not a number fails.
            if (share > worst || Number.isNaN(share)) {
              worst = share;
              witness = `${count} mechanisms of (${epsilon}, ${short(delta)}): δ is ${
                short(exact)
              } at ${short(claim.epsilon)}, where ${short(claim.delta)} is claimed`;
            }
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
    "√(2k ln(1/δ′))·ε alone, halved": withEpsilon((epsilon, { count, slack }) =>
      Math.sqrt(2 * count * Math.log(1 / slack)) * epsilon / 2
    ),
    "√(2k ln(1/δ′))·ε without the drift": withEpsilon((epsilon, { count, slack }) =>
      Math.sqrt(2 * count * Math.log(1 / slack)) * epsilon
    ),
    "δ′ without kδ": (part, options) => ({ ...advanced(part, options), delta: options.slack }),
    "δ once in place of k times": (part, options) => ({
      ...advanced(part, options),
      delta: part.delta + options.slack,
    }),
  },
});
