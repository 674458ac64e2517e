import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { noiseLeadingTo } from "../../../lib/dp/learners/erm/noise/log_density.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { vectorNoise } from "../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { smoothElasticNet, squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, risk } from "./checks/training_data.ts";
import { theorem } from "../../engine/theorem.ts";

/** What the inverse map is told of Λ, as a multiple. */
interface Inverse {
  readonly lambdaFactor: number;
}

/** The map from noise to minimiser is one-to-one. */
export const slidesFact1 = theorem<Inverse>({
  id: "erm/slides_fact_1",
  statement: "For a given output w* and dataset there is exactly one noise vector b: " +
    "Λ∇N(w*) + ∇L(D, w*) + b/n = 0.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, proof of Theorem 9, equation 17",
  source: "Chaudhuri’s slides, privacy proof sketch, Fact 1; JMLR preprint, proof of Theorem 2",
  remember: () =>
    "The way back is a formula and needs no solver: the gradient of the unperturbed objective, times −n.",
  kind: "sampled",
  checked: "60 generated noise vectors, through the minimiser and back",
  subject: { lambdaFactor: 1 },
  check: ({ lambdaFactor }, { seed }) => {
    const source = new SeededSource(seed).split("noise");
    let worst = 0;
    for (let k = 0; k < 60; k++) {
      const loss = k % 2 === 0 ? logisticLoss : huberHinge(0.5);
      const regulariser = k % 4 < 2 ? squaredNorm : smoothElasticNet(1);
      const n = 4, lambda = 0.2;
      const { left } = generatedNeighbours(source, { n, d: 3, normBound: 1 });
      const noise = vectorNoise(source, new Float64Array(3), { rate: 0.5 });
      const problem = { ...risk(left, { loss, regulariser, lambda }), quadratic: 0.1 };
      const { weights } = minimise({ ...problem, linear: noise.map((b) => b / n) }, {
        tolerance: 1e-13,
      });
      const back = noiseLeadingTo(weights, { ...problem, lambda: lambdaFactor * lambda });
      worst = Math.max(worst, ...back.map((b, j) => Math.abs(b - noise[j]!)));
    }
    return {
      holds: worst < 1e-9,
      margin: worst / 1e-9,
      detail: "60 noise vectors through minimiser and back",
      ...(worst < 1e-9 ? {} : { witness: `the noise comes back off by ${worst}` }),
    };
  },
  mutants: { "Λ at 0.9": { lambdaFactor: 0.9 } },
});
