import type { LawPair } from "../../tools/enumerate.ts";
import { addPolynomials, type Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { monomial } from "../../tools/polynomials.ts";
import { permuteAndFlipLaw } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { ratioOutcome, scorePairs } from "../../engine/finite_check.ts";
import { all, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Coins come up with probability t^(−power·(best − score)), t = e^(ε/2). */
interface Flips {
  readonly power: number;
  /** The shipped law for an ε. */
  readonly shipped: (
    epsilon: number,
  ) => { probabilities(scores: readonly number[]): ArrayLike<number> };
}

const shipped: Flips["shipped"] = (epsilon) => permuteAndFlipLaw(rational(epsilon / 2));

/** Scores at which the shipped law is compared with the one proved. */
const SHOWN = [0, 2, 1];

/**
 * Weights of permute-and-flip as polynomials: P(i) = p_i·Σ_S (−1)^|S|·Π_{j∈S} p_j/(|S| + 1) over the
 * sets S of other candidates, times 12 and the power of t that makes all of it whole.
 */
function law(scores: readonly number[], { power }: Flips): Polynomial[] {
  const gaps = scores.map((score) => power * (Math.max(...scores) - score));
  const highest = gaps.reduce((sum, gap) => sum + gap, 0);
  return gaps.map((own, i) => {
    const others = gaps.filter((_, j) => j !== i);
    const terms: Polynomial[] = [];
    for (let set = 0; set < 2 ** others.length; set++) {
      const chosen = others.filter((_, j) => (set >> j) & 1);
      const sign = chosen.length % 2 === 0 ? 1 : -1;
      const exponent = highest - own - chosen.reduce((sum, gap) => sum + gap, 0);
      terms.push(monomial(sign * 12 / (chosen.length + 1), exponent));
    }
    return addPolynomials(...terms);
  });
}

function* pairs(flips: Flips): Generator<LawPair> {
  for (const [candidates, most] of [[2, 4], [3, 2], [4, 1]] as const) {
    for (const { left, right } of scorePairs({ candidates, most })) {
      yield {
        name: `scores ${left} and ${right}`,
        left: law(left, flips),
        right: law(right, flips),
      };
    }
  }
}

/** Permute-and-flip, for all ε at once, and the shipped law beside it. */
export const permuteAndFlip = theorem<Flips>({
  id: "mechanisms/permute_and_flip",
  statement: "Permute-and-flip with coins e^(−ε·(best − score)/2) is ε-differentially private.",
  citation: "McKenna, Sheldon 2020, Theorem 1",
  source: "a standard building block",
  remember: () =>
    `Of two candidates one point apart at ε = 1 it takes the better one with probability ${
      short(shipped(1).probabilities([0, 1])[1]!)
    }, the exponential mechanism with ${short(1 / (1 + Math.exp(-1 / 2)))}.`,
  assumptions: ["each score moves by at most 1 between neighbours"],
  kind: "exact",
  checked:
    `every ε at once; all whole scores of two candidates up to 4, of three up to 2 and of four up to 1; beside them, the shipped law at ε = ln 4 for the scores ${
      SHOWN.join(", ")
    }`,
  subject: { power: 1, shipped },
  check: (flips) => {
    const proof = ratioOutcome(pairs(flips), {
      bound: monomial(1, 2),
      of: "all whole scores of 2 to 4 candidates",
    });
    // The shipped law at ε = ln 4, t = 2.
    const weights = law(SHOWN, flips).map((weight) =>
      weight.reduceRight((sum, coefficient) => 2 * sum + Number(coefficient), 0)
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const same = Array.from(flips.shipped(2 * Math.LN2).probabilities(SHOWN)).every((chance, i) =>
      Math.abs(chance - weights[i]! / total) < 1e-12
    );
    return all([proof, {
      holds: same,
      margin: 0,
      detail: "the shipped law is not the one proved",
    }], proof.detail);
  },
  mutants: {
    "without the 2 in the exponent": { power: 2, shipped },
    "the shipped law for 1.15 times ε": { power: 1, shipped: (epsilon) => shipped(1.15 * epsilon) },
  },
});
