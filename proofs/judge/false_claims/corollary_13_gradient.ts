import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { all, equals } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The gradient claimed of N(f) = ½‖f‖², as a multiple of f. */
interface Gradient {
  readonly factor: number;
}

/** A factor that would halve the strong convexity that all of the theorems rest on. */
export const corollary13Gradient = falseClaim<Gradient>({
  id: "false_claims/corollary_13_gradient",
  statement: "The gradient of N(f) = ½‖f‖² is f/2.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, proof of Corollary 13",
  source: "a slip: with f/2, N would be ½-strongly convex and the sensitivity 4/(nΛ)",
  remember: () =>
    `With f/2 the classifier would move by up to ${2 / (1 / 2)}/(nΛ), and not by 2/(nΛ).`,
  assumptions: ["differences of a quadratic are its gradient exactly; the shipped regulariser"],
  kind: "sampled",
  subject: { factor: 1 / 2 },
  check: ({ factor }) => {
    const outcomes = [[0.5], [3, -4], [1, 0.25, -2]].flatMap((point) => {
      const f = Float64Array.from(point);
      const shipped = new Float64Array(f.length);
      squaredNorm.addGradient(f, { scale: 1, into: shipped });
      return point.flatMap((value, j) => {
        const [up, down] = [0.5, -0.5].map((step) => squaredNorm.value(f.with(j, value + step)));
        return [up! - down!, shipped[j]!].map((slope) =>
          equals(factor * value, { value: slope, detail: "slope", tolerance: 1e-12 })
        );
      });
    });
    return { ...all(outcomes, "six coordinates"), margin: 1 / factor };
  },
  corrected: { name: "f", subject: { factor: 1 } },
  mutants: { "2f": { factor: 2 } },
});
