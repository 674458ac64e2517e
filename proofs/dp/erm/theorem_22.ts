import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import {
  applyRandomFeatures,
  drawRandomFeatures,
} from "../../../lib/dp/learners/erm/rows/random_features.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { minimiserChange } from "./checks/sensitivity_check.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** What features are multiplied by beyond the shipped √(1/D). */
interface Scale {
  readonly factor: number;
}

/** Private kernel classifiers, with features short enough. */
export const theorem22 = theorem<Scale>({
  id: "erm/theorem_22",
  statement:
    "Training by Theorem 6 or 9 on random features of norm at most 1, drawn without the data, " +
    "is ε-differentially private; features √(1/D)·cos(ω·x + ψ) are that short, and their inner " +
    "products stand for half the kernel.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 3 and Theorem 22, with √(1/D) for √(2/D)",
  source: "JMLR paper, section 5",
  remember: () =>
    `With √(2/D) in place of √(1/D) features are up to ${
      short(Math.SQRT2)
    } long, and so many times ε is lost.`,
  kind: "sampled",
  checked:
    "Gaussian and Laplacian kernels, 1, 7 and 4,000 features, 20 points each, and a search for neighbours",
  subject: { factor: 1 },
  check: ({ factor }, { seed }) => {
    const source = new SeededSource(seed).split("features");
    let longest = 0, kernelError = 0;
    for (const name of ["gaussian", "laplacian"] as const) {
      for (const count of [1, 7, 4000]) {
        const features = drawRandomFeatures(source, {
          kernel: { name, gamma: 0.5 },
          inputCount: 2,
          count,
        });
        const points = Array.from(
          { length: 20 },
          (_, i) => Array.from(floatNormal(source, new Float64Array(2), { scale: 1 + i })),
        );
        // Where every cosine is as large as it can be for one feature.
        points.push([
          -features.phases[0]! / features.frequencies[0]!,
          0,
        ]);
        const { values } = applyRandomFeatures(features, denseRows(points));
        points.forEach((_, i) => {
          const row = values.subarray(i * count, (i + 1) * count);
          longest = Math.max(longest, factor * Math.hypot(...row));
        });
        if (count === 4000) {
          const near = applyRandomFeatures(features, denseRows([[0.3, 0.2], [-0.4, 0.1]])).values;
          let inner = 0;
          for (let j = 0; j < count; j++) inner += factor ** 2 * near[j]! * near[count + j]!;
          const distance = name === "gaussian" ? 0.7 ** 2 + 0.1 ** 2 : 0.8;
          // Hoeffding for 4000 terms in [−1, 1]: off by more than .12 with probability below 1e-12.
          kernelError = Math.max(kernelError, Math.abs(inner - Math.exp(-0.5 * distance) / 2));
        }
      }
    }
    const moved = minimiserChange({
      loss: huberHinge(0.5),
      regulariser: squaredNorm,
      lambda: 5,
      rowNorm: Math.max(longest, 1e-9),
      scaledBound: 2,
    }, { seed, n: 1, d: 2 });
    return all([
      atMost(1, { value: longest, detail: "norm", witness: `a row of norm ${short(longest)}` }),
      atMost(1, { value: moved.share, detail: "sensitivity", witness: `${short(moved.share)}` }),
      atMost(0.12, {
        value: kernelError,
        detail: "kernel",
        witness: `off by ${short(kernelError)}`,
      }),
    ], `rows up to ${short(longest)}; the minimiser moves by up to ${short(moved.most)} of 2/(nΛ)`);
  },
  mutants: {
    "√(2/D)": { factor: Math.SQRT2 },
    "√(1/(2D)), which is short enough but not half the kernel": { factor: Math.SQRT1_2 },
  },
});
