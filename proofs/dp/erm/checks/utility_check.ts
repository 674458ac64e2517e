import {
  calibrateObjective,
  calibrateOutput,
  type Calibration,
} from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import { minimise } from "../../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleMinimiser } from "../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { objectiveRequirement, outputRequirement } from "./sample_requirements.ts";
import { generatedRisk, objectiveAt } from "./risk_check.ts";
import { short } from "../../../engine/outcome.ts";
import type { CheckOptions, Outcome } from "../../../engine/theorem.ts";

/** What is perturbed. */
export type Perturbation = "output" | "objective";

/** The noise of a perturbation with the constants printed in 2011. */
function calibrated(
  perturbation: Perturbation,
  input: Parameters<typeof calibrateOutput>[0],
): Calibration {
  return perturbation === "output"
    ? calibrateOutput(input)
    : calibrateObjective({ ...input, slack: "cms11" });
}

const losses = [logisticLoss, huberHinge(0.5)];

/** A population of four kinds of rows; labels are 1 nine times in ten. */
const ATOMS = [[0.8, 0.5], [0.8, -0.5], [0.2, 0.9], [0.4, -0.7]] as const;

/** L(f) = E ℓ(y f·x), a finite sum. */
export function trueRisk(weights: ArrayLike<number>, loss: Loss): number {
  return ATOMS.reduce((sum, [x, y]) => {
    const margin = weights[0]! * x + weights[1]! * y;
    return sum + (0.9 * loss.value(margin) + 0.1 * loss.value(-margin)) / ATOMS.length;
  }, 0);
}

/** n rows of the population, with their labels. */
export function drawnRows(
  source: SeededSource,
  n: number,
): { readonly rows: ReturnType<typeof denseRows>; readonly signs: Float64Array } {
  const values = new Float64Array(2 * n), signs = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    values.set(ATOMS[source.uint32() % ATOMS.length]!, 2 * i);
    signs[i] = source.uniform() < 0.9 ? 1 : -1;
  }
  return { rows: denseRows(values, { columnCount: 2 }), signs };
}

/** The share of training sets whose private classifier has a risk above `allowed`. */
function shareAbove(
  allowed: number,
  { source, n, loss, lambda, calibration, runs }: {
    readonly source: SeededSource;
    readonly n: number;
    readonly loss: Loss;
    readonly lambda: number;
    readonly calibration: Calibration;
    readonly runs: number;
  },
): number {
  let above = 0;
  for (let run = 0; run < runs; run++) {
    const weights = sampleMinimiser(source, {
      ...drawnRows(source, n),
      loss,
      regulariser: squaredNorm,
      lambda,
      calibration,
    });
    if (trueRisk(weights, loss) > allowed) above++;
  }
  return above / runs;
}

/** The constant C that is enough for the population here: a quarter of these rows is not. */
const CONSTANT = { output: 0.4, objective: 0.12 };

/**
 * Theorems 15 and 18: how often the risk is more than ε_g = .1 above that of f₀ = (2, .2), when `share`
 * of C times the rows of the theorem are drawn and Λ = ε_g/‖f₀‖².
 */
export function generalisationOutcome(
  perturbation: Perturbation,
  { share, seed }: CheckOptions & { readonly share: number },
): Outcome {
  const error = 0.1, delta = 0.1, epsilon = 1, runs = 200;
  const reference = [2, 0.2], norm = Math.hypot(...reference), lambda = error / norm ** 2;
  const requirement = perturbation === "output" ? outputRequirement : objectiveRequirement;
  const source = new SeededSource(seed).split(`generalisation, ${perturbation}`);
  let worst = 0, rows = 0;
  for (const loss of losses) {
    const c = loss.curvatureBound;
    const n = Math.ceil(
      CONSTANT[perturbation] * share * requirement({ d: 2, norm, error, epsilon, c, delta }),
    );
    rows = Math.max(rows, n);
    const input = { epsilon, rowCount: n, lambda, loss, normBound: 1, tolerance: 1e-9 };
    const above = shareAbove(trueRisk(reference, loss) + error, {
      source,
      n,
      loss,
      lambda,
      calibration: calibrated(perturbation, input),
      runs,
    });
    worst = Math.max(worst, above);
  }
  // Were it 2δ exactly, five standard errors more have probability below 1e-5.
  const allowed = 2 * delta + 5 * Math.sqrt(2 * delta * (1 - 2 * delta) / runs);
  return {
    holds: worst <= allowed,
    margin: worst / (2 * delta),
    detail: `up to ${rows} rows; the risk is too large in a share of ${short(worst)} of ${runs} ` +
      "training sets (2δ = .2; false alarm below 1e-5 a loss)",
    ...(worst <= allowed ? {} : { witness: `the risk is too large in a share of ${short(worst)}` }),
  };
}

/** The constant of Lemma 16 or 19, and how loud the noise is. */
export interface Constants {
  readonly constant: number;
  readonly loudness: number;
}

/**
 * Lemmas 16 and 19: how often J exceeds its minimum by more than constant·d²(c + Λ)ln²(d/δ)/(Λnε)², or
 * constant·d²ln²(d/δ)/(Λn²ε′²), on generated rows; and, without data and for d = 1, exactly.
 */
export function excessOutcome(
  perturbation: Perturbation,
  { constant, loudness, seed }: CheckOptions & Constants,
): Outcome {
  const delta = 0.1, n = 60, epsilon = 1, draws = 400;
  const lambda = perturbation === "output" ? 0.1 : 0.2;
  // J − J* is then Λ‖b‖²/2 or ‖b‖²/(2n²Λ), of exponential ‖b‖: it fails with probability δ exactly.
  const exact = Math.exp(-Math.sqrt(constant / 2) * Math.log(1 / delta) / loudness);
  const source = new SeededSource(seed).split(`excess, ${perturbation}`);
  let most = 0;
  for (const loss of losses) {
    for (const d of [1, 3]) {
      const risk = generatedRisk(source, { n, d, lambda, loss });
      const input = { epsilon, rowCount: n, lambda, loss, normBound: 1, tolerance: 1e-10 };
      const right = calibrated(perturbation, input);
      if (right.noise.kind !== "exponential-norm" || right.quadratic > 0) {
        throw new Error("Cannot check the excess: the noise must be pure, and Δ must be 0");
      }
      const noise = { ...right.noise, rate: right.noise.rate / loudness };
      const best = minimise({ ...risk, quadratic: 0 }, { tolerance: 1e-12 });
      const bound = constant * (d * Math.log(d / delta) / n) ** 2 *
        (perturbation === "output"
          ? (loss.curvatureBound + lambda) / (lambda * epsilon) ** 2
          : 1 / (lambda * right.spent.noise ** 2));
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
}
