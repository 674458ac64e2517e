import {
  addUniform,
  addUniformModulo,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const SIZE = 1001;

/** The three operators of the example. */
type Operators = readonly [
  first: RandomisationOperator,
  second: RandomisationOperator,
  third: RandomisationOperator,
];

const moduloNoise = (reach: number): RandomisationOperator =>
  addUniformModulo({ size: SIZE, reach });
const shipped: Operators = [
  replaceByAnother({ size: SIZE, keep: 0.2 }),
  moduloNoise(100),
  mixWithUniform(moduloNoise(100), { keep: 0.5 }),
];

/** The operators R1, R2 and R3 by their chances. */
export const transitionProbabilities = theorem<Operators>({
  id: "input_perturbation/transition_probabilities",
  statement:
    "R1 keeps x with probability .2 and gives each other value with .8/1000; R2 gives each value within 100 of x, modulo 1001, " +
    "with 1/201; R3 gives those with ½(1/201 + 1/1001) and each other value with 1/2002.",
  citation: "Evfimievski, Gehrke, Srikant 2003, section 2, example",
  source: "Shmatikov’s slides, example and amplification example",
  remember: () =>
    `R3 gives a near value with ${short((1 / 201 + 1 / SIZE) / 2)}, ${
      short((1 / 201 + 1 / SIZE) * SIZE)
    } times as often as a far one.`,
  kind: "exhaustive",
  checked: "all 1001² chances of each of the three shipped operators, and their sums",
  subject: shipped,
  check: (operators) =>
    outcomeOf("3,006,003 chances", () => {
      const stated = [
        (apart: number) => apart === 0 ? 0.2 : 0.8 / 1000,
        (apart: number) => apart <= 100 ? 1 / 201 : 0,
        (apart: number) => apart <= 100 ? (1 / 201 + 1 / 1001) / 2 : 1 / 2002,
      ];
      operators.forEach((operator, i) => {
        requireThat(operator.inputs === SIZE && operator.outputs === SIZE, `R${i + 1}: sizes`);
        for (let x = 0; x < SIZE; x++) {
          let total = 0;
          for (let y = 0; y < SIZE; y++) {
            const apart = Math.min(Math.abs(x - y), SIZE - Math.abs(x - y));
            const chance = operator.probability(x, y), expected = stated[i]!(apart);
            requireThat(
              Math.abs(chance - expected) <= 1e-15,
              () => `R${i + 1}: ${x} becomes ${y} with ${chance}, not ${expected}`,
            );
            total += chance;
          }
          requireNear(total, 1, { absolute: 1e-12, what: `R${i + 1}: sum of chances` });
        }
      });
    }),
  mutants: {
    "R1 that may give x for another": [
      mixWithUniform(replaceByAnother({ size: SIZE, keep: 1 }), { keep: 0.2 }),
      shipped[1],
      shipped[2],
    ],
    "R2 within 99": [shipped[0], moduloNoise(99), shipped[2]],
    "R2 that does not wrap round": [
      shipped[0],
      { ...addUniform({ size: SIZE, reach: 100 }), outputs: SIZE },
      shipped[2],
    ],
    "R3 that uses R2 three times in five": [
      shipped[0],
      shipped[1],
      mixWithUniform(moduloNoise(100), { keep: 0.6 }),
    ],
  },
});
