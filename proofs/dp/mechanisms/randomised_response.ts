import { monomial } from "../../tools/polynomials.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  randomisedResponse as shippedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Of how many equally likely coin tosses each answer comes, by truth: [truth told, lie told]. */
interface Survey {
  readonly tosses: readonly [number, number];
  readonly bound: number;
  /** The shipped mechanism that is to have this law. */
  readonly shipped: () => Mechanism<boolean, boolean[]>;
}

/** The survey of two coins: three tosses of four tell the truth. */
export const randomisedResponse = theorem<Survey>({
  id: "mechanisms/randomised_response",
  statement: "The survey of two coins is (ln 3, 0)-differentially private, and no better.",
  citation: "Warner 1965; Dwork, Roth 2014, Claim 3.5",
  source: "Haußmann’s slides, claim on randomised response",
  remember: () =>
    `A yes is three times likelier from somebody whose truth is yes: ε = ln 3 = ${
      short(Math.log(3))
    }.`,
  assumptions: ["one respondent's truth changes"],
  kind: "exact",
  checked: "every output, both truths; the chance that the shipped survey states for each",
  subject: { tosses: [3, 1], bound: 3, shipped: twoCoinSurvey },
  check: ({ tosses: [truth, lie], bound, shipped }) => {
    const pair = {
      name: "yes against no",
      left: [monomial(truth), monomial(lie)],
      right: [monomial(lie), monomial(truth)],
    };
    const ratios = ratioOutcome([pair], { bound: monomial(bound), of: "both answers" });
    // The shipped mechanism has the law that was proved.
    const survey = shipped();
    const off = [true, false].flatMap((asked) =>
      survey.distribution!([asked]).map(({ output: [answer], probability }) =>
        Math.abs(probability - (answer === asked ? truth : lie) / (truth + lie))
      )
    );
    const law = atMost(1e-15, {
      value: Math.max(...off),
      detail: "the shipped survey tells the truth this often",
    });
    return all([ratios, { ...law, margin: 0 }], ratios.detail);
  },
  mutants: {
    "a first coin that is kept three times in four": {
      tosses: [7, 1],
      bound: 3,
      shipped: twoCoinSurvey,
    },
    "the claim ln 2": { tosses: [3, 1], bound: 2, shipped: twoCoinSurvey },
    "a shipped survey made for ε = 1": {
      tosses: [3, 1],
      bound: 3,
      shipped: () => shippedResponse({ epsilon: 1 }),
    },
  },
});
