import { basicComposition } from "../../../lib/dp/accounting/composition/basic_composition.ts";
import type { PureClaim } from "../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { betaBernoulli } from "../../../lib/papers/bayes/families.ts";
import { posteriorSampling } from "../../../lib/papers/bayes/posterior_sampling.ts";
import { atMost } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How many posterior samples a budget pays for, given Δ log P. */
type Samples = (budget: number, delta: number) => number;

/** The most samples of the posterior itself, untempered, that the shipped sampler draws for a budget. */
const shipped: Samples = (budget, range) => {
  const family = {
    ...betaBernoulli({ ones: 1, zeros: 1, least: 0.25, resolution: 3 }),
    range,
  };
  let samples = 0;
  while (samples < 100) {
    const made = posteriorSampling(family, {
      epsilon: budget,
      relation: replaceOne,
      samples: samples + 1,
    });
    const { epsilon } = made.claim as PureClaim;
    if (made.temper < 1 - 1e-12 || epsilon > budget) break;
    samples++;
  }
  return samples;
};

/** A budget of 2qΔ buys q samples. */
export const posteriorSamples = theorem<Samples>({
  id: "bayes/posterior_samples",
  statement: "A budget ε′ ≥ 2qΔ log P(θ, X) pays for q posterior samples.",
  citation: "Wang, Fienberg, Smola 2015; Foulds et al. 2016; Dwork, Roth 2014, Theorem 3.16",
  source: "Haußmann’s slides, notes to the posterior as exponential mechanism",
  remember: () => `At Δ = ½ a budget of 10 pays for ${shipped(10, 1 / 2)} samples.`,
  kind: "sampled",
  checked:
    "12 budgets: the samples that posteriorSampling() draws for each without tempering, and no fewer than there could be",
  subject: shipped,
  check: (samples) => {
    let worst = 0;
    for (const delta of [0.25, 0.5, 2]) {
      for (const budget of [1, 2.5, 4, 10]) {
        const q = samples(budget, delta);
        const spent = basicComposition(Array.from({ length: q }, () => ({ epsilon: 2 * delta })));
        worst = Math.max(worst, spent.epsilon / budget);
        if (q < Math.floor(budget / (2 * delta))) worst = Infinity;
      }
    }
    return atMost(1, { value: worst, detail: "12 budgets", witness: `${worst} of it` });
  },
  mutants: {
    "a budget of qΔ": (budget, delta) => shipped(2 * budget, delta),
    "one sample more": (budget, delta) => shipped(budget, delta) + 1,
    "half as many": (budget, delta) => Math.floor(shipped(budget, delta) / 2),
  },
});
