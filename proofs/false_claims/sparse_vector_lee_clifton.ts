import { short } from "../engine/outcome.ts";
import {
  sparseVectorLosses,
  sparseVectorOutcome,
  type SparseVectorScales,
} from "../checks/sparse_vector_check.ts";
import { falseClaim } from "../engine/theorem.ts";

/** Lee and Clifton's sparse vector: its noise on the answers does not grow with the cut-off. */
export const sparseVectorLeeClifton = falseClaim<SparseVectorScales>({
  id: "false_claims/sparse_vector_lee_clifton",
  statement: "Sparse vector with Lap(4/ε) on the threshold and Lap(4/(3ε)) on the answers is " +
    "ε-differentially private for any cut-off c.",
  citation: "Lee, Clifton 2014; Lyu, Su, Li 2017, Algorithm 4",
  source: "(1 + 6c)/4 = 1.750, 3.250, 4.750",
  kind: "sampled",
  subject: { threshold: () => 4, answer: () => 4 / 3 },
  check: (scales) => {
    const losses = sparseVectorLosses(scales);
    const outcome = sparseVectorOutcome(scales);
    const expected = [1, 2, 3].map((cutoff) => (1 + 6 * cutoff) / 4);
    const exact = losses.every((loss, i) => Math.abs(loss - expected[i]!) < 1e-6);
    return {
      ...outcome,
      detail: outcome.detail + (exact ? ", which is (1 + 6c)/4" : ""),
      ...(outcome.holds ? {} : { witness: `c = 1, 2, 3 lose ${losses.map(short).join(", ")}` }),
    };
  },
  corrected: {
    name: "noise 4(c + ½)·… on the answers: Lap(8c/(3ε))",
    subject: { threshold: () => 4, answer: (cutoff) => 8 * cutoff / 3 },
  },
  mutants: { "its noise for c = 1 kept": { threshold: () => 4, answer: () => 8 / 3 } },
});
