import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { computeMargins } from "../../../lib/dp/learners/erm/solver/row_kernels.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { vectorNoise } from "../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "./checks/risk_check.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The bounds on distance and on extra training loss, over those that hold. */
interface Shares {
  readonly distance: number;
  readonly cost: number;
  /** The factor of (w − w*)ᵀ∇²J(w − w*) in Taylor's series. */
  readonly taylor: number;
}

/** What noise in the objective costs, whatever the noise. */
export const slidesLemmas = theorem<Shares>({
  id: "erm/slides_lemmas",
  statement: "Noise b in the objective moves the minimiser by at most ‖b‖/(nλ) and costs at most " +
    "‖b‖²/(2n²λ) in the objective: by Taylor’s series that is ½(w − w*)ᵀ∇²J(w − w*), with the Hessian at a point between.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 19 (sharper here by a factor 2)",
  source:
    "Chaudhuri’s slides, accuracy, Lemmas 1 and 2: |b|/(λn) and |b|²/(λn²ε²), there with b in units of 1/ε",
  remember: () =>
    `Noise of length 10 on 1,000 rows at λ = .1 moves the minimum by ${
      short(10 / (1000 * 0.1))
    } at most and costs ${short(10 ** 2 / (2 * 1000 ** 2 * 0.1))} at most.`,
  kind: "sampled",
  checked:
    "200 generated trainings, logistic and Huber loss; the series of the logistic ones, with the Hessian at 101 points between",
  subject: { distance: 1, cost: 1, taylor: 1 / 2 },
  check: ({ distance, cost, taylor }, { seed }) => {
    const source = new SeededSource(seed).split("training");
    let far = 0, dear = 0, outside = 0;
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
      if (loss !== logisticLoss) continue;
      const step = moved.weights.map((f, j) => f - best.weights[j]!);
      const forms = Array.from(
        { length: 101 },
        (_, i) =>
          taylor * curvatureAlong(risk, best.weights.map((f, j) => f + i / 100 * step[j]!), step),
      );
      const least = Math.min(...forms), most = Math.max(...forms);
      // A hundredth for what lies between the points.
      outside = Math.max(outside, excess / (1.01 * most + 1e-13), (0.99 * least - 1e-13) / excess);
    }
    return all([
      atMost(distance, { value: far, detail: "distance", witness: `${far} of ‖b‖/(nλ)` }),
      atMost(cost, { value: dear, detail: "cost", witness: `${dear} of ‖b‖²/(2n²λ)` }),
      atMost(1, {
        value: outside,
        detail: "Taylor",
        witness: `${outside} of what the series gives`,
      }),
    ], "200 trainings, logistic and Huber");
  },
  mutants: {
    "‖b‖/(2nλ)": { distance: 0.5, cost: 1, taylor: 1 / 2 },
    "‖b‖²/(4n²λ)": { distance: 1, cost: 0.5, taylor: 1 / 2 },
    "Taylor’s series without its ½": { distance: 1, cost: 1, taylor: 1 },
    "Taylor’s series with ⅓": { distance: 1, cost: 1, taylor: 1 / 3 },
  },
});

/** dᵀ∇²J(w)d, of the unperturbed objective with N = ½‖w‖². */
function curvatureAlong(
  { rows, signs, loss, lambda }: ReturnType<typeof generatedRisk>,
  weights: Float64Array,
  step: Float64Array,
): number {
  const dots = (vector: Float64Array): Float64Array => {
    const into = new Float64Array(rows.rowCount);
    computeMargins(rows, { weights: vector, signs, into });
    return into;
  };
  const margins = dots(weights), along = dots(step);
  const sum = margins.reduce((sum, z, i) => sum + loss.curvature(z) * along[i]! ** 2, 0);
  return sum / rows.rowCount + lambda * norm(step) ** 2;
}
