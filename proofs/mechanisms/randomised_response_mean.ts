import { estimateProportion } from "../../lib/mechanisms/randomised_response.ts";
import { theorem } from "../engine/theorem.ts";

/** The share of "yes" answers, in quarters, when a truth is told: [truth is no, truth is yes]. */
type Quarters = readonly [number, number];

/** The expected share of "yes" and the estimate that inverts it. */
export const randomisedResponseMean = theorem<Quarters>({
  id: "mechanisms/randomised_response_mean",
  statement: "A share p of true yes gives an expected share 1/4·(1 − p) + 3/4·p = 1/4 + p/2 of " +
    "answers yes, and 2·share − 1/2 estimates p without bias.",
  citation: "Warner 1965; Dwork, Roth 2014, section 3.2",
  source: "Haußmann’s slides, randomised response",
  kind: "exhaustive",
  checked: "101 shares p, in hundredths",
  subject: [1, 3],
  check: ([no, yes]) => {
    // In hundredths of p, so that all is whole numbers: 4·100·share = no·(100 − p) + yes·p.
    for (let p = 0; p <= 100; p++) {
      const share = no * (100 - p) + yes * p;
      if (share !== 100 + 2 * p) {
        return { holds: false, margin: NaN, witness: `p = ${p}%`, detail: "expected share" };
      }
      // The estimator is affine: its mean is its value at the expected share.
      const answers = Array.from({ length: 400 }, (_, i) => i < share);
      const estimate = estimateProportion(answers, { truthProbability: 0.75 });
      if (Math.abs(estimate - p / 100) > 1e-12) {
        return { holds: false, margin: NaN, witness: `estimate ${estimate}`, detail: "estimate" };
      }
    }
    return { holds: true, margin: NaN, detail: "101 shares, in whole numbers" };
  },
  mutants: { "the second coin always says yes": [2, 4], "the truth is always told": [0, 4] },
});
