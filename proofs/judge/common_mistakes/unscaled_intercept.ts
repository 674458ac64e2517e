import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { withIntercept } from "../../../lib/dp/learners/erm/rows/with_intercept.ts";
import { risk } from "../../dp/erm/checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** An intercept of 1 appended to rows of norm at most `rowNorm`. */
export const unscaledIntercept = falseClaim<{ readonly rowNorm: number; readonly value: number }>({
  id: "common_mistakes/unscaled_intercept",
  statement:
    "Rows of norm at most 1 with a 1 appended for the intercept leave the sensitivity at " +
    "2/(nΛ).",
  citation: "a common implementation of Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1",
  source: "code that appends a 1 to scaled rows",
  remember: () =>
    `A row of length 1 with a 1 beside it is ${
      short(Math.hypot(1, 1))
    } long, and so many times ε is lost.`,
  assumptions: ["n = 1, Λ = 5, Huber hinge; opposite labels"],
  kind: "sampled",
  subject: { rowNorm: 1, value: 1 },
  check: ({ rowNorm, value }) => {
    const lambda = 5;
    const [one, other] = [1, -1].map((label) => {
      const data = risk([[[rowNorm], label]], {
        loss: huberHinge(0.5),
        regulariser: squaredNorm,
        lambda,
      });
      const rows = withIntercept(data.rows, { value });
      return minimise({ ...data, rows, quadratic: 0 }, { tolerance: 1e-13 });
    });
    const distance = norm(one!.weights.map((f, j) => f - other!.weights[j]!));
    const open = (one!.gradientNorm + other!.gradientNorm) / lambda;
    return atMost(2 / lambda, {
      value: distance - open,
      detail: `the minimiser moves by ${short(distance * lambda / 2)} times 2/(nΛ)`,
      witness: `(1, 1) with labels ±1: ${short(distance * lambda / 2)} times 2/(nΛ)`,
    });
  },
  corrected: {
    name: "row and intercept scaled into the unit ball",
    subject: { rowNorm: Math.SQRT1_2, value: Math.SQRT1_2 },
  },
  mutants: { "an intercept of ½": { rowNorm: 1, value: 0.5 } },
});
