import { confidence } from "../../../lib/papers/breaches/sulq_condition.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Belief as a number that answers add to. */
export const confidenceIsAdditive = theorem<(p: number) => number>({
  id: "input_perturbation/confidence_is_additive",
  statement:
    "In conf(p) = log(p/(1 − p)) each answer adds the log of its likelihood ratio, whatever was " +
    "believed before.",
  citation: "Blum, Dwork, McSherry, Nissim 2005, section 3",
  source: "Shmatikov’s slides, formally: conf(p) = log p/(1 − p)",
  remember: () =>
    `From even odds, an answer nine times likelier if true takes belief to 90%: the log of nine is ${
      short(confidence(0.9))
    }.`,
  kind: "sampled",
  checked: "1,000 generated beliefs and answers",
  subject: confidence,
  check: (conf, { seed }) => {
    const source = new SeededSource(seed).split("beliefs");
    let worst = 0;
    for (let k = 0; k < 1000; k++) {
      const prior = 0.001 + 0.998 * source.uniform();
      const [a, b] = [0.01 + source.uniform(), 0.01 + source.uniform()];
      const posterior = prior * a / (prior * a + (1 - prior) * b);
      worst = Math.max(worst, Math.abs(conf(posterior) - conf(prior) - Math.log(a / b)));
    }
    return {
      holds: worst < 1e-9,
      margin: worst / 1e-9,
      detail: "1000 beliefs and answers, by Bayes' rule",
      ...(worst < 1e-9 ? {} : { witness: `off by ${worst}` }),
    };
  },
  mutants: { "log p": Math.log },
});
