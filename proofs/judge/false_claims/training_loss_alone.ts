import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "../../dp/erm/checks/risk_check.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** What of the objective is compared: the share of the regulariser, and a factor on the whole. */
interface Compared {
  readonly regulariser: number;
  readonly factor: number;
}

/** Lemma 2 of the accuracy proof, of the risk alone. */
export const trainingLossAlone = falseClaim<Compared>({
  id: "false_claims/training_loss_alone",
  statement:
    "Noise b in the objective costs at most ‖b‖²/(n²λ) of training loss, (1/n)Σℓ without the regulariser.",
  citation:
    "slides of Chaudhuri, Monteleoni, Sarwate; their papers (NIPS 2008, Lemma 4; JMLR 2011, Lemma 19) have the whole objective",
  source:
    "Chaudhuri’s slides, accuracy, Lemma 2: “extra training loss due to privacy”. At the minimum the gradient of the objective is zero, that of the loss is not",
  remember: () =>
    "At the minimum only the gradient of the whole objective is zero, so small noise costs the loss alone in proportion to ‖b‖, and not to ‖b‖².",
  assumptions: [
    "logistic loss, 20 rows, λ = .01, .1 and 1, noise of length 1e-3 to 10 against the minimiser",
  ],
  kind: "sampled",
  subject: { regulariser: 0, factor: 1 },
  check: ({ regulariser, factor }, { seed }) => {
    const source = new SeededSource(seed).split("training loss");
    let worst = 0, witness = "";
    for (let k = 0; k < 60; k++) {
      const n = 20, lambda = [0.01, 0.1, 1][k % 3]!, length = 10 ** (k % 5 - 3);
      const risk = generatedRisk(source, { n, d: 2, lambda, loss: logisticLoss });
      const problem = { ...risk, quadratic: 0 };
      const best = minimise(problem, { tolerance: 1e-13 });
      const size = Math.hypot(...best.weights);
      const linear = best.weights.map((value) => length * value / (size * n));
      const moved = minimise({ ...problem, linear }, { tolerance: 1e-13 });
      const at = (f: Float64Array): number =>
        objectiveAt(f, risk) -
        (1 - regulariser) * f.reduce((sum, value) => sum + lambda * value * value / 2, 0);
      const share = factor * (at(moved.weights) - at(best.weights) - 1e-13) /
        (length ** 2 / (n * n * lambda));
      if (share > worst || Number.isNaN(share)) {
        worst = share;
        witness = `λ = ${lambda}, ‖b‖ = ${length}: ${short(share)} times the bound`;
      }
    }
    return atMost(1, {
      value: worst,
      detail: `60 trainings; the worst costs ${short(worst)} times the bound`,
      witness,
    });
  },
  corrected: {
    name: "of the objective, with its regulariser",
    subject: { regulariser: 1, factor: 1 },
  },
  mutants: { "three times the objective": { regulariser: 1, factor: 3 } },
});
