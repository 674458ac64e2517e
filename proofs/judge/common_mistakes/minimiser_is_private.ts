import { calibrateOutput } from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { type Labelled, risk } from "../../dp/erm/checks/training_data.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The loss of releasing one of two points at a distance, for Λ = 1 and n = 10. */
type Loss = (distance: number) => number;

const paid = (epsilon: number): number => {
  const { noise } = calibrateOutput({
    epsilon,
    rowCount: 10,
    lambda: 1,
    loss: logisticLoss,
    normBound: 1,
    tolerance: 1e-13,
  });
  return noise.kind === "exponential-norm" ? noise.rate : NaN;
};

/** Averages are not private by themselves. */
export const minimiserIsPrivate = falseClaim<Loss>({
  id: "common_mistakes/minimiser_is_private",
  statement: "A regularised classifier is an aggregate of many rows, and private as it is.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, after Definition 3: it is not, for any ε",
  source:
    "Chaudhuri’s slides, “Why is ERM not private for SVM?”; Haußmann’s slides, “only allow aggregates”",
  remember: () =>
    "Two datasets, two classifiers, and no randomness between them: whoever sees one knows which it was.",
  assumptions: ["ten rows, logistic loss, Λ = 1; the claim is ε = 1, any other would do"],
  kind: "sampled",
  subject: (distance) => distance > 0 ? Infinity : 0,
  check: (loss) => {
    const rest = Array.from(
      { length: 9 },
      (_, i): Labelled => [[i / 10, 0.3], i % 2 === 0 ? 1 : -1],
    );
    const fitted = (first: Labelled): Float64Array =>
      minimise({
        ...risk([first, ...rest], { loss: logisticLoss, regulariser: squaredNorm, lambda: 1 }),
        quadratic: 0,
      }, { tolerance: 1e-13 }).weights;
    let worst = 0, far = 0;
    for (const other of [[[0, 1], 1], [[1, 0], -1], [[-1, 0], 1]] as const) {
      const a = fitted([[1, 0], 1]), b = fitted(other);
      const distance = norm(a.map((value, j) => value - b[j]!));
      far = Math.max(far, distance);
      worst = Math.max(worst, loss(distance));
    }
    return {
      holds: worst <= 1,
      margin: worst,
      detail: `one row of ten moves the classifier by ${short(far)}`,
      ...(worst <= 1 ? {} : { witness: `two classifiers ${short(far)} apart are told apart` }),
    };
  },
  corrected: { name: "output perturbation", subject: (distance) => paid(1) * distance },
  mutants: { "output perturbation with ε = 4": (distance) => paid(4) * distance },
});
