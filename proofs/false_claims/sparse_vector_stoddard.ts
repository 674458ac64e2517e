import { transcriptLoss } from "../checks/sparse_vector_check.ts";
import { short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** Stoddard et al.'s sparse vector: answers without noise. */
export const sparseVectorStoddard = falseClaim<{ readonly answerScale: number }>({
  id: "false_claims/sparse_vector_stoddard",
  statement: "Sparse vector with Lap(2/ε) on the threshold and no noise on the answers is " +
    "ε-differentially private, with no cut-off.",
  citation: "Stoddard, Chen, Machanavajjhala 2014; Lyu, Su, Li 2017, Algorithm 5",
  source: "loss ∞",
  kind: "sampled",
  subject: { answerScale: 0 },
  check: ({ answerScale }) => {
    // Answers 0 and 1 become 1 and 0: "below, above" can be said on the left only.
    const loss = transcriptLoss([
      { left: 0, right: 1, above: false, times: 1 },
      { left: 1, right: 0, above: true, times: 1 },
    ], { thresholdScale: 2, answerScale });
    return {
      holds: loss <= 1,
      margin: loss,
      detail: `"below, above" loses ${short(loss)} at ε = 1`,
      ...(loss > 1 ? { witness: "answers (0, 1) can say it, answers (1, 0) never" } : {}),
    };
  },
  corrected: {
    name: "Lap(4c/ε) on the answers, stopped after c = 1 above",
    subject: { answerScale: 4 },
  },
  mutants: { "Lap(1/ε) on the answers": { answerScale: 1 } },
});
