import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import type { exponentialFamily } from "../../lib/learners/bayes/exponential_family.ts";
import { betaBernoulli, dirichletMultinomial } from "../../lib/learners/bayes/families.ts";
import { noisyStatistics } from "../../lib/learners/bayes/noisy_statistics.ts";
import type { noisySufficientStatistics } from "../../lib/learners/bayes/noisy_sufficient_statistics.ts";
import {
  type PosteriorFamily,
  posteriorSampling,
} from "../../lib/learners/bayes/posterior_sampling.ts";
import { type Rational, rational, subtract, toNumber } from "../../lib/numeric/rational.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { scriptedSource } from "./scripted_source.ts";

/** The exponents that a posterior is drawn by, less that of the first parameter. */
function exponentsOf<Row, Parameter>(
  family: PosteriorFamily<Row, Parameter>,
  data: readonly Row[],
  options: Parameters<typeof posteriorSampling>[1],
): Rational[] {
  const source = scriptedSource();
  posteriorSampling(family, options).sample(data, source);
  const [law] = source.laws;
  requireThat(law?.kind === "choice", "a draw that is no choice");
  return law.weights.map(({ exponent }) => subtract(exponent, law.weights[0]!.exponent));
}

/** Log-likelihoods add up exactly however many rows there are; what cannot be is held to the range. */
export function requireLargeSums(): void {
  const steps = 2 ** 24;
  const odd: PosteriorFamily<number, number> = {
    parameters: [0, 1, 2],
    logPrior: (p) => p / 4,
    // Row r is r steps, and for parameter 2 the range, less likely than under parameter 0.
    logLikelihood: (row, p) => p === 0 ? 0 : p === 1 ? -row / steps : -Infinity,
    range: 2 ** 30,
  };
  for (const [relation, factor] of [[replaceOne, 2n], [addRemoveOne, 1n]] as const) {
    for (
      const [row, count] of [[1, 1], [3, 5], [2 ** 53, 3], [2 ** 54 - 1, 1], [2 ** 52, 1], [
        2 ** 52 - 1,
        2,
      ], [
        2 ** 51 + 1,
        7,
      ], [2 ** 60, 2]] as const
    ) {
      for (
        const data of [new Array<number>(count).fill(row), [
          ...new Array<number>(count).fill(row),
          1,
          1,
          7,
        ]]
      ) {
        const found = exponentsOf(odd, data, { epsilon: 2 ** 40, relation });
        const range = 2n ** 54n, own = BigInt(Math.min(row, 2 ** 54));
        const extra = data.length - count === 0 ? 0n : 9n;
        const sums = [0n, own * BigInt(count) + extra, range * BigInt(data.length)];
        sums.forEach((sum, i) => {
          const stated = subtract(rational(sum, 2n ** 24n), rational(BigInt(i), 4n));
          requireEqual(
            subtract(found[i]!, stated).numerator,
            0n,
            `the exponent of ${count} rows of ${row}`,
          );
        });
        const held = exponentsOf(odd, data, { epsilon: 2 ** 20, relation });
        // Tempered: ε over 2C, or C.
        const temper = rational(2n ** 20n, factor * 2n ** 30n);
        sums.forEach((sum, i) => {
          const stated = subtract(
            rational(sum * temper.numerator, 2n ** 24n * temper.denominator),
            rational(BigInt(i), 4n),
          );
          requireEqual(subtract(held[i]!, stated).numerator, 0n, "a tempered exponent");
        });
      }
    }
  }
  const sampled = posteriorSampling(odd, { epsilon: 2 ** 40, relation: replaceOne, samples: 3 });
  const claimed = (sampled.claim as { epsilon: number }).epsilon / (6 * 2 ** 30);
  requireThat(
    claimed >= 1 && claimed <= 1 + 1e-15 && sampled.temper === 1,
    "the claim of three samples",
  );
  for (
    const [epsilon, words] of [[0, "epsilon"], [NaN, "epsilon"], [-1, "epsilon"], [
      Infinity,
      "epsilon",
    ]] as const
  ) {
    requireRefused(
      `ε of ${epsilon}`,
      () => posteriorSampling(odd, { epsilon, relation: replaceOne }),
      words,
    );
  }
}

