import { objectiveRequirement, outputRequirement } from "./checks/sample_requirements.ts";
import { generalisationOutcome } from "./checks/utility_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const file = "erm/theorems_15_and_18";

/** Where privacy is dear: many columns and a small ε. */
const LARGE = { d: 100, norm: 10, error: 0.1, epsilon: 0.1, c: 1 / 4, delta: 0.1 };

/** How many rows are drawn, as a multiple of C times the requirement. */
interface Rows {
  readonly share: number;
}

/** Output perturbation generalises once there are rows enough. */
export const theorem15 = theorem<Rows>({
  id: "erm/theorem_15",
  file,
  statement:
    "With C times the rows of max{‖f₀‖²ln(1/δ)/ε_g², d ln(d/δ)‖f₀‖/(ε_g ε), d ln(d/δ)c^½‖f₀‖²/(ε_g^1.5 ε)} and " +
    "Λ = ε_g/‖f₀‖², output perturbation has L(f_priv) ≤ L(f₀) + ε_g with probability 1 − 2δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 15, Corollaries 20 and 21, part 1; NIPS 2008, Theorem 5",
  source: "Chaudhuri’s slides, accuracy guarantees",
  remember: () =>
    `At ‖f₀‖ = 10, ε_g = .1, ε = .1, d = 100 and c = ¼ it is ${
      short(outputRequirement(LARGE) / 1e6)
    } million·C rows.`,
  kind: "statistical",
  checked:
    "one population, d = 2, ε = 1, ε_g = .1, 200 training sets a loss; C = .4, which is enough here (it is not given in print), and a quarter of the rows is not",
  subject: { share: 1 },
  check: (rows, options) => generalisationOutcome("output", { ...rows, ...options }),
  mutants: { "a quarter of the rows": { share: 1 / 4 } },
});

/** Objective perturbation generalises once there are rows enough. */
export const theorem18 = theorem<Rows>({
  id: "erm/theorem_18",
  file,
  statement:
    "With C times the rows of max{‖f₀‖²ln(1/δ)/ε_g², d ln(d/δ)‖f₀‖/(ε_g ε), c‖f₀‖²/(ε_g ε)} and " +
    "Λ = ε_g/‖f₀‖², objective perturbation has L(f_priv) ≤ L(f₀) + ε_g with probability 1 − 2δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 18, Corollaries 20 and 21, part 2; NIPS 2008, Theorem 4",
  source: "Chaudhuri’s slides, accuracy guarantees",
  remember: () =>
    `At ‖f₀‖ = 10, ε_g = .1, ε = .1, d = 100 and c = ¼ it is ${
      short(objectiveRequirement(LARGE) / 1e6)
    } million·C rows, a ${
      Math.round(outputRequirement(LARGE) / objectiveRequirement(LARGE))
    }th of those of output perturbation.`,
  kind: "statistical",
  checked:
    "one population, d = 2, ε = 1, ε_g = .1, 200 training sets a loss; C = .12, which is enough here (it is not given in print), and a quarter of the rows is not",
  subject: { share: 1 },
  check: (rows, options) => generalisationOutcome("objective", { ...rows, ...options }),
  mutants: { "a quarter of the rows": { share: 1 / 4 } },
});
