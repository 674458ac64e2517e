import { laplaceIntegral, laplaceTail } from "../../tools/quadrature.ts";
import {
  sparseVectorLosses,
  sparseVectorOutcome,
  type SparseVectorScales,
  transcriptLoss,
} from "../../dp/mechanisms/checks/sparse_vector_check.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

const file = "false_claims/published_sparse_vectors";

interface NoCutoff {
  readonly answerScale: (answers: number) => number;
}

const chen: NoCutoff = { answerScale: () => 2 };

/** The loss at ε = 1 after m answers below and m above, of Chen et al. unless another scale is given. */
export function lossWithoutCutoff(m: number, { answerScale }: NoCutoff = chen): number {
  return transcriptLoss([
    { left: 0, right: 1, above: false, times: m },
    { left: 1, right: 0, above: true, times: m },
  ], { thresholdScale: 2, answerScale: answerScale(m) });
}

/** Chen et al.'s sparse vector never stops: its loss grows with the answers. */
export const sparseVectorChen = falseClaim<NoCutoff>({
  id: "false_claims/sparse_vector_chen",
  file,
  statement: "Sparse vector with Lap(2/ε) on threshold and answers is ε-differentially private " +
    "however many answers are above.",
  citation: "Chen, Xiao, Zhang, Xu 2015; Lyu, Su, Li 2017, Algorithm 6",
  source: "one of six variants that Lyu, Su and Li compare",
  remember: () =>
    `${short(lossWithoutCutoff(1))} after one answer below and one above, ${
      short(lossWithoutCutoff(20))
    } after twenty of each, at ε = 1.`,
  onPaper: true,
  kind: "sampled",
  subject: chen,
  check: (scales) => {
    const losses = [1, 2, 5, 10, 20].map((m) => lossWithoutCutoff(m, scales));
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

/** Lee and Clifton's sparse vector: its noise on the answers does not grow with the cut-off. */
export const sparseVectorLeeClifton = falseClaim<SparseVectorScales>({
  id: "false_claims/sparse_vector_lee_clifton",
  file,
  statement: "Sparse vector with Lap(4/ε) on the threshold and Lap(4/(3ε)) on the answers is " +
    "ε-differentially private for any cut-off c.",
  citation: "Lee, Clifton 2014; Lyu, Su, Li 2017, Algorithm 4",
  source: "one of six variants that Lyu, Su and Li compare",
  remember: () =>
    `(1 + 6c)/4 times ε: ${(1 + 6 * 1) / 4} for one answer above, ${(1 + 6 * 10) / 4} for ten.`,
  onPaper: true,
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
    name: "Lap(8c/(3ε)) on the answers, whose share is 3ε/4",
    subject: { threshold: () => 4, answer: (cutoff) => 8 * cutoff / 3 },
  },
  mutants: { "its noise for c = 1 kept": { threshold: () => 4, answer: () => 8 / 3 } },
});

/** Sparse vector for one answer above, whose value is released too. */
interface Numeric {
  readonly thresholdScale: number;
  readonly answerScale: number;
  /** Scale of fresh noise on the released value; undefined: the noisy answer that was compared. */
  readonly releaseScale: number | undefined;
}

/** ln of the density of `below` answers below, then one above released as `value`; answers a, then b. */
function logDensity(
  { below, value, answers: [a, b] }: {
    below: number;
    value: number;
    answers: readonly [number, number];
  },
  { thresholdScale, answerScale, releaseScale }: Numeric,
): number {
  const belowAll = (rho: number): number => laplaceTail(a - rho, answerScale) ** below;
  const options = { scale: thresholdScale, kinks: [a, b, value], smallest: answerScale };
  if (releaseScale === undefined) {
    // The value compared is the value released: the threshold must have been at most that.
    const mass = laplaceIntegral((rho) => rho <= value ? belowAll(rho) : 0, options);
    return Math.log(mass) - Math.abs(value - b) / answerScale;
  }
  const mass = laplaceIntegral((rho) => belowAll(rho) * laplaceTail(rho - b, answerScale), options);
  return Math.log(mass) - Math.abs(value - b) / releaseScale;
}

const roth: Numeric = { thresholdScale: 2, answerScale: 2, releaseScale: undefined };

/** The largest loss at ε = 1 after so many answers below and one value released, over values and answers on all sides. */
function lossOfReleased(below: number, scales: Numeric): number {
  return Math.max(
    ...[-10, -1, 0, 5].flatMap((value) =>
      ([[[0, 0], [1, -1]], [[0, 0], [1, 1]], [[5, -5], [6, -6]]] as const).map(([p, q]) =>
        Math.abs(
          logDensity({ below, value, answers: p }, scales) -
            logDensity({ below, value, answers: q }, scales),
        )
      )
    ),
  );
}

/** The sparse vector of Roth's notes: it releases the noisy answer that it compared. */
export const sparseVectorRoth = falseClaim<Numeric>({
  id: "false_claims/sparse_vector_roth",
  file,
  statement: "Sparse vector with Lap(2/ε) on threshold and answers that releases the first noisy " +
    "answer above the threshold is ε-differentially private.",
  citation: "Roth 2011, lecture notes; Lyu, Su, Li 2017, Algorithm 3",
  source: "one of six variants that Lyu, Su and Li compare",
  remember: () =>
    `Twenty answers below and the noisy value lose ${short(lossOfReleased(20, roth))} at ε = 1.`,
  assumptions: ["cut-off 1, sensitivity 1, threshold 0"],
  onPaper: true,
  kind: "sampled",
  subject: roth,
  check: (scales) => {
    const losses = [1, 5, 10, 20].map((below) => lossOfReleased(below, scales));
    const worst = Math.max(...losses), shown = losses.map(short).join(", ");
    return {
      holds: worst <= 1 + 1e-9,
      margin: worst,
      detail: `1, 5, 10, 20 answers below and a released value lose ${shown} at ε = 1`,
      ...(worst <= 1 + 1e-9 ? {} : { witness: `1, 5, 10, 20 answers below lose ${shown}` }),
    };
  },
  corrected: {
    name: "fresh noise: Lap(3/ε), Lap(6c/ε) and Lap(3c/ε)",
    subject: { thresholdScale: 3, answerScale: 6, releaseScale: 3 },
  },
  mutants: {
    "fresh noise, but the budget counted for two parts": {
      thresholdScale: 2,
      answerScale: 4,
      releaseScale: 3,
    },
  },
});

/** Stoddard et al.'s sparse vector: answers without noise. */
export const sparseVectorStoddard = falseClaim<{ readonly answerScale: number }>({
  id: "false_claims/sparse_vector_stoddard",
  file,
  statement: "Sparse vector with Lap(2/ε) on the threshold and no noise on the answers is " +
    "ε-differentially private, with no cut-off.",
  citation: "Stoddard, Chen, Machanavajjhala 2014; Lyu, Su, Li 2017, Algorithm 5",
  source: "one of six variants that Lyu, Su and Li compare",
  remember: () =>
    "Asked about answers 0 and 1 it may say “below, above”; asked about 1 and 0 it never does: ε is ∞.",
  onPaper: true,
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
