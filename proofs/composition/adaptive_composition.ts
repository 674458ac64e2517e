import type { LawPair } from "../tools/enumerate.ts";
import {
  addPolynomials,
  multiplyPolynomials,
  type Polynomial,
} from "../../lib/exact/polynomial.ts";
import { monomial } from "../tools/polynomials.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { ratioOutcome } from "../engine/finite_check.ts";
import { all } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** Weights of the outputs on a row that is 0 or 1, in t = e^(ε/2). Their sum is the same for both rows. */
type Weights = (row: 0 | 1) => readonly Polynomial[];

const one = monomial(1), half = monomial(1, 1), whole = monomial(1, 2);

/** Mechanisms that are ε-DP, of which a strategy chooses the next one. */
const MENU: readonly Weights[] = [
  (row) => row === 0 ? [whole, one] : [one, whole],
  (row) => row === 0 ? [one, whole] : [whole, one],
  (row) => row === 0 ? [half, one] : [one, half],
  (row) => row === 0 ? [whole, one, one] : [one, whole, one],
  () => [one],
];

const TOTALS = MENU.map((weights) => addPolynomials(...weights(0)));

/** The weights of a mechanism of the menu, of a total that all of them share. */
function shared(choice: number, row: 0 | 1): Polynomial[] {
  const others = TOTALS.filter((_, i) => i !== choice);
  return MENU[choice]!(row).map((weight) => multiplyPolynomials(weight, ...others));
}

/** Which mechanism comes next after these outputs. The row is there for a strategy that cheats. */
type Strategy = (outputs: readonly number[], row: 0 | 1) => number;

/** The law of all outputs of so many mechanisms, one after the other. */
function transcriptLaw(strategy: Strategy, row: 0 | 1, rounds: number): Polynomial[] {
  const walk = (outputs: readonly number[], weight: Polynomial): Polynomial[] => {
    if (outputs.length === rounds) return [weight];
    const next = shared(strategy(outputs, row), row);
    // Three places for each choice: transcripts of both rows then stand side by side.
    return [0, 1, 2].flatMap((output) =>
      output < next.length
        ? walk([...outputs, output], multiplyPolynomials(weight, next[output]!))
        : new Array<Polynomial>(3 ** (rounds - outputs.length - 1)).fill([])
    );
  };
  return walk([], one);
}

/** What is claimed of so many rounds, as a power of t = e^(ε/2), and whether a strategy looks at the row. */
interface Claimed {
  readonly power: (rounds: number) => number;
  readonly looks: boolean;
}

/** Every strategy of two rounds, and some of three. */
function* strategies(
  looks: boolean,
  seed: number,
): Generator<{ strategy: Strategy; rounds: number }> {
  const sides = looks ? 1 : 0;
  for (let code = 0; code < MENU.length ** 4; code++) {
    const digit = (place: number): number => Math.floor(code / MENU.length ** place) % MENU.length;
    yield {
      rounds: 2,
      strategy: (outputs, row) =>
        ((outputs.length === 0 ? digit(0) : digit(1 + outputs[0]!)) + sides * row) % MENU.length,
    };
  }
  const source = new SeededSource(seed).split("strategies");
  for (let k = 0; k < 100; k++) {
    const table = Array.from({ length: 13 }, () => source.uint32() % MENU.length);
    yield {
      rounds: 3,
      strategy: (outputs, row) =>
        (table[outputs.reduce((at, output) => 3 * at + output + 1, 0)]! + sides * row) %
        MENU.length,
    };
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
  onPaper: true,
  kind: "exact",
  checked:
    "every ε at once; all 625 strategies of two rounds and 100 generated ones of three, with a menu of five mechanisms on one row",
  subject: { power: (rounds) => 2 * rounds, looks: false },
  check: ({ power, looks }, { seed }) => {
    const pairs: Record<number, LawPair[]> = { 2: [], 3: [] };
    let number = 0;
    for (const { strategy, rounds } of strategies(looks, seed)) {
      pairs[rounds]!.push({
        name: `strategy ${++number} of ${rounds} rounds`,
        left: transcriptLaw(strategy, 0, rounds),
        right: transcriptLaw(strategy, 1, rounds),
      });
    }
    return all(
      [2, 3].map((rounds) =>
        ratioOutcome(pairs[rounds]!, { bound: monomial(1, power(rounds)), of: `${rounds} rounds` })
      ),
      "625 strategies of two rounds, 100 of three",
    );
  },
  mutants: {
    "half a mechanism less": { power: (rounds) => 2 * rounds - 1, looks: false },
    "the largest ε alone": { power: () => 2, looks: false },
    "a choice that looks at the row": { power: (rounds) => 2 * rounds, looks: true },
  },
});
