import { thresholdoutClaim } from "../../../lib/papers/holdout/thresholdout.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { transcriptLoss, worstRuns } from "../../dp/mechanisms/checks/sparse_vector_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** ε claimed for B answers from a holdout of n rows with noise of rate σ. */
type Claimed = (options: { noiseScale: number; count: number; rowCount: number }) => number;

/** The privacy of the reusable holdout. */
export const thresholdout = theorem<Claimed>({
  id: "queries/thresholdout",
  statement:
    "Thresholdout with noise Lap(2σ) on the threshold, Lap(4σ) on differences and Lap(σ) on " +
    "answers, the threshold drawn afresh after each of B answers from the holdout of n rows, is " +
    "2B/(σn)-differentially private.",
  citation: "Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015 (NIPS)",
  source: "Haußmann’s slides, reusable holdout",
  remember: () => {
    const claim = thresholdoutClaim({ threshold: 0.15, noiseScale: 0.005, count: 100 }, {
      rowCount: 1000,
    });
    return `For σ = .005, n = 1,000 and B = 100, which keeps a holdout honest, ε is ${
      short(claim.kind === "pure" ? claim.epsilon : NaN)
    }.`;
  },
  assumptions: [
    "a row of the holdout moves every mean by at most 1/n; the training set is fixed",
    "stretches between answers are independent: their losses add up",
  ],
  kind: "sampled",
  checked: "eight settings of σ, n and B, and the stretch of answers that loses most",
  subject: ({ noiseScale, count, rowCount }) => {
    const claim = thresholdoutClaim({ threshold: 0.04, noiseScale, count }, { rowCount });
    return claim.kind === "pure" ? claim.epsilon : NaN;
  },
  check: (claimed) => {
    let worst = 0, least = Infinity;
    for (const noiseScale of [0.01, 0.05]) {
      for (const rowCount of [50, 1000]) {
        for (const count of [1, 7]) {
          // In units of 1/n: one stretch of comparisons, and the answer that ends it.
          const scale = noiseScale * rowCount;
          const stretch = Math.max(
            ...worstRuns(1).map((runs) => {
              // Wide enough for this scale: the same runs, further apart.
              const far = Math.max(1, Math.round(scale));
              const moved = runs.map((run) => ({
                ...run,
                left: run.left * far,
                right: run.left * far + (run.right - run.left),
              }));
              return Math.abs(
                transcriptLoss(moved, { thresholdScale: 2 * scale, answerScale: 4 * scale }),
              );
            }),
          );
          const share = count * (stretch + 1 / scale) / claimed({ noiseScale, count, rowCount });
          worst = Math.max(worst, share);
          least = Math.min(least, share);
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: `eight settings; between ${short(least)} and ${short(worst)} of the claim is lost`,
      witness: `${short(worst)} times the claim`,
    });
  },
  mutants: {
    "the answer's own noise not counted: B/(σn)": ({ noiseScale, count, rowCount }) =>
      count / (noiseScale * rowCount),
    "one stretch counted for all: 2/(σn)": ({ noiseScale, rowCount }) =>
      2 / (noiseScale * rowCount),
  },
});
