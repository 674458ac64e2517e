import { type Constants, excessOutcome } from "./checks/utility_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** The excess in J of output perturbation. */
export const lemma16 = theorem<Constants>({
  id: "erm/lemma_16",
  statement: "Output perturbation has J(f_priv) ≤ J(f*) + 2d²(c + Λη)ln²(d/δ)/(Λ²n²ε²) with " +
    "probability 1 − δ.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 16; NIPS 2008, Lemma 3. The statement's 2 is " +
    "right; the printed proof shows 4 and Theorem 15 uses 8",
  source: "Chaudhuri’s slides, accuracy; JMLR preprint, section 4",
  remember: () => `The cost falls as 1/n²: ten times the rows, a ${10 ** 2}th of it.`,
  assumptions: ["ℓ′ is c-Lipschitz, ‖∇²N‖ ≤ η = 1"],
  kind: "statistical",
  checked:
    "Huber and logistic loss, one and three dimensions, 400 draws each; without data in closed form",
  subject: { constant: 2, loudness: 1 },
  check: (constants, options) => excessOutcome("output", { ...constants, ...options }),
  mutants: {
    "the constant 1": { constant: 1, loudness: 1 },
    "noise three times as loud": { constant: 2, loudness: 3 },
  },
});
