import { leakage } from "../../../lib/papers/breaches/average_measures.ts";
import { addUniform } from "../../../lib/papers/breaches/randomisation_operator.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const SIZE = 91, PRIOR = Array.from({ length: SIZE }, () => 1 / SIZE);

/** What uniform ages with noise of this reach tell, on average and at worst. */
export function toldOfAges({ reach }: { readonly reach: number }): ReturnType<typeof leakage> {
  return leakage(addUniform({ size: SIZE, reach }), PRIOR);
}

/** Mutual information is small while one output gives everything away. */
export const averageHidesWorst = theorem<{ readonly reach: number; readonly output: number }>({
  id: "input_perturbation/average_hides_worst",
  statement:
    "Ages 0 to 90 with whole noise of ±20 have little mutual information with what is seen, " +
    "yet an output of 110 gives the age away.",
  citation: "Evfimievski, Gehrke, Srikant 2003, section 1; Agrawal, Aggarwal 2001 for the measure",
  source: "Shmatikov’s slides, input perturbation example: “Doris's age is 90”",
  remember: () => {
    const { mutualInformation, worstDistance } = toldOfAges({ reach: 20 });
    return `${short(mutualInformation)} nats on average, ${
      short(worstDistance)
    } = ln ${SIZE} where 110 is seen.`;
  },
  kind: "exhaustive",
  checked: "the one case that is stated, uniform ages",
  subject: { reach: 20, output: 110 },
  check: ({ reach, output }) => {
    const operator = addUniform({ size: SIZE, reach });
    const { mutualInformation, worstDistance } = toldOfAges({ reach });
    const possible = PRIOR.filter((_, age) => operator.probability(age, output + reach) > 0).length;
    const holds = possible === 1 && mutualInformation < Math.log(SIZE) / 4 &&
      Math.abs(worstDistance - Math.log(SIZE)) < 1e-9;
    return {
      holds,
      margin: mutualInformation / worstDistance,
      detail: `${short(mutualInformation)} nats on average, ${
        short(worstDistance)
      } = ln ${SIZE} at worst`,
      ...(holds ? {} : { witness: `output ${output} leaves ${possible} ages possible` }),
    };
  },
  mutants: { "an output of 109": { reach: 20, output: 109 }, "no noise": { reach: 0, output: 90 } },
});
