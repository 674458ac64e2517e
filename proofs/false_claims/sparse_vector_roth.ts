import { laplaceIntegral, laplaceTail } from "../../lib/exact/quadrature.ts";
import { short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

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

/** The sparse vector of Roth's notes: it releases the noisy answer that it compared. */
export const sparseVectorRoth = falseClaim<Numeric>({
  id: "false_claims/sparse_vector_roth",
  statement: "Sparse vector with Lap(2/ε) on threshold and answers that releases the first noisy " +
    "answer above the threshold is ε-differentially private.",
  citation: "Roth 2011, lecture notes; Lyu, Su, Li 2017, Algorithm 3",
  source: "loss grows with the number of answers below",
  assumptions: ["cut-off 1, sensitivity 1, threshold 0"],
  kind: "sampled",
  subject: { thresholdScale: 2, answerScale: 2, releaseScale: undefined },
  check: (scales) => {
    const losses = [1, 5, 10, 20].map((below) =>
      Math.max(
        ...[-10, -1, 0, 5].flatMap((value) =>
          ([[[0, 0], [1, -1]], [[0, 0], [1, 1]], [[5, -5], [6, -6]]] as const).map(([p, q]) =>
            Math.abs(
              logDensity({ below, value, answers: p }, scales) -
                logDensity({ below, value, answers: q }, scales),
            )
          )
        ),
      )
    );
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
