import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The power to which P(θ, X) is raised, for ε and Δ log P. */
type Power = (epsilon: number, delta: number) => number;

/** How often the coin is tossed. */
const TOSSES = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

/** The exponential mechanism with log P(θ, X) as its utility. */
export const temperedPosterior = theorem<Power>({
  id: "bayes/tempered_posterior",
  statement:
    "Sampling ∝ P(θ, X)^(ε/(2Δ)) is ε-DP; ε = 2Δ samples the posterior itself, ε = 0 uniformly.",
  citation: "Foulds, Geumlek, Welling, Chaudhuri 2016, section 2; McSherry, Talwar 2007",
  source: "Haußmann’s slides, Boltzmann distribution with T = 2Δu/ε",
  remember: () =>
    `At ε = 1 the posterior of a coin between .1 and .9 is raised to the power ${
      short(1 / (2 * Math.log(9)))
    }.`,
  onPaper: true,
  kind: "sampled",
  checked: `every number of heads among ${TOSSES[0]} to ${
    TOSSES.at(-1)
  } tosses of a coin, five ε, five θ from .1 to .9`,
  subject: (epsilon, delta) => epsilon / (2 * delta),
  check: (power) => {
    const thetas = [0.1, 0.3, 0.5, 0.7, 0.9];
    const delta = Math.log(0.9 / 0.1);
    const prior = thetas.map((_, i) => (i + 1) / 15);
    const joint = (ones: number, n: number): number[] =>
      thetas.map((theta, i) =>
        Math.log(prior[i]!) + ones * Math.log(theta) + (n - ones) * Math.log1p(-theta)
      );
    const law = (logs: readonly number[], by: number): number[] => {
      const raw = logs.map((log) => Math.exp(by * log));
      const total = raw.reduce((sum, value) => sum + value, 0);
      return raw.map((value) => value / total);
    };
    let worst = 0, limits = true;
    for (const n of TOSSES) {
      for (const epsilon of [0.01, 0.5, 1, 2 * delta, 20]) {
        for (let ones = 0; ones < n; ones++) {
          const by = power(epsilon, delta);
          const p = law(joint(ones, n), by), q = law(joint(ones + 1, n), by);
          worst = Math.max(
            worst,
            ...p.map((value, i) => Math.abs(Math.log(value / q[i]!)) / epsilon),
          );
        }
      }
      const posterior = law(joint(2, n), 1), tempered = law(joint(2, n), power(2 * delta, delta));
      const uniform = law(joint(2, n), power(0, delta));
      limits &&= posterior.every((value, i) => Math.abs(value - tempered[i]!) < 1e-12) &&
        uniform.every((value) => Math.abs(value - 1 / thetas.length) < 1e-12);
    }
    const outcome = atMost(1, {
      value: worst,
      detail: `${TOSSES[0]} to ${TOSSES.at(-1)} tosses, five ε`,
      witness: `loses ${short(worst)} ε`,
    });
    return { ...outcome, holds: outcome.holds && limits };
  },
  mutants: { "the power ε/Δ": (epsilon, delta) => epsilon / delta },
});
