import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { vectorNoise } from "../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "./checks/risk_check.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Setting {
  readonly b: number;
  readonly n: number;
  readonly lambda: number;
  readonly quadratic: number;
}

/** The regulariser that noise b and Δ stand for: where its centre is, and how strong it is. */
interface Centred {
  readonly centre: (of: Setting) => number;
  readonly strength: (of: Omit<Setting, "b">) => number;
}

const stated: Centred = {
  centre: ({ b, n, lambda, quadratic }) => -b / (n * (lambda + quadratic)),
  strength: ({ lambda, quadratic }) => lambda + quadratic,
};

/** Objective perturbation as regularisation. */
export const noiseAsRegulariser = theorem<Centred>({
  id: "erm/noise_as_regulariser",
  statement:
    "With N = ½‖f‖², objective perturbation minimises the risk plus ½(Λ + Δ)‖f − f₀‖², regularisation towards a random point f₀ = −b/(n(Λ + Δ)), but for a constant.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2, by completing the square",
  source: "Haußmann’s slides, DP & ML: noise in the objective as a kind of regularisation",
  remember: () =>
    `Noise b = 2 on 100 rows at Λ = .1 pulls towards ${
      short(stated.centre({ b: 2, n: 100, lambda: 0.1, quadratic: 0 }))
    } in place of 0.`,
  kind: "sampled",
  checked:
    "60 generated trainings of 20 rows in one to three columns, logistic and Huber loss, Δ = 0 and .1: the difference at 20 points, and that the minimiser is one of the other",
  subject: stated,
  check: ({ centre, strength }, { seed }) =>
    outcomeOf("60 trainings", () => {
      const source = new SeededSource(seed).split("regulariser");
      for (let k = 0; k < 60; k++) {
        const n = 20, d = 1 + k % 3, lambda = 10 ** (2 * source.uniform() - 2);
        const quadratic = k % 4 < 2 ? 0 : 0.1;
        const loss = k % 2 === 0 ? logisticLoss : huberHinge(0.5);
        const risk = generatedRisk(source, { n, d, lambda, loss });
        const noise = vectorNoise(source, new Float64Array(d), { rate: 0.5 });
        const sum = (f: Float64Array, of: (value: number, j: number) => number): number =>
          f.reduce((total, value, j) => total + of(value, j), 0);
        const alone = (f: Float64Array): number =>
          objectiveAt(f, risk) - sum(f, (value) => lambda * value * value / 2);
        const perturbed = (f: Float64Array): number =>
          alone(f) +
          sum(f, (value, j) => (lambda + quadratic) * value * value / 2 + noise[j]! * value / n);
        const regularised = (f: Float64Array): number =>
          alone(f) +
          sum(f, (value, j) =>
            strength({ n, lambda, quadratic }) / 2 *
            (value - centre({ b: noise[j]!, n, lambda, quadratic })) ** 2);
        const none = new Float64Array(d), constant = regularised(none) - perturbed(none);
        const best = minimise({ ...risk, quadratic, linear: noise.map((b) => b / n) }, {
          tolerance: 1e-13,
        });
        requireNear(best.value, perturbed(best.weights), { absolute: 1e-11, what: "J" });
        for (let point = 0; point < 20; point++) {
          const step = floatNormal(source, new Float64Array(d), { scale: 10 ** (-(point % 4)) });
          const f = best.weights.map((value, j) => value + step[j]!);
          requireNear(regularised(f) - perturbed(f), constant, {
            relative: 1e-9,
            absolute: 1e-9,
            what: "difference",
          });
          requireThat(
            regularised(f) >= regularised(best.weights) - 1e-11,
            "the minimiser is not that of the regularised risk",
          );
        }
      }
    }),
  mutants: {
    "towards b/(n(Λ + Δ))": { ...stated, centre: (of) => -stated.centre(of) },
    "Δ left out of the centre": { ...stated, centre: ({ b, n, lambda }) => -b / (n * lambda) },
    "Δ left out": {
      centre: ({ b, n, lambda }) => -b / (n * lambda),
      strength: ({ lambda }) => lambda,
    },
  },
});
