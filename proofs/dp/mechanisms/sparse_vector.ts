import { sparseVectorOutcome, type SparseVectorScales } from "./checks/sparse_vector_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Lyu, Su, Li's Algorithm 1 for one, two and three answers above. */
export const sparseVector = theorem<SparseVectorScales>({
  id: "mechanisms/sparse_vector",
  statement: "Sparse vector with noise Lap(2Δ/ε) on the threshold and Lap(4cΔ/ε) on the answers, " +
    "stopped after c answers above, is ε-differentially private.",
  citation: "Lyu, Su, Li 2017, Algorithm 1 and Theorem 2; Dwork, Roth 2014, Theorem 3.23",
  source: "notes on exact checks of sparse vector and noisy max",
  remember: () =>
    `Only answers above are paid for: at c = 1 any number of answers below adds nothing to ε, at c = 3 the noise on each answer is ${
      4 * 3
    } times Δ/ε.`,
  assumptions: ["answers move by at most Δ = 1, in either direction"],
  onPaper: true,
  kind: "sampled",
  checked: "ε = 1, c = 1, 2 and 3, and the streams of up to 40 answers below that lose most",
  subject: { threshold: () => 2, answer: (cutoff) => 4 * cutoff },
  check: sparseVectorOutcome,
  mutants: {
    "noise on the answers at 0.87": {
      threshold: () => 2,
      answer: (cutoff) => 0.87 * 4 * cutoff,
    },
    "noise on the threshold at 0.87": {
      threshold: () => 0.87 * 2,
      answer: (cutoff) => 4 * cutoff,
    },
    "noise that does not grow with the cut-off": { threshold: () => 2, answer: () => 4 },
  },
});
