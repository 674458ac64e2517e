import { rational } from "../../../../lib/core/numeric/rational.ts";
import {
  answers,
  argmax,
  type ContinuousForm,
  each,
  lyu,
  noisy,
  sparseVectorForm,
  ε,
} from "./continuous_form.ts";

/** Programs that claim 1-DP and do not keep it. */
export const brokenForms: readonly ContinuousForm[] = [
  {
    name: "half of the noise",
    program: noisy(1 / (2 * ε)),
    domain: answers(1),
    relation: each,
    proved: 2,
    known: 2,
    source: "scale of half the sensitivity",
  },
  {
    name: "noisy max with half of the noise",
    program: argmax(1 / ε),
    domain: answers(5),
    relation: each,
    proved: 2,
    known: 2,
    source: "the scale for counts (Dwork, Roth 2014, section 3.3)",
  },
  {
    name: "noisy max with the value",
    program: (list, source) => {
      const values = noisy(2 / ε)(list, source), best = source.indexOfLargest(values);
      return [best, values[best]];
    },
    domain: answers(5),
    relation: each,
    proved: 2.5,
    known: 2.5,
    source: "Ding et al. 2018, Algorithm 7",
  },
  {
    name: "the largest value, exponential",
    program: (list, source) => {
      const values = noisy(2 / ε, "exponential")(list, source);
      return values[source.indexOfLargest(values)];
    },
    domain: answers(5),
    relation: each,
    proved: Infinity,
    known: Infinity,
    source: "Ding et al. 2018, Algorithm 8",
  },
  {
    name: "sparse vector 3",
    program: sparseVectorForm({
      cutoff: 1,
      thresholdScale: 2 / ε,
      answerScale: 2 / ε,
      above: "value",
    }),
    domain: answers(5),
    relation: each,
    proved: 2.5,
    known: 2.5,
    source: `${lyu} 3 (Roth 2011)`,
  },
  {
    name: "sparse vector 4",
    program: sparseVectorForm({ cutoff: 1, thresholdScale: 4 / ε, answerScale: rational(4, 3) }),
    domain: answers(5),
    relation: each,
    proved: 1.75,
    known: 1.75,
    source: `${lyu} 4 (Lee, Clifton 2014): (1 + 6·cut-off)/4`,
  },
  {
    name: "sparse vector 5",
    program: sparseVectorForm({ cutoff: Infinity, thresholdScale: 2 / ε, answerScale: 0 }),
    domain: answers(5),
    relation: each,
    proved: Infinity,
    known: Infinity,
    source: `${lyu} 5 (Stoddard, Chen, Machanavajjhala 2014)`,
  },
  {
    name: "sparse vector 6",
    program: sparseVectorForm({ cutoff: Infinity, thresholdScale: 2 / ε, answerScale: 2 / ε }),
    domain: answers(5),
    relation: each,
    proved: 2.5,
    source: `${lyu} 6 (Chen et al. 2015)`,
  },
];
