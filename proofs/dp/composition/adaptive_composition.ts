import type { LawPair } from "../../tools/enumerate.ts";
import {
  addPolynomials,
  multiplyPolynomials,
  type Polynomial,
} from "../../../lib/judge/exact/polynomial.ts";
import { monomial } from "../../tools/polynomials.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { all } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Weights of the outputs on a row that is 0 or 1, in t = e^(ε/2). Their sum is the same for both rows. */
type Weights = (row: 0 | 1) => readonly Polynomial[];

const one = monomial(1), half = monomial(1, 1), whole = monomial(1, 2);

/** Mechanisms that are ε-DP, of which a strategy chooses the next one. */
const MENU: readonly Weights[] = [
  (row) => row === 0 ? [whole, one] : [one, whole],
  (row) => row === 0 ? [one, half] : [half, one],
  (row) => row === 0 ? [one, whole] : [whole, one],
  (row) => row === 0 ? [whole, one, one] : [one, whole, one],
  () => [one],
];

const TOTALS = MENU.map((weights) => addPolynomials(...weights(0)));

/** The weights of one of the first `choices` mechanisms of the menu, of a total that all of these share. */
function shared(choice: number, row: 0 | 1, choices: number): Polynomial[] {
  const others = TOTALS.slice(0, choices).filter((_, i) => i !== choice);
  return MENU[choice]!(row).map((weight) => multiplyPolynomials(weight, ...others));
}

/** Which mechanism comes next after these outputs. The row is there for a strategy that cheats. */
type Strategy = (outputs: readonly number[], row: 0 | 1) => number;

/** The law of all outputs of so many mechanisms, one after the other. */
function transcriptLaw(
  strategy: Strategy,
  row: 0 | 1,
  { rounds, choices, outputs: most }: Family,
): Polynomial[] {
  const walk = (outputs: readonly number[], weight: Polynomial): Polynomial[] => {
    if (outputs.length === rounds) return [weight];
    const next = shared(strategy(outputs, row), row, choices);
    // As many places for each choice: transcripts of both rows then stand side by side.
    return Array.from({ length: most }, (_, output) => output).flatMap((output) =>
      output < next.length
        ? walk([...outputs, output], multiplyPolynomials(weight, next[output]!))
        : new Array<Polynomial>(most ** (rounds - outputs.length - 1)).fill([])
    );
  };
  return walk([], one);
}

/** What is claimed of so many rounds, as a power of t = e^(ε/2), and whether a strategy looks at the row. */
interface Claimed {
  readonly power: (rounds: number) => number;
  readonly looks: boolean;
}

/** Three rounds choose among the first mechanisms of the menu, of two outputs each: choices among all of it are 5¹³. */
const OF_TWO = 2;

/** Strategies of so many rounds with the first `choices` mechanisms, of `outputs` outputs at most: a choice after each list of outputs. */
interface Family {
  readonly rounds: number;
  readonly choices: number;
  readonly outputs: number;
}

/** All of two rounds, and all of three with the first two mechanisms. */
const FAMILIES: readonly Family[] = [
  { rounds: 2, choices: MENU.length, outputs: 3 },
  { rounds: 3, choices: OF_TWO, outputs: 2 },
];

/** How many strategies a family has. */
function countOf({ rounds, choices, outputs }: Family): number {
  return choices ** ((outputs ** rounds - 1) / (outputs - 1));
}

/** Every strategy of a family. */
function* strategies(family: Family, looks: boolean): Generator<Strategy> {
  const { choices, outputs } = family, sides = looks ? 1 : 0;
  for (let code = 0; code < countOf(family); code++) {
    const digit = (place: number): number => Math.floor(code / choices ** place) % choices;
    yield (before, row) =>
      (digit(before.reduce((at, output) => outputs * at + output + 1, 0)) + sides * row) % choices;
  }
}

/** Each mechanism is chosen by what the earlier ones said. */
export const adaptiveComposition = theorem<Claimed>({
  id: "composition/adaptive_composition",
  statement:
    "k mechanisms that are ε-differentially private are kε-differentially private together, also where each is chosen " +
    "in the light of the outputs of all before it.",
  citation: "Dwork, McSherry, Nissim, Smith 2006; Dwork, Roth 2014, Theorem 3.14 and section 3.5.2",
  source: "Haußmann’s slides, composition; SuLQ, whose queries are adaptive",
  remember: () =>
    `None of the ${
      countOf(FAMILIES[0]!)
    } strategies of two rounds gains anything by looking at the first answer.`,
  onPaper: true,
  kind: "exact",
  checked: `every ε at once: all ${
    countOf(FAMILIES[0]!)
  } strategies of two rounds with a menu of ${MENU.length} mechanisms on one row, and all ${
    countOf(FAMILIES[1]!)
  } of three rounds with the first ${OF_TWO} of it`,
  subject: { power: (rounds) => 2 * rounds, looks: false },
  check: ({ power, looks }) =>
    all(
      FAMILIES.map((family) => {
        const { rounds } = family;
        const pairs = Array.from(strategies(family, looks), (strategy, i): LawPair => ({
          name: `strategy ${i + 1} of ${rounds} rounds`,
          left: transcriptLaw(strategy, 0, family),
          right: transcriptLaw(strategy, 1, family),
        }));
        return ratioOutcome(pairs, { bound: monomial(1, power(rounds)), of: `${rounds} rounds` });
      }),
      FAMILIES.map((family) => `${countOf(family)} strategies of ${family.rounds} rounds`).join(
        ", ",
      ),
    ),
  mutants: {
    "half a mechanism less": { power: (rounds) => 2 * rounds - 1, looks: false },
    "the largest ε alone": { power: () => 2, looks: false },
    "a choice that looks at the row": { power: (rounds) => 2 * rounds, looks: true },
  },
});