/** Ranges are those of the worst corner, and families have the parameters that they may have. */
export function requireFamilies(make: typeof exponentialFamily): void {
  for (let coordinates = 1; coordinates <= 8; coordinates++) {
    for (
      let corner = 0;
      corner < 2 ** coordinates;
      corner += 1 + 2 ** Math.max(0, coordinates - 3)
    ) {
      // Two parameters that are apart at one corner alone by as much as coordinates.
      const signs = Array.from({ length: coordinates }, (_, k) => corner >> k & 1 ? 1 : -1);
      const family = make<number[]>({
        parameters: [signs, signs.map((sign) => -sign)],
        statistic: (row) => row,
        bounds: {
          lower: signs.map((s) => s > 0 ? -0.5 : -2),
          upper: signs.map((s) => s > 0 ? 2 : 0.5),
        },
        logPartition: () => 0,
        prior: { mean: signs, strength: 2 },
      });
      requireNear(family.range, 2 * 2 * coordinates, { what: "the range" });
      requireNear(family.logPrior(signs), 2 * coordinates);
      requireNear(family.logLikelihood(signs.map((s) => 9 * s), signs), 2 * coordinates);
    }
  }
  // Up to 2^16 parameters of a simplex: (resolution − 1 over categories − 1).
  for (
    const [categories, resolution, count] of [[2, 65537, 65536], [3, 363, 65341], [4, 6, 10], [
      5,
      5 + 1,
      5,
    ]] as const
  ) {
    const family = dirichletMultinomial({
      prior: new Array<number>(categories).fill(1),
      resolution,
    });
    requireEqual(family.parameters.length, count, `parameters of ${categories} categories`);
    requireNear(family.range, Math.log(resolution - categories + 1));
  }
  for (const [categories, resolution] of [[2, 65538], [3, 364], [9, 30]] as const) {
    requireRefused(
      `${categories} categories at ${resolution}`,
      () => dirichletMultinomial({ prior: new Array<number>(categories).fill(1), resolution }),
      "parameters",
    );
  }
  for (const least of [1e-9, 0.4999999]) {
    const { range, parameters } = betaBernoulli({ ones: 1, zeros: 1, least, resolution: 3 });
    requireNear(range, Math.log((1 - least) / least), { relative: 1e-9 });
    requireEqual(parameters.length, 3);
  }
}

