import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const THETAS = [0.1, 0.3, 0.5, 0.7, 0.9];
const PRIOR = THETAS.map((_, i) => (5 - i) / 15);

/** The utility of a parameter, given the tosses. */
type Utility = (
  theta: number,
  options: { readonly prior: number; readonly tosses: readonly number[] },
) => number;

const likelihood: Utility = (theta, { tosses }) =>
  tosses.reduce((sum, toss) => sum + Math.log(toss === 1 ? theta : 1 - theta), 0);
const logJoint: Utility = (theta, options) => Math.log(options.prior) + likelihood(theta, options);

/** The exponential mechanism with log P(θ, X), for any ε. */
export const mostLikelyParameter = theorem<Utility>({
  id: "bayes/most_likely_parameter",
  statement:
    "The exponential mechanism with utility log P(X, θ) is ∝ exp(−E/T), E = −log P(X, θ) and T = 2Δ/ε; as ε grows it gives the most " +
    "likely of k parameters but for a chance of (k − 1)·exp(−g/T), g how much more likely in logarithms it is than the next.",
  citation: "Foulds, Geumlek, Welling, Chaudhuri 2016, section 2; McSherry, Talwar 2007, Theorem 6",
  source: "Haußmann’s slides, Boltzmann distribution and notes: ε → ∞ samples the most likely θ",
  remember: () =>
    `For a coin between ${THETAS[0]} and ${THETAS.at(-1)} the temperature is 1 at ε = ${
      short(2 * Math.log(THETAS.at(-1)! / THETAS[0]!))
    }.`,
  kind: "exhaustive",
  checked:
    "the shipped mechanism: five parameters of a coin with a prior, all 31 lists of at most four tosses, ten ε from 1e-6 to 10⁴",
  subject: logJoint,
  check: (utility) =>
    outcomeOf("310 laws", () => {
      const delta = Math.log(0.9 / 0.1);
      for (let code = 1; code < 32; code++) {
        // The tosses after the leading one of the code.
        const tosses = [...code.toString(2)].slice(1).map(Number);
        const energies = THETAS.map((theta, i) =>
          -Math.log(PRIOR[i]! * tosses.reduce((p, toss) => p * (toss === 1 ? theta : 1 - theta), 1))
        );
        const least = Math.min(...energies), mode = energies.indexOf(least);
        const gap = Math.min(...energies.toSpliced(mode, 1)) - least;
        for (const epsilon of [1e-6, 0.01, 0.1, 1, 2 * delta, 10, 100, 1000, 3000, 1e4]) {
          const temperature = 2 * delta / epsilon;
          const mechanism = exponentialMechanism<number, number>({
            candidates: [0, 1, 2, 3, 4],
            utilities: (rows) =>
              THETAS.map((theta, i) => utility(theta, { prior: PRIOR[i]!, tosses: rows })),
            epsilon,
            sensitivity: delta,
            monotone: false,
            relation: replaceOne,
          });
          const law = mechanism.distribution!(tosses).map(({ probability }) => probability);
          const weights = energies.map((energy) => Math.exp(-(energy - least) / temperature));
          const total = weights.reduce((sum, value) => sum + value, 0);
          law.forEach((p, i) =>
            requireNear(p, weights[i]! / total, { relative: 1e-9, absolute: 1e-15, what: "P(θ)" })
          );
          const others = law.reduce((sum, p, i) => i === mode ? sum : sum + p, 0);
          const allowed = 4 * Math.exp(-gap / temperature);
          requireThat(
            others <= allowed * (1 + 1e-9) + 1e-15,
            () => `${tosses} at ε = ${epsilon}: others have ${others}`,
          );
          if (epsilon === 1e4 && gap > 0.05) {
            requireThat(others < 1e-15, () => `at ε = 10⁴ others have ${others}`);
          }
        }
      }
    }),
  mutants: {
    "the prior forgotten": likelihood,
    "likelihoods in place of their logarithms": (theta, options) =>
      Math.exp(logJoint(theta, options)),
  },
});
