import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Labelled, risk } from "./checks/training_data.ts";
import { objectiveAt } from "./checks/risk_check.ts";
import { short } from "../../engine/outcome.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** Bounds for noise of length b along a direction in which the objective has curvature κ at least. */
interface Bounds {
  readonly move: (of: { readonly b: number; readonly n: number; readonly kappa: number }) => number;
  readonly cost: (of: { readonly b: number; readonly n: number; readonly kappa: number }) => number;
  /** What moving the minimiser itself by t costs at least. */
  readonly direct: (of: { readonly t: number; readonly kappa: number }) => number;
}

const stated: Bounds = {
  move: ({ b, n, kappa }) => b / (n * kappa),
  cost: ({ b, n, kappa }) => b * b / (2 * n * n * kappa),
  direct: ({ t, kappa }) => kappa * t * t / 2,
};

/** How many rows lie along each of three axes: the more, the more convex. */
const ROWS = [2, 20, 200];

/** Noise in the objective, and noise on the minimiser, by direction. */
export const convexDirections = theorem<Bounds>({
  id: "erm/convex_directions",
  statement:
    "Where the objective is a sum over orthogonal directions, noise b along one of curvature κ in the objective moves the minimiser by at most b/(nκ) and costs at most b²/(2n²κ) in the objective: less where " +
    "it is more convex. Moving the minimiser by t costs at least κt²/2: more where it is more convex.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, section 3.2; strong convexity along a line, Boyd, Vandenberghe 2004",
  source: "Chaudhuri’s slides, properties of real data: perturb less in convex directions",
  remember: () =>
    `Where the objective bends ten times as much, the same noise moves the minimum a tenth as far and costs a tenth: κ = .1 and 1 move by ${
      short(stated.move({ b: 1, n: 10, kappa: 0.1 }))
    } and ${short(stated.move({ b: 1, n: 10, kappa: 1 }))} at n = 10.`,
  assumptions: [
    "rows along orthogonal axes, so that the objective is a sum over axes; κ is the least curvature between the two points",
  ],
  kind: "sampled",
  checked:
    "logistic loss, three axes with 2, 20 and 200 rows, 60 generated trainings, Λ = .001, .01 and .1, both signs of b and t",
  subject: stated,
  check: ({ move, cost, direct }, { seed }) =>
    outcomeOf("60 trainings, three axes", () => {
      const source = new SeededSource(seed).split("directions");
      let most = 0;
      for (let run = 0; run < 60; run++) {
        const lambda = [0.001, 0.01, 0.1][run % 3]!;
        const rows = ROWS.flatMap((count, axis) =>
          Array.from({ length: count }, (): Labelled => [
            [0, 1, 2].map((j) => j === axis ? 0.5 + 0.5 * source.uniform() : 0),
            source.uniform() < 0.6 ? 1 : -1,
          ])
        );
        const n = rows.length;
        const given = risk(rows, { loss: logisticLoss, regulariser: squaredNorm, lambda });
        const problem = { ...given, quadratic: 0 };
        const best = minimise(problem, { tolerance: 1e-13 }), f = best.weights;
        const excess = (at: Float64Array): number => objectiveAt(at, given) - best.value;
        const curvatureAt = (axis: number, value: number): number =>
          rows.reduce((sum, [features, label]) => {
            const x = features[axis]!;
            return sum + logisticLoss.curvature(label * x * value) * x * x / n;
          }, lambda);
        const b = (run % 2 === 0 ? 1 : -1) * (1 + source.uniform()), t = b / 10;
        const moves: number[] = [], costs: number[] = [], directs: number[] = [];
        ROWS.forEach((_, axis) => {
          const along = (length: number): Float64Array =>
            Float64Array.from([0, 1, 2], (j) => j === axis ? length : 0);
          const perturbed = minimise({ ...problem, linear: along(b / n) }, { tolerance: 1e-13 });
          const moved = perturbed.weights[axis]! - f[axis]!;
          // ℓ″ rises to 0 and falls beyond: it is least at an end.
          const least = (other: number): number =>
            Math.min(curvatureAt(axis, f[axis]!), curvatureAt(axis, other));
          const kappa = least(perturbed.weights[axis]!), size = Math.abs(b);
          moves.push(Math.abs(moved));
          costs.push(excess(perturbed.weights));
          const allowed = move({ b: size, n, kappa }), dear = cost({ b: size, n, kappa });
          requireThat(
            Math.abs(moved) <= allowed * (1 + 1e-9),
            () => `axis ${axis}: moves by ${short(moved)}, allowed ${short(allowed)}`,
          );
          requireThat(
            costs.at(-1)! <= dear * (1 + 1e-6) + 1e-13,
            () => `axis ${axis}: costs ${costs.at(-1)}, allowed ${dear}`,
          );
          most = Math.max(most, Math.abs(moved) / allowed);
          const shifted = f.with(axis, f[axis]! + t), paid = excess(shifted);
          const needed = direct({ t: Math.abs(t), kappa: least(shifted[axis]!) });
          requireThat(
            paid >= needed * (1 - 1e-6) - 1e-13,
            () => `axis ${axis}: moving it costs ${paid}, stated ${needed}`,
          );
          directs.push(paid);
        });
        for (const axis of [1, 2]) {
          requireThat(moves[axis]! < moves[axis - 1]!, "moved further where it is more convex");
          requireThat(costs[axis]! < costs[axis - 1]!, "costs more where it is more convex");
          requireThat(directs[axis]! > directs[axis - 1]!, "moving it costs less there");
        }
      }
      return most;
    }),
  mutants: {
    "half the move": { ...stated, move: (of) => stated.move(of) / 2 },
    "half the cost": { ...stated, cost: (of) => stated.cost(of) / 2 },
    "κt²": { ...stated, direct: (of) => 2 * stated.direct(of) },
  },
});
