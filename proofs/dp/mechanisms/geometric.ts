import type { LawPair } from "../../tools/enumerate.ts";
import type { Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { monomial, subtractPolynomials } from "../../tools/polynomials.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Two-sided geometric noise t^(−|noise|), folded onto [0, size] or cut off by normalising. */
interface Geometric {
  readonly ends: "folded" | "renormalised";
  /** e^ε = t^steps. */
  readonly steps: number;
}

/** Weights on 0…size for the true value `at`, times (1 + t)·t^(size − 1). */
function law(at: number, { ends, size }: { ends: Geometric["ends"]; size: number }): Polynomial[] {
  const term = (distance: number): Polynomial => monomial(1, size - distance);
  return Array.from({ length: size + 1 }, (_, output) => {
    const distance = Math.abs(output - at);
    // P(y) = (t − 1)/(t + 1)·t^(−d) within; the ends take their tails, t/(t + 1)·t^(−d).
    const end = ends === "folded" && (output === 0 || output === size);
    return end
      ? [0n, ...term(distance)]
      : subtractPolynomials([0n, ...term(distance)], term(distance));
  });
}

function* pairs({ ends }: Geometric): Generator<LawPair> {
  for (let size = 2; size <= 8; size++) {
    for (let at = 0; at < size; at++) {
      yield {
        name: `counts ${at} and ${at + 1} of ${size}`,
        left: law(at, { ends, size }),
        right: law(at + 1, { ends, size }),
      };
    }
  }
}

/** The truncated geometric mechanism; its interior is the geometric mechanism itself. */
export const geometric = theorem<Geometric>({
  id: "mechanisms/geometric",
  statement: "Two-sided geometric noise with ratio e^−ε on a count, folded onto 0…n, is " +
    "ε-differentially private for every ε > 0.",
  citation: "Ghosh, Roughgarden, Sundararajan 2012, section 2",
  source: "a standard building block",
  remember: () =>
    `At ε = 1 a count comes out exactly right with probability ${short(Math.tanh(1 / 2))}.`,
  assumptions: ["a count moves by 1 between neighbours"],
  onPaper: true,
  kind: "exact",
  checked: "every ε at once; all counts up to 8",
  subject: { ends: "folded", steps: 1 },
  check: (mechanism) =>
    ratioOutcome(pairs(mechanism), {
      bound: monomial(1, mechanism.steps),
      of: "all counts up to 8",
    }),
  mutants: { "cut off and renormalised": { ends: "renormalised", steps: 1 } },
});
