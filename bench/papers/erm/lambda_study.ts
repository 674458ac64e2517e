import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { FAMILIES, type Family } from "./lambda_families.ts";
import { type Rule, RULES, type Situation } from "./lambda_rules.ts";

/** Seeds that the rule was chosen with, and others that it is reported with. */
export const LAMBDA_SEEDS = {
  chosen: [31301, 31302, 31303],
  reported: [31311],
} as const;

/** The Λ tried: 10^(−4.5) to 10^(−0.5), three to a power of ten. */
const GRID = Array.from({ length: 13 }, (_, i) => 10 ** (-4.5 + i / 3));
const DRAWS = 2, TEST_ROWS = 4000;

/** Noise of a study: the perturbation, and its δ. */
const NOISES = {
  pure: { perturbation: "objective", delta: 0 },
  gauss: { perturbation: "objective", delta: 1e-6 },
  output: { perturbation: "output", delta: 0 },
} as const;

/** Test errors of one situation at every Λ of the grid. */
export interface Trial extends Situation {
  readonly errors: readonly number[];
}

/** The mean regret of a rule: by how much its errors exceed those of the best Λ of the grid. */
export interface Regret extends Omit<Rule, "lambdaOf"> {
  readonly all: number;
  readonly pure: number;
  readonly gauss: number;
  readonly output: number;
  readonly twoClasses: number;
  readonly moreClasses: number;
}

/** Draws data, trains and tests: all families with these seeds. */
export function lambdaTrials(
  seeds: readonly number[],
  { families = FAMILIES, sizes = [2000, 15_000], onFamily }: {
    families?: readonly Family[];
    sizes?: readonly number[];
    onFamily?: (name: string) => void;
  } = {},
): Trial[] {
  return families.flatMap((family) => {
    const found = sizes.flatMap((n) =>
      seeds.flatMap((seed, k) => trialsOf(family, { n, seed, k }))
    );
    onFamily?.(family.name);
    return found;
  });
}

/** Regrets of all rules. */
export function regretsOf(trials: readonly Trial[]): Regret[] {
  return RULES.map(({ lambdaOf, ...rule }) => {
    const regrets = trials.map((trial) => ({
      ...trial,
      regret: errorAt(lambdaOf(trial), trial.errors) - Math.min(...trial.errors),
    }));
    const mean = (of: (trial: Trial) => boolean): number => {
      const found = regrets.filter(of);
      return found.reduce((sum, { regret }) => sum + regret, 0) / found.length;
    };
    return {
      ...rule,
      all: mean(() => true),
      pure: mean(({ noise }) => noise === "pure"),
      gauss: mean(({ noise }) => noise === "gauss"),
      output: mean(({ noise }) => noise === "output"),
      twoClasses: mean(({ classCount }) => classCount === 2),
      moreClasses: mean(({ classCount }) => classCount > 2),
    };
  });
}

/** One family at one size and seed; the first seed (k = 0) goes without the Huber hinge. */
export function trialsOf(
  family: Family,
  { n, seed, k }: { n: number; seed: number; k: number },
): Trial[] {
  const source = new SeededSource(seed).split(family.name + n);
  const { train, test } = family.draw(source, { train: n, test: TEST_ROWS });
  const trials: Trial[] = [];
  for (const epsilon of n <= 2000 ? [0.3, 1] : [0.1, 0.3, 1]) {
    for (const noise of ["pure", "gauss", "output"] as const) {
      // The Huber hinge with objective perturbation only, and not with the first seed: time.
      for (const name of noise === "output" || k === 0 ? ["logistic"] : ["logistic", "huber"]) {
        const loss = name === "huber" ? huberHinge(0.5) : logisticLoss;
        const shared = { epsilon, loss, normBound: 1, classes: family.classes, ...NOISES[noise] };
        const errors = GRID.map((lambda) => {
          let sum = 0;
          for (let draw = 0; draw < DRAWS; draw++) {
            const stream = source.split(`${draw} ${epsilon} ${noise} ${name}`);
            const model = sampleModel(stream, { ...shared, lambda, ...train });
            sum += 1 - model.score(test.rows, test.labels);
          }
          return sum / DRAWS;
        });
        trials.push({
          epsilon,
          noise,
          ...NOISES[noise],
          loss,
          classCount: family.classes.length,
          rowCount: n,
          columnCount: train.rows.columnCount,
          errors,
        });
      }
    }
  }
  return trials;
}

/** The error at a Λ between those tried, linear in ln Λ; outside of them, that of the nearest. */
function errorAt(lambda: number, errors: readonly number[]): number {
  const last = GRID.length - 1;
  const place = Math.min(last, Math.max(0, 3 * Math.log10(lambda / GRID[0]!)));
  const below = Math.min(last - 1, Math.floor(place));
  return errors[below]! + (place - below) * (errors[below + 1]! - errors[below]!);
}
