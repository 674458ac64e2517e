import {
  interval,
  multiplyIntervals,
  subtractIntervals,
} from "../../../lib/judge/exact/interval.ts";
import { absoluteInterval } from "../../tools/intervals.ts";
import { certifiedMaximum } from "../../tools/certified_maximum.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** How much above ε the certified bound may be, and how far apart the bounds on the largest loss. */
const TOLERANCE = 2e-3, GAP = 1e-3;

/** Laplace noise whose standard deviation is set where its scale is meant. */
export const laplaceByDeviation = falseClaim<{ readonly scale: number }>({
  id: "false_claims/laplace_by_deviation",
  statement:
    "Laplace noise of mean 0 and standard deviation S/ε makes a function of sensitivity S " +
    "ε-differentially private.",
  citation: "Chaudhuri, Monteleoni 2008 and Chaudhuri, Monteleoni, Sarwate 2011, section 2.3",
  source: "JMLR preprint, after Definition 4: “standard deviation” where the scale is meant",
  remember: () => `A scale of ${short(Math.SQRT1_2)}·S/ε, so that ${short(Math.SQRT2)}·ε is lost.`,
  onPaper: true,
  kind: "certified",
  subject: { scale: Math.SQRT1_2 },
  check: ({ scale }) => {
    // ln p(y|0)/p(y|1) = (|y − 1| − |y|)/scale for S = ε = 1; constant beyond [0, 1].
    const rate = interval(1 / scale);
    const { lower, upper, boxes } = certifiedMaximum({
      box: [interval(-2, 2)],
      enclose: ([y]) =>
        multiplyIntervals(
          rate,
          subtractIntervals(
            absoluteInterval(subtractIntervals(y!, interval(1))),
            absoluteInterval(y!),
          ),
        ),
      gap: GAP,
    });
    // The corrected scale must hold by the upper bound, a refutation stands by the lower one.
    return atMost(1, {
      value: lower > 1 ? lower : upper,
      detail: `the loss at ε = 1 is between ${short(lower)} and ${short(upper)} (${boxes} boxes)`,
      witness: `an output at the true value loses ${short(lower)}`,
      tolerance: TOLERANCE,
    });
  },
  corrected: { name: "scale S/ε, standard deviation √2·S/ε", subject: { scale: 1 } },
  mutants: { "scale 0.87·S/ε": { scale: 0.87 } },
});
