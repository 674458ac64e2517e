import { monomial } from "../../tools/polynomials.ts";
import { chooseFewest } from "../../../lib/dp/learners/erm/tune.ts";
import type { DiscreteLaw } from "../../../lib/core/mechanism/discrete_law.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { type Rational, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { all, short } from "../../engine/outcome.ts";
import { ratioOutcome, scorePairs } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** How candidates are trained and chosen. */
interface Tuning {
  /** The power of t = e^(ε/2) by which a mistake counts against a candidate. */
  readonly power: number;
  /** Whether candidates share rows, so that a row changed may change all models. */
  readonly disjoint: boolean;
  /** What the shipped choice is told of ε, as a multiple. */
  readonly strength: number;
}

/** The mistakes at which the shipped law is compared with the one proved. */
const MISTAKES = [2, 0, 3];

/** The exponents of the law from which the shipped choice draws. */
function shippedExponents(mistakes: readonly number[], epsilon: number): Rational[] {
  let law: DiscreteLaw | undefined;
  const none = (): never => {
    throw new Error("the choice drew something else than its law");
  };
  const source: Source = {
    kind: "seeded",
    uint32: none,
    uniform: none,
    fillUint32: none,
    split: none,
    branch: (asked) => (law = asked, 0),
  };
  chooseFewest(source, { mistakes, epsilon });
  return law?.kind === "choice" ? law.weights.map(({ exponent }) => exponent) : [];
}

/** Private tuning: the choice, and the parts that models are trained on. */
export const theorem26 = theorem<Tuning>({
  id: "erm/theorem_26",
  statement: "Algorithm 4 (train on disjoint parts, choose with probability ∝ e^(−εz/2)) is " +
    "ε-differentially private.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 26",
  source: "JMLR preprint, introduction: end-to-end privacy, parameter tuning",
  remember: () =>
    `One mistake more makes a candidate ${short(Math.exp(-1 / 2))} times as likely at ε = 1.`,
  assumptions: ["each candidate's training is ε-DP: modelled by randomised response on its part"],
  kind: "exact",
  checked:
    `every ε at once; all mistakes up to 4 of two candidates and up to 2 of three; beside them, the law that the shipped choice draws from at ε = 1 for ${
      MISTAKES.join(", ")
    } mistakes`,
  subject: { power: 1, disjoint: true, strength: 1 },
  check: ({ power, disjoint, strength }) => {
    // The choice, for a row changed in the last part: mistakes move by at most 1.
    const highest = 6;
    const choice = (mistakes: readonly number[]) =>
      mistakes.map((z) => monomial(1, power * (highest - z)));
    const pairs = [[2, 4], [3, 2]].flatMap(([candidates, most]) =>
      [...scorePairs({ candidates: candidates!, most: most! })].map(({ left, right }) => ({
        name: `mistakes ${left} and ${right}`,
        left: choice(left),
        right: choice(right),
      }))
    );
    // A row changed in a training part: one model moves, or both when they share rows.
    const told = (truths: readonly number[]) =>
      [0, 1, 2, 3].map((output) =>
        monomial(1, 2 * truths.filter((truth, i) => ((output >> i) & 1) === truth).length)
      );
    pairs.push({
      name: "a row of the first part",
      left: told([0, 0]),
      right: told([1, disjoint ? 0 : 1]),
    });
    const proof = ratioOutcome(pairs, {
      bound: monomial(1, 2),
      of: "mistakes of 2 and 3 candidates, and the training parts",
    });
    // The law that the shipped choice draws from, exactly, is the one proved above: z/2 for each number of mistakes z.
    const exponents = shippedExponents(MISTAKES, strength);
    const same = exponents.length === 3 && exponents.every((exponent, i) => {
      const { numerator } = subtract(
        subtract(exponent, exponents[0]!),
        rational(BigInt(power * (MISTAKES[i]! - MISTAKES[0]!)), 2n),
      );
      return numerator === 0n;
    });
    return all(
      [proof, { holds: same, margin: 0, detail: "the shipped choice has another law" }],
      proof.detail,
    );
  },
  mutants: {
    "probability ∝ e^(−εz)": { power: 2, disjoint: true, strength: 1 },
    "candidates trained on the same rows": { power: 1, disjoint: false, strength: 1 },
    "the shipped choice for 2ε": { power: 1, disjoint: true, strength: 2 },
  },
});
