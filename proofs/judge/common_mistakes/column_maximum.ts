import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { type Labelled, risk } from "../../dp/erm/checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** How a column of features is scaled before training. */
type Scale = (column: readonly number[]) => readonly number[];

/** Preprocessing that looks at the data. */
export const columnMaximum = falseClaim<Scale>({
  id: "common_mistakes/column_maximum",
  statement: "Training is as private after each column has been divided by its largest value.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, section 7.1",
  source: "JMLR paper, how its experiments were prepared",
  remember: () => "One row of 1 among nine of .1 changes all ten rows that are trained on.",
  assumptions: ["n = 10, Λ = 1, Huber hinge: the bound claimed is 2/(nΛ)"],
  kind: "sampled",
  subject: (column) => {
    const most = Math.max(...column);
    return column.map((value) => value / most);
  },
  check: (scale) => {
    const n = 10, lambda = 1;
    const fitted = (column: readonly number[]): number => {
      const data = scale(column).map((value): Labelled => [[value], 1]);
      const { weights } = minimise({
        ...risk(data, { loss: huberHinge(0.5), regulariser: squaredNorm, lambda }),
        quadratic: 0,
      }, { tolerance: 1e-12 });
      return weights[0]!;
    };
    // Nine rows of a tenth, and one of 1 or of a tenth.
    const rest = new Array<number>(n - 1).fill(0.1);
    const change = Math.abs(fitted([1, ...rest]) - fitted([0.1, ...rest]));
    return atMost(2 / (n * lambda), {
      value: change,
      detail: `one row at the maximum, or not, moves the minimiser by ${short(change)}`,
      witness: `(1, .1, …, .1) against (.1, …, .1): every row moves, the minimiser by ${
        short(change)
      }`,
    });
  },
  corrected: {
    name: "divided by a declared bound",
    subject: (column) => column.map((value) => Math.min(1, value)),
  },
  mutants: {
    "divided by twice the largest value": (column) => {
      const most = 2 * Math.max(...column);
      return column.map((value) => value / most);
    },
  },
});
