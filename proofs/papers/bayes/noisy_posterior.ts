import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { exponentialPosterior } from "../../../lib/papers/bayes/exponential_posterior.ts";
import { noisySufficientStatistics } from "../../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The values of a row, S(x) = (x, x²), and a grid of 25 parameters. */
const VALUES = [-1, -0.5, 0, 0.5, 1];
const statistic = (x: number): readonly number[] => [x, x * x];
const bounds = { lower: [-1, 0], upper: [1, 1] };
const parameters = [-2, -1, 0, 1, 2].flatMap((a) => [-2, -1, 0, 1, 2].map((b) => [a, b]));
const prior = { mean: [0.25, 0.5], strength: 3 };

const weight = (x: number, [a, b]: readonly number[]): number => Math.exp(a! * x + b! * x * x);
const normaliser = (theta: readonly number[]): number =>
  VALUES.reduce((sum, x) => sum + weight(x, theta), 0);
const family = {
  parameters,
  prior,
  logPartition: (theta: readonly number[]) => Math.log(normaliser(theta)),
};

/** The L1 sensitivity: the widths of the box in sum. */
const SENSITIVITY = 3;
/** Of one draw: its noise is larger than the bound. */
const FAILURE = 1e-9;
/** How many lists of rows are generated, and the ε at which each is released. */
const RUNS = 20, EPSILONS = [1, 10, 100, 1e3, 1e4, 1e6];

function normalised(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

/** Bayes' rule, a row at a time, from p(x|θ) itself. */
function posteriorByRows(rows: readonly number[]): number[] {
  const start = normalised(
    parameters.map((theta) =>
      (Math.exp(theta[0]! * prior.mean[0]! + theta[1]! * prior.mean[1]!) / normaliser(theta)) **
        prior.strength
    ),
  );
  return rows.reduce(
    (law, x) =>
      normalised(law.map((p, i) => p * weight(x, parameters[i]!) / normaliser(parameters[i]!))),
    start,
  );
}

/** The largest change of the logarithm of the odds of two parameters. */
function oddsMoved(law: readonly number[], from: readonly number[]): number {
  const moves = law.map((p, i) => Math.log(p / from[i]!));
  // A value that is not a number stays one, and fails.
  return Math.max(...moves) - Math.min(...moves);
}

interface NoisyPosterior {
  /** The law of θ given [n, ΣS]. */
  readonly posterior: (statistics: readonly number[]) => readonly number[];
  /** The ε of the noise, given the one asked for. */
  readonly noise: (epsilon: number) => number;
}

const SHIPPED: NoisyPosterior = {
  posterior: (statistics) => exponentialPosterior(family, statistics),
  noise: (epsilon) => epsilon,
};

/** Conjugacy, and the limit of little noise. */
export const noisyPosterior = theorem<NoisyPosterior>({
  id: "bayes/noisy_posterior",
  statement:
    "With a conjugate prior the posterior depends on the rows through n and ΣS alone. From ΣS with " +
    "Laplace noise for ε, the odds of any two of the parameters move by a factor of at most " +
    "exp(‖θ − θ′‖₁·(Δ/ε)·ln(2k/β)) with probability 1 − β, so that the noisy posterior is the exact " +
    "one in the limit ε → ∞.",
  citation:
    "Foulds, Geumlek, Welling, Chaudhuri 2016, sections 3 and 4; Diaconis, Ylvisaker 1979 on the prior",
  source: "Haußmann’s slides, private Bayesian data analysis",
  remember: () =>
    `At ε = 1,000 the odds of two parameters at most 8 apart move by a factor of ${
      short(Math.exp(8 * SENSITIVITY / 1000 * Math.log(4 / 0.05)))
    } at most, in 19 draws of 20.`,
  assumptions: ["all values lie on the grid of the noise"],
  kind: "statistical",
  checked:
    `rows of five values, S(x) = (x, x²), 25 parameters in [−2, 2]², 50 rows, a row replaced; β = ${FAILURE} a draw, ${RUNS} draws for each of ${EPSILONS.length} ε from 1 to 10⁶`,
  subject: SHIPPED,
  check: ({ posterior, noise }, { seed }) => {
    const source = new SeededSource(seed).split("noisy posterior");
    const conjugate: number[] = [], shares: number[] = [], last: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const rows = Array.from({ length: 50 }, () => VALUES[source.uint32() % VALUES.length]!);
      const exact = posteriorByRows(rows);
      const sums = [0, 1].map((k) => rows.reduce((sum, x) => sum + statistic(x)[k]!, 0));
      conjugate.push(oddsMoved(posterior([rows.length, ...sums]), exact));
      for (const epsilon of EPSILONS) {
        const mechanism = noisySufficientStatistics<number>({
          statistic,
          bounds,
          granularity: 2 ** -10,
          epsilon: noise(epsilon),
          relation: replaceOne,
        });
        const moved = oddsMoved(posterior(mechanism.sample(rows, source)), exact);
        // ‖θ − θ′‖₁ is at most 8.
        const allowed = 8 * SENSITIVITY / epsilon * Math.log(4 / FAILURE);
        shares.push((moved - 1e-10) / allowed);
        if (epsilon === 1e6) last.push(moved);
      }
    }
    const most = (values: readonly number[]): number => Math.max(...values);
    return all(
      [
        atMost(1e-10, {
          value: most(conjugate),
          detail: "conjugacy",
          witness: `odds differ by e^${short(most(conjugate))} from Bayes’ rule row by row`,
        }),
        atMost(1, {
          value: most(shares),
          detail: "noise",
          witness: `odds move ${short(most(shares))} times as far as allowed`,
        }),
        atMost(1e-10, {
          value: most(last),
          detail: "limit",
          witness: `at ε = 10⁶ odds still move by e^${short(most(last))}`,
        }),
      ],
      `conjugate within ${short(most(conjugate))}; noise moves the odds by at most ` +
        `${short(most(shares))} of what is allowed (false alarm ${
          short(RUNS * EPSILONS.length * FAILURE)
        }), at ε = 10⁶ by ${short(most(last))}`,
    );
  },
  mutants: {
    "the prior forgotten": {
      ...SHIPPED,
      posterior: (statistics) =>
        exponentialPosterior({ ...family, prior: { ...prior, strength: 0 } }, statistics),
    },
    "n without the prior’s rows": {
      ...SHIPPED,
      posterior: ([size, ...sums]) =>
        exponentialPosterior(family, [size! - prior.strength, ...sums]),
    },
    "noise that does not fall with ε": { ...SHIPPED, noise: () => 1 },
    "noise of 1/√ε": { ...SHIPPED, noise: Math.sqrt },
  },
});
