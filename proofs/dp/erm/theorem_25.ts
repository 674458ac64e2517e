import { factorCholesky } from "../../../lib/dp/learners/erm/solver/cholesky.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Labelled, risk } from "./checks/training_data.ts";
import { objectiveAt } from "./checks/risk_check.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Λ and the bound on |f_r|, as multiples of ε_g/‖f₀‖² and ‖f₀‖²/ε_g. */
interface Constants {
  readonly lambda: number;
  readonly reach: number;
}

/** Rows whose inner products are the Gaussian kernel of these inputs: its Cholesky factor. */
function kernelRows(inputs: readonly number[]): number[][] {
  const size = inputs.length;
  const matrix = Float64Array.from(
    { length: size * size },
    (_, at) => Math.exp(-((inputs[Math.floor(at / size)]! - inputs[at % size]!) ** 2)),
  );
  factorCholesky(matrix, { size });
  return inputs.map((_, i) => inputs.map((_, j) => j <= i ? matrix[i * size + j]! : 0));
}

/** Any function of the kernel's space is nearly matched by a bounded one. */
export const theorem25 = theorem<Constants>({
  id: "erm/theorem_25",
  statement:
    "For f₀ of norm ‖f₀‖ in the kernel's space there is f_r with L(f_r) ≤ L(f₀) + ε_g/2 and " +
    "‖f_r‖_∞ ≤ ‖f₀‖²/ε_g, the minimiser of L + Λ‖f‖²/2 with Λ = ε_g/‖f₀‖²: Theorem 24 holds with " +
    "‖f₀‖²/ε_g for ‖f₀‖_∞.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 25 (printed: ‖f₀‖⁴/ε_g⁴, by C² of Lemma 23)",
  source: "JMLR paper, section 5",
  remember: () => `At ‖f₀‖ = 1 and ε_g = .1 the bounded function is never above ${short(1 / 0.1)}.`,
  kind: "sampled",
  checked:
    "Gaussian kernel, populations of one to eight inputs on a line, logistic and Huber loss, 120 functions",
  subject: { lambda: 1, reach: 1 },
  check: ({ lambda, reach }, { seed }) => {
    const source = new SeededSource(seed).split("theorem 25");
    let excess = 0, height = 0;
    for (const loss of [logisticLoss, huberHinge(0.5)]) {
      for (let run = 0; run < 60; run++) {
        const inputs = Array.from({ length: 1 + run % 8 }, (_, i) => i + 0.5 * source.uniform());
        const data = kernelRows(inputs).map((
          row,
        ): Labelled => [row, source.uniform() < 0.5 ? 1 : -1]);
        // f₀ = Σ y_i·size·K(x_i, ·) as weights on the factor's columns: some good, some small.
        const size = 3 * source.uniform(), error = [0.02, 0.1, 0.3][run % 3]!;
        const reference = Float64Array.from(
          inputs,
          (_, j) => data.reduce((sum, [row, label]) => sum + size * label * row[j]!, 0),
        );
        const square = reference.reduce((sum, value) => sum + value * value, 0);
        const objective = { loss, regulariser: squaredNorm, lambda: lambda * error / square };
        const { weights } = minimise({ ...risk(data, objective), quadratic: 0 }, {
          tolerance: 1e-12,
        });
        // J without its regulariser is the population's risk.
        const plain = risk(data, { ...objective, lambda: 0 });
        const gained = objectiveAt(weights, plain) - objectiveAt(reference, plain);
        excess = Math.max(excess, gained / (error / 2));
        for (const [row] of data) {
          const value = row.reduce((sum, feature, j) => sum + feature * weights[j]!, 0);
          height = Math.max(height, Math.abs(value) / (reach * square / error));
        }
      }
    }
    return all([
      atMost(1, { value: excess, detail: "risk", witness: `${short(excess)}·ε_g/2 worse` }),
      atMost(1, {
        value: height,
        detail: "height",
        witness: `|f_r| is ${short(height)} of the bound`,
      }),
    ], `at most ${short(excess)}·ε_g/2 worse, |f_r| up to ${short(height)} of the bound`);
  },
  mutants: {
    "Λ = 8ε_g/‖f₀‖²": { lambda: 8, reach: 1 },
    "‖f_r‖_∞ ≤ ‖f₀‖²/(2ε_g)": { lambda: 1, reach: 1 / 2 },
  },
});
