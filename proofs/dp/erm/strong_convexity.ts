import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import {
  allocateEvaluation,
  evaluate,
  type Problem,
} from "../../../lib/dp/learners/erm/solver/problem.ts";
import { smoothElasticNet, squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, risk } from "./checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The Λ that J is said to be strongly convex with, as a multiple of its own, and whether N is there. */
interface Convexity {
  readonly factor: number;
  readonly regularised: boolean;
}

/** J at a point, by the shipped code. */
function valueAt(problem: Problem, f: Float64Array): number {
  const at = allocateEvaluation(problem);
  at.weights.set(f);
  evaluate(problem, { at, scratch: new Float64Array(problem.rows.rowCount) });
  return at.value;
}

/** The objective is strongly convex, so its minimiser is one. */
export const strongConvexity = theorem<Convexity>({
  id: "erm/strong_convexity",
  statement:
    "With a convex loss and a 1-strongly convex N, J is Λ-strongly convex: J(αf + (1 − α)g) ≤ αJ(f) + (1 − α)J(g) − ½Λα(1 − α)‖f − g‖²; it is strictly convex, " +
    "so it has one minimiser, from wherever it is looked for, and there J(f) − J(f*) ≥ ½Λ‖f − f*‖².",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, section 2.1 and proof of Corollary 8; Boyd, Vandenberghe 2004",
  source: "JMLR preprint, definitions of strict and strong convexity, and Lemma 1",
  remember: () => `At Λ = .01, being 1 away from the minimum costs at least ${0.01 / 2}.`,
  kind: "sampled",
  checked:
    "360 generated problems: logistic, Huber and smoothed hinge, N = ½‖f‖² and the smooth elastic net, one to four rows in one to three columns, Λ = .01, .3 and 5: two points and three α each, and the minimiser from two starts",
  subject: { factor: 1, regularised: true },
  check: ({ factor, regularised }, { seed }) => {
    const source = new SeededSource(seed).split("convexity");
    let worst = 0, witness = "";
    for (let k = 0; k < 360; k++) {
      const d = 1 + k % 3, loss = [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)][k % 3]!;
      const regulariser = k % 2 === 0 ? squaredNorm : smoothElasticNet(0.5);
      const lambda = [0.01, 0.3, 5][(k >> 1) % 3]!;
      const { left } = generatedNeighbours(source, { n: 1 + k % 4, d, normBound: 1 });
      const whole: Problem = { ...risk(left, { loss, regulariser, lambda }), quadratic: 0 };
      const problem = regularised ? whole : { ...whole, lambda: 0 };
      const points = [0, 1].map(() =>
        floatNormal(source, new Float64Array(d), { scale: 10 ** (2 * source.uniform() - 1) })
      );
      const [f, g] = points as [Float64Array, Float64Array];
      const [atF, atG] = points.map((point) => valueAt(problem, point)) as [number, number];
      const apart = f.reduce((sum, x, j) => sum + (x - g[j]!) ** 2, 0);
      for (const alpha of [0.1, 0.5, 0.8]) {
        const between = f.map((x, j) => alpha * x + (1 - alpha) * g[j]!);
        const roundingMargin = 1e-12 * (1 + Math.abs(atF) + Math.abs(atG));
        const taken = factor * lambda * alpha * (1 - alpha) * apart / 2;
        const left = alpha * atF + (1 - alpha) * atG - valueAt(problem, between) + roundingMargin;
        if (taken / left > worst || !(left > 0)) {
          worst = left > 0 ? taken / left : Infinity;
          witness = `${loss.name}, Λ = ${lambda}: ${short(left)} where ${short(taken)} is stated`;
        }
      }
      if (!regularised) continue;
      const [one, other] = points.map((start) =>
        minimise(problem, { tolerance: 1e-12, start }).weights
      ) as [Float64Array, Float64Array];
      const distance = Math.hypot(...one.map((x, j) => x - other[j]!));
      const rise = (atF - valueAt(problem, one) + 1e-12 * (1 + atF)) /
        (factor * lambda / 2 * f.reduce((sum, x, j) => sum + (x - one[j]!) ** 2, 0));
      worst = Math.max(worst, distance * lambda / 1e-9, 1 / rise);
    }
    return atMost(1, {
      value: worst,
      detail: "360 problems, three α each",
      witness,
      tolerance: 1e-6,
    });
  },
  mutants: {
    "1.05 Λ": { factor: 1.05, regularised: true },
    "without N": { factor: 1, regularised: false },
  },
});
