import { largestLogRatio } from "../../tools/density_ratio.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The scale of Laplace noise on each cell, for ε. */
type Scale = (epsilon: number) => number;

/** A histogram with its scale turned upside down. */
export const histogramScale = falseClaim<Scale>({
  id: "common_mistakes/histogram_scale",
  statement: "Laplace noise of scale ε on every cell makes a histogram ε-differentially private.",
  citation: "Ding, Wang, Wang, Zhang, Kifer 2018",
  source: "code that has ε for 1/ε",
  remember: () => `At ε = .1 it loses ${1 / 0.1}: the smaller ε is, the worse.`,
  assumptions: ["one person added to one of four cells"],
  onPaper: true,
  kind: "sampled",
  subject: (epsilon) => epsilon,
  check: (scale, { seed }) => {
    const shares = [0.1, 0.5, 2].map((epsilon) =>
      largestLogRatio<readonly number[]>({
        pairs: [{ left: [3, 0, 1, 2], right: [4, 0, 1, 2] }],
        logDensity: (output, cells) =>
          -cells.reduce((sum, cell, i) => sum + Math.abs(output[i]! - cell), 0) / scale(epsilon),
        dimension: 4,
        starts: 2,
        outputs: [Float64Array.of(3, 0, 1, 2)],
        seed,
      }).loss / epsilon
    );
    return atMost(1, {
      value: Math.max(...shares),
      detail: `ε = .1, .5, 2 lose ${shares.map(short).join(", ")} times ε`,
      witness: `ε = .1 loses ${short(0.1 * shares[0]!)}`,
    });
  },
  corrected: { name: "scale 1/ε", subject: (epsilon) => 1 / epsilon },
  mutants: { "scale 1/(2ε)": (epsilon) => 1 / (2 * epsilon) },
});
