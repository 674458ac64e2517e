import { basicComposition } from "../../lib/accounting/basic_composition.ts";
import { atMost } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** How many posterior samples a budget pays for, given Δ log P. */
type Samples = (budget: number, delta: number) => number;

/** A budget of 2qΔ buys q samples. */
export const posteriorSamples = theorem<Samples>({
  id: "bayes/posterior_samples",
  statement: "A budget ε′ ≥ 2qΔ log P(θ, X) pays for q posterior samples.",
  citation: "Wang, Fienberg, Smola 2015; Foulds et al. 2016; Dwork, Roth 2014, Theorem 3.16",
  source: "Haußmann’s slides, notes to the posterior as exponential mechanism",
  kind: "exact",
  checked: "12 budgets",
  subject: (budget, delta) => Math.floor(budget / (2 * delta)),
  check: (samples) => {
    let worst = 0;
    for (const delta of [0.25, 0.5, 2]) {
      for (const budget of [1, 2.5, 4, 10]) {
        const q = samples(budget, delta);
        const spent = basicComposition(Array.from({ length: q }, () => ({ epsilon: 2 * delta })));
        worst = Math.max(worst, spent.epsilon / budget);
      }
    }
    return atMost(1, { value: worst, detail: "12 budgets, exact sums", witness: `${worst} of it` });
  },
  mutants: { "a budget of qΔ": (budget, delta) => Math.floor(budget / delta) },
});
