import { laplaceTail } from "../../lib/exact/quadrature.ts";
import { requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";
import type { Searches } from "./search_cases.ts";

/** For searches. */
export function requireIntegrals(
  { gaussLegendre, laplaceIntegral, transcriptProbability, noisyMaxProbability }: Searches,
): void {
  for (let count = 1; count <= 24; count++) {
    const { nodes, weights } = gaussLegendre(count);
    requireEqual([nodes.length, weights.length], [count, count]);
    // ∫ x^k over [−1, 1] is 2/(k + 1) for even k.
    for (let k = 0; k < 2 * count; k++) {
      const value = nodes.reduce((total, x, i) => total + weights[i]! * x ** k, 0);
      requireNear(value, k % 2 === 0 ? 2 / (k + 1) : 0, { absolute: 4e-15 * (1 + count / 4) });
    }
  }
  for (const scale of [0.5, 1, 3]) {
    const integral = (integrand: (z: number) => number, kinks: number[] = []): number =>
      laplaceIntegral(integrand, { scale, kinks });
    requireNear(integral(() => 1), 1, { relative: 1e-13 });
    requireNear(integral((z) => z * z), 2 * scale * scale, { relative: 1e-12 });
    requireNear(integral((z) => Math.abs(z - 1), [1]), 1 + scale * Math.exp(-1 / scale), {
      relative: 1e-12,
    });
    requireNear(integral((z) => z > 2 ? 1 : 0, [2]), Math.exp(-2 / scale) / 2, { relative: 1e-12 });
    requireNear(laplaceTail(1.3, scale), Math.exp(-1.3 / scale) / 2);
    requireNear(laplaceTail(-1.3, scale), 1 - Math.exp(-1.3 / scale) / 2);
  }
  requireEqual([-1, 0, 1].map((x) => laplaceTail(x, 0)), [1, 0, 0]);
  for (const wrong of [{ scale: 0 }, { scale: 1, smallest: 0 }]) {
    requireRefused("a scale of 0", () => laplaceIntegral(() => 1, { kinks: [], ...wrong }));
  }
  // A narrow integrand is cut finely enough: e^(−1000|z|) against noise of scale 1.
  requireNear(
    laplaceIntegral((z) => Math.exp(-1000 * Math.abs(z)), { scale: 1, kinks: [], smallest: 1e-3 }),
    1 / 1001,
    { relative: 1e-10 },
  );
  // P(X − Y > a) for two independent Laplace variables of scale 1: (1/2 + a/4)·e^−a.
  for (const a of [0, 0.7, 3]) {
    const far = (0.5 + a / 4) * Math.exp(-a);
    const one = { thresholdScale: 1, answerScale: 1 };
    requireNear(transcriptProbability([{ answer: -a, above: true }], one), far, {
      relative: 1e-11,
    });
    requireNear(transcriptProbability([{ answer: -a, above: false }], one), 1 - far, {
      relative: 1e-11,
    });
    requireNear(noisyMaxProbability([0, a], { index: 0, scale: 1 }), far, { relative: 1e-11 });
    // Without noise on the answer the threshold's noise alone decides.
    requireNear(
      transcriptProbability([{ answer: -a, above: true }], { thresholdScale: 2, answerScale: 0 }),
      Math.exp(-a / 2) / 2,
      { relative: 1e-11 },
    );
  }
  // P(X − Y > a) for scales s and t: (s²·e^(−a/s) − t²·e^(−a/t))/(2·(s² − t²)), however narrow one is.
  for (const [s, t] of [[10, 0.05], [0.05, 10], [3, 1]] as const) {
    for (const a of [0, 0.3, 4]) {
      const [wide, narrow] = [s, t].map((scale) => scale ** 2 * Math.exp(-a / scale));
      requireNear(
        transcriptProbability([{ answer: -a, above: true }], { thresholdScale: s, answerScale: t }),
        (wide! - narrow!) / (2 * (s * s - t * t)),
        { relative: 1e-10, what: `scales of ${s} and ${t} at ${a}` },
      );
    }
  }
  // All transcripts of two answers, and all indices of three, add up to 1; equal answers are alike.
  let total = 0;
  for (const first of [true, false]) {
    for (const second of [true, false]) {
      total += transcriptProbability(
        [{ answer: 0.3, above: first }, { answer: -1, above: second }],
        { thresholdScale: 2, answerScale: 0.25 },
      );
    }
  }
  requireNear(total, 1, { relative: 1e-11 });
  const answers = [0, 1.5, -0.4];
  requireNear(
    [0, 1, 2].reduce((sum, index) => sum + noisyMaxProbability(answers, { index, scale: 0.8 }), 0),
    1,
    { relative: 1e-11 },
  );
  requireNear(noisyMaxProbability([2, 2, 2], { index: 1, scale: 5 }), 1 / 3, { relative: 1e-11 });
}
