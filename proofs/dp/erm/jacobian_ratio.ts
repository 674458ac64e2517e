import { calibrateObjective } from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logJacobian, noiseLeadingTo } from "../../../lib/dp/learners/erm/noise/log_density.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { norm, type Problem } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { smoothElasticNet, squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, type Labelled, risk } from "./checks/training_data.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Steps {
  /** What ln of the ratio of determinants is at most. */
  readonly jacobian: (
    of: { readonly c: number; readonly convexity: number; readonly n: number },
  ) => number;
  /** How far the noise vectors of neighbours for one output are apart at most. */
  readonly shift: number;
  /** How much of ε is left for the noise. */
  readonly left: (of: { readonly epsilon: number; readonly slack: number }) => number;
}

const stated: Steps = {
  jacobian: ({ c, convexity, n }) => 2 * Math.log1p(c / (n * convexity)),
  shift: 2,
  left: ({ epsilon, slack }) => epsilon > slack ? epsilon - slack : epsilon / 2,
};

/** det(−db/df), by differences of the noise. */
function numericJacobian(f: Float64Array, problem: Problem): number {
  const step = 1e-5, d = f.length;
  const columns = Array.from({ length: d }, (_, k) => {
    const [above, below] = [step, -step].map((t) => noiseLeadingTo(f.with(k, f[k]! + t), problem));
    return Array.from(above!, (value, j) => (below![j]! - value) / (2 * step));
  });
  const [[a, b = 0, c = 0] = [], [e = 0, g = 1, h = 0] = [], [p = 0, q = 0, r = 1] = []] = columns;
  return a! * (g * r - h * q) - b * (e * r - h * p) + c * (e * q - g * p);
}

/** The steps of the proof that Algorithm 2 is private. */
export const jacobianRatio = theorem<Steps>({
  id: "erm/jacobian_ratio",
  statement:
    "For one output f, the noise b(f) has −db/df = Σℓ″x_i x_iᵀ + n(Λ∇²N + Δ), whose determinants on neighbours differ by a factor of at most (1 + c/(n(Λ + Δ)))², and moves by " +
    "at most 2. Algorithm 2 has ε′ = ε − 2ln(1 + c/(nΛ)) with Δ = 0 if that is positive, else ε′ = ε/2 with the Δ for which the factor is e^(ε/2).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2 and proof of Theorem 9",
  source: "JMLR preprint, proof of Theorem 2: the Jacobian, its ratio, and its two cases",
  remember: () =>
    `At nΛ = 1 two determinants of logistic regression differ by a factor of ${
      short(Math.exp(stated.jacobian({ c: 1 / 4, convexity: 1, n: 1 })))
    } at most, at nΛ = 100 by ${
      short(Math.exp(stated.jacobian({ c: 1 / 4, convexity: 100, n: 1 })))
    }.`,
  assumptions: ["rows no longer than 1"],
  kind: "sampled",
  checked:
    "400 pairs of one to four rows in one to three columns, logistic, smoothed and Huber hinge, two regularisers, Δ = 0 and .2, outputs of all sizes and where the loss bends most (the derivative by differences for the two smooth losses); shares of ε at 80 settings",
  subject: stated,
  check: ({ jacobian, shift, left }, { seed }) =>
    outcomeOf("400 pairs, 80 settings", () => {
      const source = new SeededSource(seed).split("jacobians");
      const huber = huberHinge(0.5);
      let far = 0, steep = 0;
      for (let k = 0; k < 400; k++) {
        const loss = [logisticLoss, smoothedHinge(0.5), huber][k % 3]!;
        const regulariser = k % 4 === 3 ? smoothElasticNet(0.1) : squaredNorm;
        const n = [1, 2, 4][(k >> 1) % 3]!, d = 1 + (k >> 2) % 3, quadratic = k % 2 === 0 ? 0 : 0.2;
        const lambda = [0.1, 1, 5][(k >> 3) % 3]!, convexity = lambda + quadratic;
        const pair = generatedNeighbours(source, { n, d, normBound: 1 });
        const [axis] = pair.left[0]!;
        const scale = 10 ** (3 * source.uniform() - 2);
        // Where the first row's loss bends most, where it falls steeply, and anywhere.
        const f = k % 5 === 0
          ? Float64Array.from(axis, (value) => loss === logisticLoss ? 0 : value)
          : k % 5 === 1
          ? Float64Array.from(axis, (value) => -40 * value * pair.left[0]![1])
          : floatNormal(source, new Float64Array(d), { scale });
        const problemOf = (rows: readonly Labelled[]): Problem => ({
          ...risk(rows, { loss, regulariser, lambda }),
          quadratic,
        });
        const [here, beside] = [pair.left, pair.right].map(problemOf);
        if (loss !== huber) {
          requireNear(Math.log(numericJacobian(f, here!)), logJacobian(f, here!), {
            absolute: 1e-5,
            what: "ln det(−db/df)",
          });
        }
        const ratio = Math.abs(logJacobian(f, here!) - logJacobian(f, beside!));
        const allowed = jacobian({ c: loss.curvatureBound, convexity, n });
        requireThat(
          ratio <= allowed + 1e-9,
          () =>
            `${loss.name}, nΛ = ${n * lambda}: determinants differ by e^${ratio}, not e^${allowed}`,
        );
        steep = Math.max(steep, ratio / allowed);
        const [b, other] = [here!, beside!].map((problem) => noiseLeadingTo(f, problem));
        const moved = norm(b!.map((value, j) => value - other![j]!));
        requireThat(moved <= shift + 1e-9, () => `b moves by ${moved}`);
        far = Math.max(far, moved);
      }
      requireThat(far > 1.95 && steep > 0.5, `the worst cases are missed: ${far}, ${steep}`);
      for (const epsilon of [0.05, 0.3, 1, 3]) {
        for (const loss of [logisticLoss, huberHinge(0.1)]) {
          for (let power = -4; power < 6; power++) {
            const rowCount = 10, lambda = 10 ** power / rowCount, c = loss.curvatureBound;
            const { quadratic, noise, spent } = calibrateObjective({
              epsilon,
              rowCount,
              lambda,
              loss,
              normBound: 1,
              tolerance: 1e-9,
              slack: "cms11",
              residualShare: 0,
            });
            const slack = 2 * Math.log1p(c / (rowCount * lambda));
            const remains = left({ epsilon, slack });
            const factor = jacobian({ c, convexity: lambda + quadratic, n: rowCount });
            requireThat((quadratic > 0) === (slack >= epsilon), `Δ = ${quadratic} at 10^${power}`);
            requireNear(spent.noise, remains, { relative: 1e-9, absolute: 1e-12, what: "ε′" });
            requireNear(factor, epsilon - remains, {
              relative: 1e-9,
              absolute: 1e-12,
              what: "ln ratio",
            });
            requireThat(
              noise.kind === "exponential-norm" && Math.abs(noise.rate - remains / 2) < 1e-12,
              "β is not ε′/2",
            );
          }
        }
      }
      return steep;
    }),
  mutants: {
    "c/3 for c": {
      ...stated,
      jacobian: ({ c, ...rest }) => stated.jacobian({ c: c / 3, ...rest }),
    },
    "the noise moves by 1.9": { ...stated, shift: 1.9 },
    "ε′ is what is left, however little": {
      ...stated,
      left: ({ epsilon, slack }) => Math.max(0, epsilon - slack),
    },
  },
});
