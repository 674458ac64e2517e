import {
  estimateProportion,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { outcomeOf, requireNear } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** A survey, and what turns its answers into an estimate of the share of true yes. */
interface Surveyed {
  readonly survey: () => Mechanism<boolean, boolean[]>;
  readonly estimate: (answers: readonly boolean[]) => number;
}

const shipped: Surveyed = {
  survey: twoCoinSurvey,
  estimate: (answers) => estimateProportion(answers, { truthProbability: 0.75 }),
};

/** Respondents up to which all lists of truths and all lists of answers are looked at. */
const MOST = 6;

/** All lists of so many truths. */
function truthLists(size: number): boolean[][] {
  return Array.from(
    { length: 2 ** size },
    (_, bits) => Array.from({ length: size }, (_, i) => ((bits >> i) & 1) === 1),
  );
}

/** The expected share of "yes" and the estimate that inverts it. */
export const randomisedResponseMean = theorem<Surveyed>({
  id: "mechanisms/randomised_response_mean",
  statement: "A share p of true yes gives an expected share 1/4·(1 − p) + 3/4·p = 1/4 + p/2 of " +
    "answers yes, and 2·share − 1/2 estimates p without bias.",
  citation: "Warner 1965; Dwork, Roth 2014, section 3.2",
  source: "Haußmann’s slides, randomised response",
  remember: () =>
    `From 1,000 respondents the share is estimated within a standard deviation of ${
      short(1 / Math.sqrt(1000))
    }: that of honest answers is at most half of it.`,
  kind: "exhaustive",
  checked:
    `the shipped survey and its estimate: all lists of truths of one to ${MOST} respondents, the mean over all lists of answers by the chances that the survey states`,
  subject: shipped,
  check: ({ survey, estimate }) =>
    outcomeOf(`one to ${MOST} respondents, all truths and answers`, () => {
      const asked = survey();
      for (let size = 1; size <= MOST; size++) {
        for (const truths of truthLists(size)) {
          const p = truths.filter((yes) => yes).length / size;
          let share = 0, mean = 0;
          for (const { output, probability } of asked.distribution!(truths)) {
            share += probability * output.filter((yes) => yes).length / size;
            mean += probability * estimate(output);
          }
          requireNear(share, 1 / 4 + p / 2, { what: `the expected share at p = ${p}` });
          requireNear(mean, p, { what: `the mean of the estimate at p = ${p}`, absolute: 1e-12 });
        }
      }
    }),
  mutants: {
    "a survey that tells the truth for ε = 1": {
      ...shipped,
      survey: () => randomisedResponse({ epsilon: 1 }),
    },
    "an estimate for truths told four times in five": {
      ...shipped,
      estimate: (answers) => estimateProportion(answers, { truthProbability: 0.8 }),
    },
    "the share of yes as it is": {
      ...shipped,
      estimate: (answers) => estimateProportion(answers, { truthProbability: 1 }),
    },
  },
});
