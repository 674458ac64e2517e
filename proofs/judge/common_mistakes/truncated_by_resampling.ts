import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** ln of the density at y ≥ 0 of Laplace noise (scale 1/ε) on a count, kept from falling below 0. */
type LogDensity = (y: number, count: number, epsilon: number) => number;

const tailBelowZero = (count: number, epsilon: number): number => Math.exp(-epsilon * count) / 2;

const resampled: LogDensity = (y, count, epsilon) =>
  Math.log(epsilon / 2) - epsilon * Math.abs(y - count) -
  Math.log1p(-tailBelowZero(count, epsilon));

/** The largest loss of counts 0 and 1: the ratio is constant beyond [0, 1] and monotone within, so the ends and y = 0 decide. */
export function largestLoss(epsilon: number, logDensity: LogDensity = resampled): number {
  return Math.max(
    ...[0, 1e-9, 0.25, 0.5, 1, 2, 50].map((y) =>
      Math.abs(logDensity(y, 0, epsilon) - logDensity(y, 1, epsilon))
    ),
  );
}

/** Laplace noise drawn again until the result is not negative. */
export const truncatedByResampling = falseClaim<LogDensity>({
  id: "common_mistakes/truncated_by_resampling",
  statement:
    "A count with Lap(1/ε), drawn again until it is not negative, is ε-differentially private.",
  citation: "Holohan, Antonatos, Braghin, Mac Aonghusa 2020, on bounded Laplace noise",
  source: "code that draws until a count is not negative",
  remember: () => `${short(largestLoss(1 / 2))} at ε = .5, and ${short(largestLoss(1))} at ε = 1.`,
  assumptions: ["counts 0 and 1"],
  onPaper: true,
  kind: "sampled",
  subject: resampled,
  check: (logDensity) => {
    const losses = [0.5, 1].map((epsilon) => largestLoss(epsilon, logDensity) / epsilon);
    const shown = `${short(losses[0]! * 0.5)} at ε = .5 and ${short(losses[1]!)} at ε = 1`;
    return atMost(1, {
      value: Math.max(...losses),
      detail: `loses ${shown}`,
      witness: `counts 0 and 1, outputs near 0: ${shown}`,
    });
  },
  corrected: {
    name: "rounded up to 0 instead",
    // An atom at 0, and the density of Laplace noise elsewhere.
    subject: (y, count, epsilon) =>
      y === 0
        ? Math.log(tailBelowZero(count, epsilon))
        : Math.log(epsilon / 2) - epsilon * Math.abs(y - count),
  },
  mutants: {
    "rounded, with noise at 0.87": (y, count, epsilon) =>
      y === 0
        ? Math.log(tailBelowZero(count, epsilon / 0.87))
        : Math.log(epsilon / 0.87 / 2) - epsilon / 0.87 * Math.abs(y - count),
  },
});
