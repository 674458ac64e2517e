import { calibrateOutput } from "../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { sampleMinimiser } from "../../lib/learners/erm/sample_minimiser.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { generatedRisk, objectiveAt } from "../erm_risk_check.ts";
import { short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** The constant before d²(c + Λη)ln²(d/δ)/(Λ²n²ε²), and how loud the noise is. */
interface Constants {
  readonly constant: number;
  readonly loudness: number;
}

/** The excess in J of output perturbation. */
export const lemma16 = theorem<Constants>({
  id: "erm/lemma_16",
  statement: "Output perturbation has J(f_priv) ≤ J(f*) + 2d²(c + Λη)ln²(d/δ)/(Λ²n²ε²) with " +
    "probability 1 − δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 16; NIPS 2008, Lemma 3. The statement's 2 is " +
    "right; the printed proof shows 4 and Theorem 15 uses 8",
  source: "Chaudhuri’s slides, accuracy; JMLR preprint, section 4",
  assumptions: ["ℓ′ is c-Lipschitz, ‖∇²N‖ ≤ η = 1"],
  kind: "statistical",
  subject: { constant: 2, loudness: 1 },
  check: ({ constant, loudness }, { seed }) => {
    // A zero-row check is exact: J − J* = Λ‖b‖²/2, and for d = 1 it fails with probability δ exactly.
    const delta = 0.1, n = 60, lambda = 0.1, epsilon = 1, draws = 400;
    const exact = Math.exp(-Math.sqrt(constant / 2) * Math.log(1 / delta) / loudness);
    const source = new SeededSource(seed).split("lemma 16");
    let most = 0;
    for (const loss of [logisticLoss, huberHinge(0.5)]) {
      for (const d of [1, 3]) {
        const risk = generatedRisk(source, { n, d, lambda, loss });
        const right = calibrateOutput({
          epsilon,
          rowCount: n,
          lambda,
          loss,
          normBound: 1,
          tolerance: 1e-10,
        });
        if (right.noise.kind !== "exponential-norm") continue;
        const noise = { ...right.noise, rate: right.noise.rate / loudness };
        const best = minimise({ ...risk, quadratic: 0 }, { tolerance: 1e-12 });
        const bound = constant * d * d * (loss.curvatureBound + lambda) *
          (Math.log(d / delta) / (lambda * n * epsilon)) ** 2;
        let beyond = 0;
        for (let k = 0; k < draws; k++) {
          const weights = sampleMinimiser(source, {
            ...risk,
            calibration: { ...right, noise },
            start: best.weights,
          });
          if (objectiveAt(weights, risk) > best.value + bound) beyond++;
        }
        most = Math.max(most, beyond / draws);
      }
    }
    // Five standard errors: a share of δ exactly would be taken for more with probability 3e-7.
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
