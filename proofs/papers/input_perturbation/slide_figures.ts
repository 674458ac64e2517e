import { beliefIn } from "../../../lib/papers/breaches/privacy_breach.ts";
import {
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";
import { all, equals, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** R1 by the share that it keeps. */
type First = (keep: number) => RandomisationOperator;

const SIZE = 1001;
const prior = Array.from({ length: SIZE }, (_, x) => x === 0 ? 0.01 : 0.00099);
const another: First = (keep) => replaceByAnother({ size: SIZE, keep });

/** R1 to R3 of the example. */
export function operatorsOf(
  first: First = another,
): {
  readonly R1: RandomisationOperator;
  readonly R2: RandomisationOperator;
  readonly R3: RandomisationOperator;
} {
  const R2 = addUniformModulo({ size: SIZE, reach: 100 });
  return { R1: first(0.2), R2, R3: mixWithUniform(R2, { keep: 0.5 }) };
}

/** Belief in a property before and after 0 was seen. */
export function beliefAtZero(
  property: (x: number) => boolean,
  operator: RandomisationOperator,
): ReturnType<typeof beliefIn> {
  return beliefIn(property, { prior, operator, output: 0 });
}

/** The beliefs that the slides print for R1, R2 and R3. */
export const slideFigures = theorem<First>({
  id: "input_perturbation/slide_figures",
  statement:
    "With P(0) = .01 and P(x) = .00099 for x = 1…1000, Q1 (x = 0) and Q2 (x outside 200…800) " +
    "are 1% and 40.5% likely; after R(x) = 0 was seen, 71.6% and 83% for R1, 4.8% and 100% for R2, " +
    "2.9% and 70.8% for R3.",
  citation: "Evfimievski, Gehrke, Srikant 2003, section 2, example",
  source:
    "Shmatikov’s slides, “Some properties”; their R1 (“uniform with 80%”) would give 71.7%: in the " +
    "paper it is another value that replaces x",
  remember: () => {
    const { R1, R3 } = operatorsOf();
    const [first, third] = [R1, R3].map((operator) =>
      short(100 * beliefAtZero((x) => x === 0, operator)!.posterior)
    );
    return `Belief of 1% in x = 0 becomes ${first}% under R1, and ${third}% under R3.`;
  },
  kind: "exhaustive",
  checked: "the figures that are printed, to their last digit",
  subject: another,
  check: (first) => {
    const { R1, R2, R3 } = operatorsOf(first);
    const operators: Record<string, [RandomisationOperator, number, number]> = {
      R1: [R1, 0.716, 0.83],
      R2: [R2, 0.048, 1],
      R3: [R3, 0.029, 0.708],
    };
    const q1 = (x: number): boolean => x === 0;
    const q2 = (x: number): boolean => x < 200 || x > 800;
    const shown: string[] = [];
    const outcomes = Object.entries(operators).flatMap(([name, [operator, one, two]]) => {
      const [first, second] = [q1, q2].map((property) => beliefAtZero(property, operator));
      shown.push(`${name} ${short(first!.posterior)}, ${short(second!.posterior)}`);
      return [
        equals(0.01, { value: first!.prior, detail: "Q1 before", tolerance: 1e-12 }),
        equals(0.405, { value: second!.prior, detail: "Q2 before", tolerance: 6e-4 }),
        // As printed, to three digits; 83% to two.
        equals(one, { value: first!.posterior, detail: `Q1, ${name}`, tolerance: 5.1e-4 }),
        equals(two, {
          value: second!.posterior,
          detail: `Q2, ${name}`,
          tolerance: name === "R1" ? 5.1e-3 : 5.1e-4,
        }),
      ];
    });
    return all(outcomes, shown.join("; "));
  },
  mutants: {
    "R1 as the slides word it": (keep) =>
      mixWithUniform(identityOperator({ size: SIZE }), { keep }),
  },
});
