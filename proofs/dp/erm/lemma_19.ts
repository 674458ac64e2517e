import { type Constants, excessOutcome } from "./checks/utility_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The excess in J of objective perturbation. */
export const lemma19 = theorem<Constants>({
  id: "erm/lemma_19",
  statement: "Objective perturbation without Δ has J(f_priv) ≤ J(f*) + 2d²ln²(d/δ)/(Λn²ε′²) with " +
    "probability 1 − δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 19, with ε′ for ε and 2 for 4; NIPS 2008, Lemma 4",
  source: "Chaudhuri’s slides, accuracy; as printed it is false_claims/lemma_19_epsilon",
  remember: () =>
    `At d = 1, δ = .05, ε′ = .1, n = 1,000 and Λ = .01 the cost is ${
      short(2 * Math.log(1 / 0.05) ** 2 / (0.01 * 1000 ** 2 * 0.1 ** 2))
    } at most.`,
  assumptions: ["ε′ > 0"],
  kind: "statistical",
  checked:
    "Huber and logistic loss, one and three dimensions, 400 draws each; without data in closed form",
  subject: { constant: 2, loudness: 1 },
  check: (constants, options) => excessOutcome("objective", { ...constants, ...options }),
  mutants: {
    "the constant 1": { constant: 1, loudness: 1 },
    "noise three times as loud": { constant: 2, loudness: 3 },
  },
});
