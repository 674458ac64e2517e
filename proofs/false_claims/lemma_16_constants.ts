import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { risk } from "../checks/erm_data.ts";
import { objectiveAt } from "../checks/erm_risk_check.ts";
import { all, equals, short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** The constant before d²(c + Λη)ln²(d/δ)/(Λ²n²ε²). */
interface Constant {
  readonly constant: number;
}

/** The three constants that are printed of one lemma. */
export const lemma16Constants = falseClaim<Constant>({
  id: "false_claims/lemma_16_constants",
  statement: "The bound J(f_priv) ≤ J(f*) + 4d²(c + Λη)ln²(d/δ)/(Λ²n²ε²) is what noise of length " +
    "2d·ln(d/δ)/(nΛε) costs: J rises by up to (c + Λη)‖b‖².",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, printed proof of Lemma 16; 8 in that of Theorem 15",
  source: "the statement of the lemma has 2, and is right: erm/lemma_16",
  assumptions: [
    "one row, Huber hinge with h = ½, d = 1: J is quadratic near f*, where its bound is attained",
    "a zero row, c = 0: the bound fails with probability δ exactly when the constant is the least",
  ],
  kind: "exact",
  subject: { constant: 4 },
  check: ({ constant }) => {
    const lambda = 0.5, loss = huberHinge(0.5), delta = 0.1;
    const problem = risk([[[1], 1]], { loss, regulariser: squaredNorm, lambda });
    const { weights, value } = minimise({ ...problem, quadratic: 0 }, { tolerance: 1e-13 });
    const moved = 0.01;
    const rise = objectiveAt(weights.map((weight) => weight + moved), problem) - value;
    const share = rise / ((loss.curvatureBound + lambda) * moved * moved);
    // |b| is exponential with mean 2/(nΛε); J rises by Λb²/2.
    const failure = delta ** Math.sqrt(constant / 2);
    const detail = `J rises by ${short(share)}·(c + Λ)‖b‖²; without data the bound fails with ` +
      `probability ${short(failure)} where δ = ${delta}`;
    const outcome = all([
      equals(constant / 4, { value: share, detail: "smoothness", tolerance: 1e-6 }),
      equals(delta, { value: failure, detail: "failure", tolerance: 1e-12 }),
    ], detail);
    return { ...outcome, margin: constant / 2, ...(outcome.holds ? {} : { witness: detail }) };
  },
  corrected: { name: "2, for J rises by (c + Λη)‖b‖²/2", subject: { constant: 2 } },
  mutants: {
    "8, as in the proof of Theorem 15": { constant: 8 },
    "a constant of 1": { constant: 1 },
  },
});
