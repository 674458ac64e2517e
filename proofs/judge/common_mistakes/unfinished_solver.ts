import { calibrateOutput } from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, risk } from "../../dp/erm/checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The ‖∇J‖ that noise is set for, given what the solver reached. */
type Paid = (reached: number) => number;

/** Output perturbation of a solver that was stopped early. */
export const unfinishedSolver = falseClaim<Paid>({
  id: "common_mistakes/unfinished_solver",
  statement:
    "Output perturbation with the noise of 2/(nΛ) is ε-differentially private whatever the " +
    "solver's tolerance.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1, as implemented with an inexact solver",
  source: "the sensitivity is 2/(nΛ) + 2τ/Λ for ‖∇J‖ ≤ τ",
  remember: () =>
    `A gradient of .001 left over at Λ = .01 is worth ${
      short(2 * 0.001 / 0.01)
    } of distance, where 2/(nΛ) is ${2 / (10_000 * 0.01)} for 10,000 rows.`,
  assumptions: ["Newton's method from a common start, stopped after 1 to 3 steps"],
  kind: "sampled",
  subject: () => 0,
  check: (paid, { seed }) => {
    const lambda = 1, epsilon = 1, rowCount = 6, loss = huberHinge(0.5);
    const source = new SeededSource(seed).split("neighbours");
    let worst = 0, steps = 0;
    for (let k = 0; k < 80; k++) {
      const pair = generatedNeighbours(source, { n: rowCount, d: 3, normBound: 1 });
      for (let maximumIterations = 1; maximumIterations <= 3; maximumIterations++) {
        const [one, other] = [pair.left, pair.right].map((data) =>
          minimise(
            { ...risk(data, { loss, regulariser: squaredNorm, lambda }), quadratic: 0 },
            { tolerance: 1e-13, maximumIterations, start: Float64Array.of(3, -2, 1) },
          )
        );
        const distance = norm(one!.weights.map((f, j) => f - other!.weights[j]!));
        const reached = Math.max(one!.gradientNorm, other!.gradientNorm);
        const { noise } = calibrateOutput({
          epsilon,
          rowCount,
          lambda,
          loss,
          normBound: 1,
          tolerance: paid(reached),
        });
        if (noise.kind !== "exponential-norm") continue;
        if (noise.rate * distance > worst) {
          [worst, steps] = [noise.rate * distance, maximumIterations];
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: `240 stopped runs at ε = 1 lose up to ${short(worst)}`,
      witness: `stopped after ${steps} steps, two minimisers are ${
        short(worst)
      } times 2/(nΛ) apart`,
    });
  },
  corrected: { name: "noise for 2/(nΛ) + 2τ/Λ", subject: (reached) => reached },
  mutants: { "a hundredth of τ paid": (reached) => reached / 100 },
});
