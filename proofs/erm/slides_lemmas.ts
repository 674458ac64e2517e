import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { norm } from "../../lib/learners/erm/problem.ts";
import { vectorNoise } from "../../lib/learners/erm/vector_noise.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "../checks/erm_risk_check.ts";
import { all, atMost } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The bounds on distance and on extra training loss, over those that hold. */
interface Shares {
  readonly distance: number;
  readonly cost: number;
}

/** What noise in the objective costs, whatever the noise. */
export const slidesLemmas = theorem<Shares>({
  id: "erm/slides_lemmas",
  statement: "Noise b in the objective moves the minimiser by at most ‖b‖/(nλ) and costs at most " +
    "‖b‖²/(2n²λ) in the objective.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 19 (sharper here by a factor 2)",
  source:
    "Chaudhuri’s slides, accuracy, Lemmas 1 and 2: |b|/(λn) and |b|²/(λn²ε²), there with b in units of 1/ε",
  kind: "sampled",
  checked: "200 generated trainings, logistic and Huber loss",
  subject: { distance: 1, cost: 1 },
  check: ({ distance, cost }, { seed }) => {
    const source = new SeededSource(seed).split("training");
    let far = 0, dear = 0;
    for (let k = 0; k < 200; k++) {
      const n = 20, d = 1 + k % 3, lambda = 10 ** (3 * source.uniform() - 2);
      const loss = k % 2 === 0 ? logisticLoss : huberHinge(0.5);
      const risk = generatedRisk(source, { n, d, lambda, loss });
      const noise = vectorNoise(source, new Float64Array(d), {
        rate: 10 ** (2 * source.uniform() - 1),
      });
      const problem = { ...risk, quadratic: 0 };
      const best = minimise(problem, { tolerance: 1e-13 });
      const moved = minimise({ ...problem, linear: noise.map((b) => b / n) }, { tolerance: 1e-13 });
      const length = norm(noise);
      far = Math.max(
        far,
        norm(moved.weights.map((f, j) => f - best.weights[j]!)) * n * lambda / length,
      );
      const excess = objectiveAt(moved.weights, risk) - best.value - 1e-13;
      dear = Math.max(dear, excess * 2 * n * n * lambda / (length * length));
    }
    return all([
      atMost(distance, { value: far, detail: "distance", witness: `${far} of ‖b‖/(nλ)` }),
      atMost(cost, { value: dear, detail: "cost", witness: `${dear} of ‖b‖²/(2n²λ)` }),
    ], "200 trainings, logistic and Huber");
  },
  mutants: {
    "‖b‖/(2nλ)": { distance: 0.5, cost: 1 },
    "‖b‖²/(4n²λ)": { distance: 1, cost: 0.5 },
  },
});
