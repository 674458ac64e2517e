import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { noisyStatistics } from "../../../lib/papers/bayes/noisy_statistics.ts";
import { noisySufficientStatistics } from "../../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { requireLaplaceVariance } from "./checks/drawn_variance.ts";
import { casesOf, requireEqual, requireNear, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

const shipped = { noisyStatistics, noisySufficientStatistics };
type Statistics = typeof shipped;

const DRAWS = 2000;

const statistic = (row: readonly number[]): readonly number[] => row;

/** Bounds of S, in both coordinates. */
const BOUNDS = [
  { lower: [0, -1], upper: [1, 2] },
  { lower: [-3], upper: [-1] },
  { lower: [0, 0, -0.5], upper: [0.5, 4, 0.5] },
] as const;

/** Priors of counts, and how much a row moves what noise is added to. */
const COUNTS = [
  [[1, 2], replaceOne, 1],
  [[0.5, 1, 4], replaceOne, 2],
  [[1, 2], addRemoveOne, 1],
  [[1, 1, 1], addRemoveOne, 1],
] as const;

/** Of each coordinate under both relations, of the number of rows where it is private, and of each count. */
const VARIANCES = BOUNDS.reduce((sum, { lower }) => sum + 2 * lower.length + 1, 0) +
  COUNTS.reduce((sum, [prior]) => sum + prior.length, 0);

/** How much a row moves n and ΣS in L1, over rows at corners of the bounds. */
function sensitivityOf(
  { lower, upper }: { readonly lower: readonly number[]; readonly upper: readonly number[] },
  relation: Relation,
): number {
  const corners = Array.from(
    { length: 2 ** lower.length },
    (_, corner) => lower.map((least, k) => corner >> k & 1 ? upper[k]! : least),
  );
  const size = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + Math.abs(value), 0);
  return relation === addRemoveOne ? 1 + Math.max(...corners.map(size)) : Math.max(
    ...corners.flatMap((a) => corners.map((b) => size(a.map((value, k) => value - b[k]!)))),
  );
}

/** Laplace noise on sufficient statistics. */
export const noisyStatisticsTheorem = theorem<Statistics>({
  id: "bayes/noisy_statistics",
  statement:
    "Statistics S(x) held in bounds change ΣS by at most Σ(u − l) in L1 when a row is replaced, and (n, ΣS) by at most 1 + Σmax(|l|, |u|) when one is added; so Laplace noise of that scale over ε " +
    "on them is ε-differentially private, and so is what is computed from them. Of counts of two categories one is enough.",
  citation:
    "Foulds, Geumlek, Welling, Chaudhuri 2016, section 3; Zhang, Rubinstein, Dimitrakakis 2016",
  source: "Haußmann’s slides, Laplace mechanism on sufficient statistics; lib/papers/bayes",
  remember: () =>
    `S in [0, 1] × [−1, 2] moves ΣS by ${
      sensitivityOf(BOUNDS[0], replaceOne)
    } when a row is replaced, (n, ΣS) by ${
      sensitivityOf(BOUNDS[0], addRemoveOne)
    } when one is added.`,
  assumptions: [
    `false alarms: 2e-9 for each of ${VARIANCES} variances; a scale that is off by a quarter is noticed`,
  ],
  kind: "statistical",
  checked:
    "bounds in one, two and three coordinates, both relations: every pair of corners; variance of 2,000 draws; two and three categories",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "sums in bounds": () => {
        const source = new SeededSource(seed).split("sums");
        for (const bounds of BOUNDS) {
          for (const relation of [replaceOne, addRemoveOne]) {
            const options = { statistic, bounds, granularity: 0.25, relation };
            const mechanism = of.noisySufficientStatistics<readonly number[]>({
              ...options,
              epsilon: 0.5,
            });
            const stated = sensitivityOf(bounds, relation) / 0.25;
            requireEqual(mechanism.grid.sensitivityInSteps, stated, "sensitivity");
            requireNear(mechanism.grid.scaleInSteps, stated / 0.5);
            requireEqual((mechanism.claim as { epsilon: number }).epsilon, 0.5);
            // So many rows at the middle that noisy sums stay inside n times the bounds.
            const middle = bounds.lower.map((least, k) => (least + bounds.upper[k]!) / 2);
            const rows = Array<readonly number[]>(600).fill(middle);
            const draws = Array.from({ length: DRAWS }, () => mechanism.sample(rows, source));
            const at = (values: readonly number[], k: number): number => values[k + 1]! / 0.25;
            const steps = (value: number): number => Math.round(value / 0.25);
            const centers = middle.map((value) => 600 * steps(value));
            middle.forEach((_, k) =>
              requireLaplaceVariance(draws.map((draw) => at(draw, k)), {
                center: centers[k]!,
                scale: stated / 0.5,
                what: `coordinate ${k}`,
              })
            );
            if (relation === addRemoveOne) {
              requireLaplaceVariance(draws.map((draw) => draw[0]! / 0.25), {
                center: 2400,
                scale: stated / 0.5,
                what: "rows",
              });
            } else requireThat(draws.every(([size]) => size === 600), "the number of rows");
          }
        }
      },
      "counts of categories": () => {
        const source = new SeededSource(seed).split("counts");
        for (const [prior, relation, sensitivity] of COUNTS) {
          const k = prior.length, data = Array.from({ length: 300 * k }, (_, i) => i % k);
          const mechanism = of.noisyStatistics({ prior, epsilon: 0.5, relation });
          const block = mechanism.sampleMany!(data, DRAWS, source);
          for (let j = 0; j < k; j++) {
            const draws = Array.from({ length: DRAWS }, (_, i) => block[i * k + j]! - prior[j]!);
            requireLaplaceVariance(draws, {
              center: 300,
              scale: sensitivity / 0.5,
              what: `category ${j} of ${k}`,
            });
          }
          requireEqual((mechanism.claim as { epsilon: number }).epsilon, 0.5);
          // Two categories and a public number of rows: one count says the other.
          const sums = Array.from({ length: DRAWS }, (_, i) => block[i * k]! + block[i * k + 1]!);
          requireEqual(new Set(sums).size === 1, k === 2 && relation === replaceOne);
        }
      },
    }),
  mutants: {
    "noise for half the sensitivity": {
      ...shipped,
      noisySufficientStatistics: (options) =>
        noisySufficientStatistics({ ...options, epsilon: 2 * options.epsilon }),
    },
    "bounds of the first coordinate only": {
      ...shipped,
      noisySufficientStatistics: (options) => {
        const { lower, upper } = options.bounds;
        return noisySufficientStatistics({
          ...options,
          bounds: { lower: lower.map(() => lower[0]!), upper: upper.map(() => upper[0]!) },
        });
      },
    },
    "counts as if rows were added": {
      ...shipped,
      noisyStatistics: (options) => noisyStatistics({ ...options, epsilon: 1.6 * options.epsilon }),
    },
  },
});
