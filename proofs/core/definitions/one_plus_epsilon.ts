import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The two sides of an inequality between 1 + ε and e^ε. */
interface Sides {
  readonly ratio: (epsilon: number) => number;
  readonly excess: (epsilon: number) => number;
}

/** In which direction the slides' definition may be used. */
export const onePlusEpsilon = theorem<Sides>({
  id: "definitions/one_plus_epsilon",
  statement:
    "A ratio of at most 1 + ε is ε-differential privacy and more; for ε ≤ 1 it is off by " +
    "less than ε²: 1 + ε ≤ e^ε ≤ 1 + ε + ε².",
  citation: "Dwork, McSherry, Nissim, Smith 2006, on e^ε ≈ 1 + ε",
  source: "Chaudhuri’s slides, definition; Haußmann’s slides, note",
  remember: () =>
    `At ε = .1 the two are ${short(1 + 0.1)} and ${short(Math.exp(0.1))}, at ε = 1 they are 2 and ${
      short(Math.E)
    }.`,
  onPaper: true,
  kind: "sampled",
  checked: "1,000 values of ε from .001 to 1",
  subject: { ratio: (epsilon) => 1 + epsilon, excess: (epsilon) => epsilon * epsilon },
  check: ({ ratio, excess }) => {
    let worst = 0;
    for (let k = 1; k <= 1000; k++) {
      const epsilon = k / 1000;
      worst = Math.max(
        worst,
        Math.log(ratio(epsilon)) / epsilon,
        Math.exp(epsilon) / (1 + epsilon + excess(epsilon)),
      );
    }
    return atMost(1, { value: worst, detail: "ε from .001 to 1", witness: `${worst}` });
  },
  mutants: {
    "1 + 2ε": { ratio: (epsilon) => 1 + 2 * epsilon, excess: (epsilon) => epsilon * epsilon },
    "off by ε²/2": { ratio: (epsilon) => 1 + epsilon, excess: (epsilon) => epsilon * epsilon / 2 },
  },
});
