import { short } from "../engine/outcome.ts";
import { transcriptLoss } from "../checks/sparse_vector_check.ts";
import { falseClaim } from "../engine/theorem.ts";

interface NoCutoff {
  readonly answerScale: (answers: number) => number;
}

/** Chen et al.'s sparse vector never stops: its loss grows with the answers. */
export const sparseVectorChen = falseClaim<NoCutoff>({
  id: "false_claims/sparse_vector_chen",
  statement: "Sparse vector with Lap(2/ε) on threshold and answers is ε-differentially private " +
    "however many answers are above.",
  citation: "Chen, Xiao, Zhang, Xu 2015; Lyu, Su, Li 2017, Algorithm 6",
  source: ".74, 1.53, 4.03, 8.35, 17.1 for m = 1, 2, 5, 10, 20",
  kind: "sampled",
  subject: { answerScale: () => 2 },
  check: ({ answerScale }) => {
    const losses = [1, 2, 5, 10, 20].map((m) =>
      transcriptLoss([
        { left: 0, right: 1, above: false, times: m },
        { left: 1, right: 0, above: true, times: m },
      ], { thresholdScale: 2, answerScale: answerScale(m) })
    );
    const worst = Math.max(...losses);
    const shown = losses.map(short).join(", ");
    return {
      holds: worst <= 1 + 1e-9,
      margin: worst,
      detail: `loss for m = 1, 2, 5, 10, 20 and ε = 1: ${shown}`,
      ...(worst > 1 ? { witness: `m answers below and m above lose ${shown}` } : {}),
    };
  },
  corrected: {
    name: "Lap(4c/ε) on the answers, c of them above",
    subject: { answerScale: (m) => 4 * m },
  },
  mutants: { "Lap(4/ε) on the answers": { answerScale: () => 4 } },
});
