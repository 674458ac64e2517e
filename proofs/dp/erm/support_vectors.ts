import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Labelled, risk } from "./checks/training_data.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

const HALF_WIDTH = 0.5, loss = huberHinge(HALF_WIDTH);

interface Support {
  /** The coefficient of y_i x_i in the minimiser, from the slope at its margin. */
  readonly coefficient: (
    slope: number,
    size: { readonly n: number; readonly lambda: number },
  ) => number;
  /** Whether a row with this margin is a support vector. */
  readonly supports: (margin: number) => boolean;
}

const stated: Support = {
  coefficient: (slope, { n, lambda }) => -slope / (n * lambda),
  supports: (margin) => margin < 1 + HALF_WIDTH,
};

function fit(rows: readonly Labelled[], lambda: number): Float64Array {
  return minimise({
    ...risk(rows, { loss, regulariser: squaredNorm, lambda }),
    quadratic: 0,
  }, { tolerance: 1e-13 }).weights;
}

const dot = (a: ArrayLike<number>, b: readonly number[]): number =>
  b.reduce((sum, value, j) => sum + value * a[j]!, 0);

/** Features whose inner products are (x·x′)², for two columns: no longer than 1 where x is not. */
const squares = ([a, b]: readonly number[]): number[] => [a! * a!, Math.SQRT2 * a! * b!, b! * b!];

/** A support vector machine is its support vectors. */
export const supportVectors = theorem<Support>({
  id: "erm/support_vectors",
  statement:
    "The minimiser is Σ −ℓ′(z_i)/(nΛ)·y_i x_i over the rows with margins z_i below 1 + h; it stays where another row becomes zero, " +
    "and moves when a support vector is made shorter. With a kernel it is the same combination of kernels at the training points.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, sections 1 and 2.3; Kimeldorf, Wahba 1971 on representers",
  source:
    "Chaudhuri’s slides, why is ERM not private for SVM?; JMLR preprint, introduction and section 2.3",
  remember: () =>
    `A row with a margin above ${
      1 + HALF_WIDTH
    } could be anything else with such a margin, and the classifier would be the same.`,
  assumptions: ["Huber hinge, h = ½, N = ½‖f‖²; rows are replaced, so n stays"],
  kind: "sampled",
  checked:
    "40 generated trainings of 12 rows in two columns, Λ = .003 to .3, linear and with the kernel (x·x′)²: every row made zero, every support vector made shorter",
  subject: stated,
  check: ({ coefficient, supports }, { seed }) =>
    outcomeOf("40 trainings", () => {
      const source = new SeededSource(seed).split("support vectors");
      let inside = 0, outside = 0;
      for (let k = 0; k < 40; k++) {
        const n = 12, lambda = 0.003 * 10 ** (k % 3), kernel = k % 2 === 1;
        const points = Array.from({ length: n }, () => {
          const row = Array.from(floatNormal(source, new Float64Array(2), { scale: 0.5 }));
          const length = Math.max(1, Math.hypot(...row) * (1 + 1e-12));
          return row.map((value) => value / length);
        });
        const rows = points.map((point): Labelled => [
          kernel ? squares(point) : point,
          (point[0]! > 0) === (source.uniform() < 0.9) ? 1 : -1,
        ]);
        const weights = fit(rows, lambda);
        const margins = rows.map(([features, label]) => label * dot(weights, features));
        const alphas = margins.map((margin, i) =>
          supports(margin) ? coefficient(loss.slope(margin), { n, lambda }) * rows[i]![1] : 0
        );
        // By inner products of the points alone: at the points, and at another one.
        const product = (a: readonly number[], b: readonly number[]): number =>
          kernel ? dot(a, b) ** 2 : dot(a, b);
        for (const at of [...points, [0.3, -0.4]]) {
          const predicted = dot(weights, kernel ? squares(at) : at);
          const combined = points.reduce(
            (sum, point, i) => sum + alphas[i]! * product(point, at),
            0,
          );
          requireThat(
            Math.abs(predicted - combined) <= 1e-8,
            () => `Λ = ${lambda}: ${predicted} is not the combination, ${combined}`,
          );
        }
        rows.forEach(([features, label], i) => {
          const moved = (row: Labelled): number =>
            norm(fit(rows.with(i, row), lambda).map((value, j) => value - weights[j]!));
          if (supports(margins[i]!)) {
            inside++;
            const share = 0.8 + 0.1 * source.uniform();
            const distance = moved([features.map((value) => value * share), label]);
            requireThat(
              distance > 1e-9 || norm(Float64Array.from(features)) < 1e-3,
              () => `a support vector moves, the minimiser does not: margin ${margins[i]}`,
            );
          } else {
            outside++;
            const distance = moved([features.map(() => 0), label]);
            requireThat(
              distance <= 1e-9,
              () => `without a row of margin ${margins[i]} the minimiser moves by ${distance}`,
            );
          }
        });
      }
      requireThat(inside > 40 && outside > 40, `${inside} inside, ${outside} outside`);
    }),
  mutants: {
    "half the coefficients": {
      ...stated,
      coefficient: (slope, { n, lambda }) => -slope / (2 * n * lambda),
    },
    "rows with margins below 1 only": { ...stated, supports: (margin) => margin < 1 },
    "rows beyond 1 + h too": { ...stated, supports: (margin) => margin < 2 + HALF_WIDTH },
  },
});