/** Sums of statistics with their noise in hand, held to what n rows can be; they stop where they would be inexact. */
export function requireStatistics(release: typeof noisySufficientStatistics): void {
  const bounds = { lower: [-1, 0.25], upper: [0.5, 2] };
  const options = {
    statistic: (row: readonly number[]) => row,
    bounds,
    granularity: 1 / 8,
    epsilon: 0.7,
  };
  const rows = [[0.4, 1], [-3, 9], [0.11, 0.3], [NaN, NaN]];
  // Each rounded to an eighth, in its bounds.
  const sums = [0.375 - 1 + 0.125 - 1, 1 + 2 + 0.25 + 0.25];
  for (const [relation, one] of [[replaceOne, []], [addRemoveOne, [1]]] as const) {
    const mechanism = release({ ...options, relation });
    for (const noise of [[0, 0], [3, -5], [-100, 100], [100, -100]]) {
      const sizes = one.length === 0 ? [0] : [0, 2, -7, -100, 50];
      for (const more of sizes) {
        const draws = one.length === 0 ? noise : [more, ...noise];
        const source = scriptedSource((_, k) => draws[k]!);
        const found = mechanism.sample(rows, source);
        const size = Math.max(0, 4 + more / 8);
        const held = sums.map((sum, k) =>
          Math.min(size * bounds.upper[k]!, Math.max(size * bounds.lower[k]!, sum + noise[k]! / 8))
        );
        [size, ...held].forEach((each, k) =>
          requireNear(found[k]!, each, { absolute: 1e-12, what: `statistic ${k}` })
        );
        requireEqual(source.laws.length, draws.length);
        // Steps of 1/8: widths 1.5 and 1.75, or largest values 1 and 2, and 1 for the number of rows.
        const sensitivity = 8 * (relation === replaceOne ? 3.25 : 1 + 1 + 2);
        for (const law of source.laws) {
          requireNear(toNumber((law as { rate: Rational }).rate), 0.7 / sensitivity, {
            relative: 1e-12,
          });
        }
      }
    }
    requireEqual([
      mechanism.width,
      mechanism.grid.granularity,
      (mechanism.claim as { epsilon: number }).epsilon,
    ], [3, 1 / 8, 0.7]);
  }
  // 2^20 rows of 2^31 steps: no sum is larger, nor is one below its negative.
  const huge = { lower: [-1], upper: [1] }, fine = 2 ** -31, many = 2 ** 20 + 3;
  for (const [value, relation] of [[1, addRemoveOne], [-1, addRemoveOne]] as const) {
    const mechanism = release<number>({
      statistic: (row) => [row],
      bounds: huge,
      granularity: fine,
      epsilon: 1,
      relation,
    });
    // What comes after a sum has stopped counts from there.
    const rows = new Array<number>(many).fill(value, 0, many - 2).fill(-value, many - 2);
    const found = mechanism.sample(rows, scriptedSource());
    requireEqual(found, [2 ** 20, value * (2 ** 20 - 2)], "sums that stop");
  }
  const counted = release<number>({
    statistic: (row) => [row],
    bounds: huge,
    granularity: 1,
    epsilon: 1,
    relation: replaceOne,
  });
  counted.check!(new Array<number>(2 ** 20).fill(0));
  for (
    const run of [
      counted.check!,
      (data: readonly number[]) => counted.sample(data, scriptedSource()),
    ]
  ) {
    requireRefused(
      "2^20 rows and one",
      () => run(new Array<number>(2 ** 20 + 1).fill(0)),
      "number of rows",
    );
  }
  for (
    const wrong of [
      { granularity: 2 },
      { granularity: 0.3 },
      { granularity: 2 ** -32 },
      { bounds: { lower: [], upper: [] } },
      { bounds: { lower: [0], upper: [1, 2] } },
      { bounds: { lower: [0, 0], upper: [1] } },
      { bounds: { lower: [1], upper: [1] } },
      { bounds: { lower: [0], upper: [2 ** 31 + 1] } },
      { bounds: { lower: [-(2 ** 31) - 1], upper: [0] } },
      { bounds: { lower: [0.3], upper: [0.35] } },
      { epsilon: 0 },
    ]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () =>
        release(
          { ...options, granularity: 1, bounds: huge, relation: replaceOne, ...wrong } as never,
        ),
    );
  }
  release({
    ...options,
    granularity: 1,
    bounds: { lower: [-(2 ** 31)], upper: [2 ** 31] },
    relation: replaceOne,
  });
  for (
    const [relation, prior] of [[replaceOne, [1, 2]], [replaceOne, [1, 2, 3]], [addRemoveOne, [
      1,
      2,
    ]], [addRemoveOne, [0.5, 2, 3]]] as const
  ) {
    const mechanism = noisyStatistics({ prior, epsilon: 0.9, relation });
    const balanced = relation === replaceOne && prior.length === 2;
    const data = [0, 1, 1, 0, 1],
      counts = prior.map((_, k) => data.filter((row) => row === k).length);
    for (const noise of [[0, 0, 0], [3, -9, 1], [-9, 9, 2]]) {
      const source = scriptedSource((_, k) => noise[k % (balanced ? 1 : prior.length)]!);
      const stated = balanced
        ? [
          counts[0]! - Math.max(-3, Math.min(2, noise[0]!)),
          counts[1]! + Math.max(-3, Math.min(2, noise[0]!)),
        ]
        : counts.map((count, k) => Math.max(0, count + noise[k]!));
      const held = stated.map((count, k) => count + prior[k]!);
      requireEqual(mechanism.sample(data, source), held);
      requireEqual([...mechanism.sampleMany!(data, 2, source)], [...held, ...held]);
      const rate = 0.9 / (balanced || relation === addRemoveOne ? 1 : 2);
      requireNear(toNumber((source.laws[0] as { rate: Rational }).rate), rate, { relative: 1e-12 });
    }
    requireEqual(mechanism.width, prior.length);
    for (const row of [-1, prior.length, 0.5, NaN]) {
      requireRefused(`a row of ${row}`, () => mechanism.check!([0, row]), "categories");
    }
  }
}
