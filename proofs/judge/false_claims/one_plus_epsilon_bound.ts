import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** How many times likelier an output may be. */
type Ratio = (epsilon: number) => number;

/** The definition of the slides, as something that ε-DP would imply. */
export const onePlusEpsilonBound = falseClaim<Ratio>({
  id: "false_claims/one_plus_epsilon_bound",
  statement:
    "For an ε-differentially private algorithm no output is more than 1 + ε times likelier " +
    "on one dataset than on its neighbour.",
  citation:
    "slides of Chaudhuri, Monteleoni, Sarwate; Dwork, McSherry, Nissim, Smith 2006 have e^ε",
  source: "Chaudhuri’s slides, definition and proof sketch; Haußmann’s slides: exp(ε) ≈ 1 + ε",
  remember: () => `At ε = 1 an output may be ${short(Math.E)} times likelier, not twice.`,
  onPaper: true,
  kind: "sampled",
  subject: (epsilon) => 1 + epsilon,
  check: (ratio) => {
    let worst = 0, at = 0;
    for (const epsilon of [0.01, 0.1, 0.5, 1, 3]) {
      // Randomised response attains e^ε.
      const truth = 1 / (1 + Math.exp(-epsilon)), lie = 1 / (1 + Math.exp(epsilon));
      const share = truth / lie / ratio(epsilon);
      if (share > worst) [worst, at] = [share, epsilon];
    }
    return atMost(1, {
      value: worst,
      detail: "randomised response at ε from .01 to 3",
      witness:
        `randomised response at ε = ${at} is ${short(worst)} times beyond; for small ε the ` +
        "excess is ε²/2",
      tolerance: 1e-12,
    });
  },
  corrected: { name: "e^ε", subject: Math.exp },
  mutants: { "1 + ε + ε²/2": (epsilon) => 1 + epsilon + epsilon * epsilon / 2 },
});
