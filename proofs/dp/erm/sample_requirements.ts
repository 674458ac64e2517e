import {
  nonPrivate,
  objectiveRequirement,
  outputRequirement,
  type Requirement,
} from "./checks/sample_requirements.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The requirements that are compared. */
interface Compared {
  readonly output: (of: Requirement) => number;
  readonly objective: (of: Requirement) => number;
}

/** The exponent of `by` in a requirement, where it dominates. */
function exponent(
  of: (value: Requirement) => number,
  at: Requirement,
  by: keyof Requirement,
): number {
  const twice = { ...at, [by]: 2 * at[by] };
  return Math.log2(of(twice) / of(at));
}

/** The tables of the slides follow from Theorems 15 and 18. */
export const sampleRequirements = theorem<Compared>({
  id: "erm/sample_requirements",
  statement:
    "With margin γ = 1/‖f₀‖: a normal SVM needs 1/(γ²α²) rows; objective perturbation adds " +
    "d/(γεα); the sensitivity recipe needs d/(γ²εα^1.5), which is more when γ²α < 1.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorems 15 and 18, Corollaries 20 and 21",
  source: "Chaudhuri’s slides, data requirement and previous work",
  remember: () => {
    const at = { d: 100, norm: 10, error: 0.1, epsilon: 0.1, c: 1 / 4, delta: 0.1 };
    return `At γ = .1, α = .1, ε = .1 and d = 100 the sensitivity recipe needs ${
      Math.round(outputRequirement(at) / objectiveRequirement(at))
    } times the rows of objective perturbation.`;
  },
  assumptions: ["up to ln(d/δ) and constants, as on the slides"],
  onPaper: true,
  kind: "sampled",
  checked:
    "exponents of γ, α, ε, d and c where each term dominates, and who needs fewer rows at six settings",
  subject: { output: outputRequirement, objective: objectiveRequirement },
  check: ({ output, objective }) => {
    // Where privacy dominates: many dimensions, small ε.
    const at: Requirement = { d: 1e6, norm: 10, error: 0.01, epsilon: 0.01, c: 1, delta: 0.1 };
    const log = Math.log2(Math.log(2 * at.d / at.delta) / Math.log(at.d / at.delta));
    const found = {
      output: (["norm", "error", "epsilon"] as const).map((by) => exponent(output, at, by)),
      objective: (["norm", "error", "epsilon"] as const).map((by) => exponent(objective, at, by)),
      dimension: [exponent(output, at, "d") - log, exponent(objective, at, "d") - log],
      plain: (["norm", "error"] as const).map((by) => exponent(nonPrivate, at, by)),
      // The terms that dominate for a loss of little curvature, and of much.
      flat: (["norm", "error", "c"] as const).map((by) => exponent(output, { ...at, c: 1e-9 }, by)),
      curved: (["norm", "error", "c", "d"] as const).map((by) =>
        exponent(objective, { ...at, c: 1e12 }, by)
      ),
    };
    const expected = {
      flat: [1, -1, 0],
      curved: [2, -1, 1, 0],
      output: [2, -1.5, -1],
      objective: [1, -1, -1],
      dimension: [1, 1],
      plain: [2, -2],
    };
    let wrong = "";
    for (const key of Object.keys(expected) as (keyof typeof expected)[]) {
      expected[key].forEach((value, i) => {
        if (Math.abs(value - found[key][i]!) > 1e-9) {
          wrong = `${key}: exponent ${short(found[key][i]!)} where ${value} is stated`;
        }
      });
    }
    for (const norm of [2, 10, 100]) {
      for (const error of [0.2, 0.01]) {
        const here = { ...at, norm, error };
        if (norm ** 2 / error > 1 && objective(here) > output(here)) {
          wrong = `γ = ${1 / norm}, α = ${error}: objective perturbation needs more`;
        }
      }
    }
    return {
      holds: wrong === "",
      margin: objective(at) / output(at),
      detail: "exponents of γ, α, ε, d, and who needs fewer",
      ...(wrong === "" ? {} : { witness: wrong }),
    };
  },
  mutants: {
    "output perturbation without its third term": {
      output: (of) => Math.max(nonPrivate(of), objectiveRequirement({ ...of, c: 0 })),
      objective: objectiveRequirement,
    },
    "output perturbation without its second term": {
      output: (of) => Math.max(nonPrivate(of), outputRequirement({ ...of, c: Math.max(of.c, 1) })),
      objective: objectiveRequirement,
    },
    "objective perturbation without c": {
      output: outputRequirement,
      objective: (of) => objectiveRequirement({ ...of, c: 0 }),
    },
    "objective perturbation with ‖f₀‖² in the noise": {
      output: outputRequirement,
      objective: (of) => objectiveRequirement({ ...of, norm: of.norm ** 2 }),
    },
  },
});
