import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** A law of noise, in units of its scale, and its scale in units of 2Δ/ε. */
interface Noise {
  readonly cumulative: (x: number) => number;
  readonly quantile: (probability: number) => number;
  readonly scale: number;
}

const gumbel: Noise = {
  cumulative: (x) => Math.exp(-Math.exp(-x)),
  quantile: (probability) => -Math.log(-Math.log(probability)),
  scale: 1,
};

/** Cells of the integral, and more than its sums are off by rounding. */
const CELLS = 4000, ROUNDING = 1e-9;

/**
 * Bounds on the probability that a value is the largest: the integral over y from 0 to 1 of the product of F(F⁻¹(y) + d) over the distances d of the
 * value from the others. The product rises with y, so sums at the ends of cells enclose it.
 */
function winning({ cumulative, quantile }: Noise, distances: readonly number[]): [number, number] {
  let sum = 0;
  for (let cell = 1; cell < CELLS; cell++) {
    const x = quantile(cell / CELLS);
    sum += distances.reduce((product, distance) => product * cumulative(x + distance), 1);
  }
  return [sum / CELLS - ROUNDING, (sum + 1) / CELLS + ROUNDING];
}

/** The largest utility with Gumbel noise, and the exponential mechanism. */
export const gumbelMax = theorem<Noise>({
  id: "mechanisms/gumbel_max",
  statement:
    "The index of the largest utility with Gumbel noise of scale 2Δ/ε has the law of the exponential mechanism; so say the shipped report noisy max with " +
    "Gumbel noise and the shipped exponential mechanism.",
  citation: "McSherry, Talwar 2007, Theorem 6; Yellott 1977 on the largest of Gumbel variables",
  source: "a standard building block",
  remember: () =>
    `Of two candidates one point apart at ε = 1 the better one wins with probability ${
      short(1 / (1 + Math.exp(-1 / 2)))
    }, by either mechanism.`,
  kind: "sampled",
  checked:
    "60 generated lists of two to seven utilities, with ties, ε from 0.05 to 5 and Δ from 0.5 to 4: each probability in sums of 4,000 cells that enclose the integral",
  assumptions: ["noise is a real number"],
  subject: gumbel,
  check: (noise, { seed }) => {
    const source = new SeededSource(seed).split("gumbel max");
    return outcomeOf("60 lists of utilities", () => {
      for (let k = 0; k < 60; k++) {
        const count = 2 + k % 6, epsilon = 0.05 * 100 ** source.uniform();
        const sensitivity = 0.5 * 8 ** source.uniform();
        const utilities = Array.from(
          { length: count },
          () => Math.round(12 * sensitivity * source.uniform() / epsilon * 4) / 4,
        );
        if (k % 3 === 0) utilities[1] = utilities[0]!;
        const options = {
          candidates: utilities.map((_, i) => i),
          utilities: () => utilities,
          epsilon,
          sensitivity,
          monotone: false,
          relation,
        };
        const shipped = [
          exponentialMechanism<number, number>(options),
          reportNoisyMax<number, number>({ ...options, noise: "gumbel" }),
        ];
        const scale = noise.scale * 2 * sensitivity / epsilon;
        utilities.forEach((own, i) => {
          const distances = utilities.flatMap((x, j) => i === j ? [] : [(own - x) / scale]);
          const [lower, upper] = winning(noise, distances);
          for (const { name, distribution } of shipped) {
            const { probability } = distribution!([])[i]!;
            requireThat(
              lower <= probability && probability <= upper,
              () => `${name}: ${probability} is stated for what has ${lower} to ${upper}`,
            );
          }
        });
      }
    });
  },
  mutants: {
    "noise of half the scale": { ...gumbel, scale: 0.5 },
    "noise of 1.05 times the scale": { ...gumbel, scale: 1.05 },
    "exponential noise": {
      cumulative: (x) => Math.max(0, -Math.expm1(-x)),
      quantile: (probability) => -Math.log1p(-probability),
      scale: 1,
    },
    "Laplace noise": {
      cumulative: (x) => x < 0 ? Math.exp(x) / 2 : 1 - Math.exp(-x) / 2,
      quantile: (probability) =>
        probability < 0.5 ? Math.log(2 * probability) : -Math.log(2 * (1 - probability)),
      scale: 1,
    },
  },
});
