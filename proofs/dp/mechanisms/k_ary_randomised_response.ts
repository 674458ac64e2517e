import { monomial } from "../../tools/polynomials.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The power of t = e^ε that weighs the true category against each other one. */
interface Weighting {
  readonly power: number;
}

/** Randomised response among k categories, for all ε and k from 2 to 6. */
export const kAryRandomisedResponse = theorem<Weighting>({
  id: "mechanisms/k_ary_randomised_response",
  statement: "Telling the true of k categories with weight e^ε and any other with weight 1 is " +
    "ε-differentially private for every ε > 0, and no better.",
  citation: "Kairouz, Bonawitz, Ramage 2016",
  source: "a standard building block",
  remember: () =>
    `At ε = 1 one of ten categories is told truly with probability ${
      short(Math.E / (Math.E + 9))
    } only.`,
  onPaper: true,
  kind: "exact",
  checked: "every ε at once; two to six categories",
  subject: { power: 1 },
  check: ({ power }) => {
    const pairs = [2, 3, 4, 5, 6].flatMap((k) => {
      const law = (truth: number) =>
        Array.from({ length: k }, (_, i) => monomial(1, i === truth ? power : 0));
      return [{ name: `${k} categories`, left: law(0), right: law(1) }];
    });
    return ratioOutcome(pairs, { bound: monomial(1, 1), of: "2 to 6 categories" });
  },
  mutants: { "weight e^2ε": { power: 2 } },
});
