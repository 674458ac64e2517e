import { basicComposition } from "../../../lib/dp/accounting/composition/basic_composition.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** What the steps of MWEM are said to sum to, given ε and T. */
type Total = (epsilon: number, rounds: number) => number;

/** A line of the slides that lost its factor. */
export const mwemProofLine = falseClaim<Total>({
  id: "false_claims/mwem_proof_line",
  statement: "ε/(2T) + ε/(2T) = ε: selection and measurement of one round of MWEM spend ε.",
  citation: "slides of Haußmann 2017; Hardt, Ligett, McSherry 2012, Theorem 2.1 sums over T rounds",
  source: "Haußmann’s slides, MWEM, proof of privacy",
  remember: () => `For T = 8 the line says 1 where the sum is ${1 / 8}.`,
  kind: "sampled",
  subject: (epsilon, rounds) => {
    const half = epsilon / (2 * rounds);
    return basicComposition([{ epsilon: half }, { epsilon: half }]).epsilon;
  },
  check: (total) => {
    let worst = 0;
    for (const epsilon of [0.5, 1]) {
      for (const rounds of [1, 2, 8]) {
        worst = Math.max(worst, Math.abs(total(epsilon, rounds) / epsilon - 1));
      }
    }
    return {
      holds: worst < 1e-12,
      margin: 1 + worst,
      detail: "T = 1, 2, 8",
      ...(worst < 1e-12 ? {} : { witness: `for T = 8 the sum is off by ${short(100 * worst)}%` }),
    };
  },
  corrected: {
    name: "T·(ε/(2T) + ε/(2T)) = ε",
    subject: (epsilon, rounds) =>
      basicComposition(
        Array.from({ length: 2 * rounds }, () => ({ epsilon: epsilon / (2 * rounds) })),
      ).epsilon,
  },
  mutants: {
    "T rounds of ε/(2T)": (epsilon, rounds) =>
      basicComposition(Array.from({ length: rounds }, () => ({ epsilon: epsilon / (2 * rounds) })))
        .epsilon,
  },
});
