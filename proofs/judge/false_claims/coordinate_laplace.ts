import { largestLogRatio } from "../../tools/density_ratio.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** −ln of the noise's density for ε/sensitivity = 1, up to a constant. */
type Energy = (noise: Float64Array) => number;

const euclidean = (noise: Float64Array): number =>
  Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0));

/** Laplace noise in each coordinate for a sensitivity in Euclidean norm. */
export const coordinateLaplace = falseClaim<Energy>({
  id: "false_claims/coordinate_laplace",
  statement: "Adding Lap(2/(nλε)) to each weight of a regularised classifier is ε-differentially " +
    "private, for its sensitivity is 2/(nλ).",
  citation:
    "slides of Haußmann 2017 on Chaudhuri, Monteleoni 2008, where the noise is e^(−nλε‖η‖/2)",
  source: "Haußmann’s slides, the simple approach: one draw for each coordinate",
  remember: () => `√d times ε: ${short(Math.sqrt(105))} for d = 105.`,
  assumptions: ["a change of Euclidean length 1 along (1, …, 1)/√d, which opposite rows attain"],
  onPaper: true,
  kind: "sampled",
  subject: (noise) => noise.reduce((sum, value) => sum + Math.abs(value), 0),
  check: (energy, { seed }) => {
    const losses = [1, 2, 16, 105].map((d) => {
      const moved = 1 / Math.sqrt(d);
      return largestLogRatio({
        pairs: [{ left: 0, right: moved }],
        logDensity: (output, centre: number) => -energy(output.map((value) => value - centre)),
        dimension: d,
        starts: 1,
        outputs: [new Float64Array(d)],
        seed,
      }).loss;
    });
    const shown = losses.map(short).join(", ");
    return atMost(1, {
      value: Math.max(...losses),
      detail: `d = 1, 2, 16, 105 lose ${shown} at ε = 1`,
      witness: `d = 1, 2, 16, 105 lose ${shown}: √d each`,
    });
  },
  corrected: { name: "one vector of density ∝ e^(−ε‖η‖₂/sensitivity)", subject: euclidean },
  mutants: { "that vector at 0.87 of its length": (noise) => euclidean(noise) / 0.87 },
});
