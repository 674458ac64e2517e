import { calibrateObjective } from "../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { sampleMinimiser } from "../../lib/learners/erm/sample_minimiser.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "../erm_risk_check.ts";
import { short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** The constant before d²ln²(d/δ)/(Λn²ε′²), and how loud the noise is. */
interface Constants {
  readonly constant: number;
  readonly loudness: number;
}

/** The excess in J of objective perturbation. */
export const lemma19 = theorem<Constants>({
  id: "erm/lemma_19",
  statement: "Objective perturbation without Δ has J(f_priv) ≤ J(f*) + 2d²ln²(d/δ)/(Λn²ε′²) with " +
    "probability 1 − δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 19, with ε′ for ε and 2 for 4; NIPS 2008, Lemma 4",
  source: "Chaudhuri’s slides, accuracy; as printed it is false_claims/lemma_19_epsilon",
  assumptions: ["ε′ > 0"],
  kind: "statistical",
  subject: { constant: 2, loudness: 1 },
  check: ({ constant, loudness }, { seed }) => {
    const delta = 0.1, n = 60, lambda = 0.2, epsilon = 1, draws = 400;
    // Without data J − J* = ‖b‖²/(2n²Λ): for d = 1 it fails with probability δ exactly.
    const exact = Math.exp(-Math.sqrt(constant / 2) * Math.log(1 / delta) / loudness);
    const source = new SeededSource(seed).split("lemma 19");
    let most = 0;
    for (const loss of [logisticLoss, huberHinge(0.5)]) {
      for (const d of [1, 3]) {
        const risk = generatedRisk(source, { n, d, lambda, loss });
        const right = calibrateObjective({
          epsilon,
          rowCount: n,
          lambda,
          loss,
          normBound: 1,
          tolerance: 1e-10,
          slack: "cms11",
        });
        if (right.noise.kind !== "exponential-norm" || right.quadratic > 0) continue;
        const calibration = {
          ...right,
          noise: { ...right.noise, rate: right.noise.rate / loudness },
        };
        const best = minimise({ ...risk, quadratic: 0 }, { tolerance: 1e-12 });
        const bound = constant * (d * Math.log(d / delta) / (n * right.spent.noise)) ** 2 / lambda;
        let beyond = 0;
        for (let k = 0; k < draws; k++) {
          const weights = sampleMinimiser(source, { ...risk, calibration, start: best.weights });
          if (objectiveAt(weights, risk) > best.value + bound) beyond++;
        }
        most = Math.max(most, beyond / draws);
      }
    }
    const allowed = delta + 5 * Math.sqrt(delta * (1 - delta) / draws);
    const holds = most <= allowed && exact <= delta * (1 + 1e-9);
    return {
      holds,
      margin: Math.max(exact, most) / delta,
      detail: `without data it fails with probability ${short(exact)}; on data in a share of ` +
        `${short(most)} of ${draws} draws (δ = .1; false alarm 3e-7 a setting)`,
      ...(holds ? {} : { witness: `fails with probability ${short(Math.max(exact, most))}` }),
    };
  },
  mutants: {
    "the constant 1": { constant: 1, loudness: 1 },
    "noise three times as loud": { constant: 2, loudness: 3 },
  },
});
