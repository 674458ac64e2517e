import { generalisationOutcome } from "../checks/erm_utility_check.ts";
import { theorem } from "../engine/theorem.ts";

/** How many rows are drawn, as a multiple of C times the requirement. */
interface Rows {
  readonly share: number;
}

/** Objective perturbation generalises once there are rows enough. */
export const theorem18 = theorem<Rows>({
  id: "erm/theorem_18",
  statement:
    "With C times the rows of max{‖f₀‖²ln(1/δ)/ε_g², d ln(d/δ)‖f₀‖/(ε_g ε), c‖f₀‖²/(ε_g ε)} and " +
    "Λ = ε_g/‖f₀‖², objective perturbation has L(f_priv) ≤ L(f₀) + ε_g with probability 1 − 2δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 18, Corollaries 20 and 21, part 2; NIPS 2008, Theorem 4",
  source: "Chaudhuri’s slides, accuracy guarantees",
  kind: "statistical",
  checked:
    "one population, d = 2, ε = 1, ε_g = .1, 200 training sets a loss; C = .12, which is enough here (it is not given in print), and a quarter of the rows is not",
  subject: { share: 1 },
  check: (rows, options) => generalisationOutcome("objective", { ...rows, ...options }),
  mutants: { "a quarter of the rows": { share: 1 / 4 } },
});
