import * as Plot from "@observablehq/plot";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { betaBernoulli } from "../../../lib/papers/bayes/families.ts";
import { noisyStatistics } from "../../../lib/papers/bayes/noisy_statistics.ts";
import { posteriorSampling } from "../../../lib/papers/bayes/posterior_sampling.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { figure, names, writeResults } from "./figure.ts";
import { markdownTable } from "./markdown.ts";

const LEAST = 0.1;
const family = betaBernoulli({ ones: 1, zeros: 1, least: LEAST, resolution: 161 });
const EPSILONS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
const METHODS = ["one posterior sample", "Laplace on counts", "no privacy"];

/** The posterior on the same grid, given the shapes of a Beta law. */
function betaLaw([ones, zeros]: readonly number[]): number[] {
  const weights = family.parameters.map((p) =>
    Math.exp((ones! - 1) * Math.log(p) + (zeros! - 1) * Math.log1p(-p) - peak(ones!, zeros!))
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The largest log-density, so that exponentials stay in range. */
function peak(ones: number, zeros: number): number {
  const mode = Math.min(1 - LEAST, Math.max(LEAST, (ones - 1) / Math.max(1e-9, ones + zeros - 2)));
  return (ones - 1) * Math.log(mode) + (zeros - 1) * Math.log1p(-mode);
}

function draw<Value>(
  source: SeededSource,
  law: readonly number[],
  values: readonly Value[],
): Value {
  let u = source.uniform();
  return values[law.findIndex((probability) => (u -= probability) <= 0)] ?? values.at(-1)!;
}

/** The laws of one sample by each method, from `ones` of `size` flips. */
function laws(
  source: SeededSource,
  { ones, size, epsilon }: { ones: number; size: number; epsilon: number },
): Record<string, () => readonly number[]> {
  const flips = Array.from({ length: size }, (_, i) => i < ones);
  const bits = flips.map((flip) => flip ? 0 : 1);
  const noisy = noisyStatistics({ prior: [1, 1], epsilon, relation: replaceOne });
  const tempered = posteriorSampling(family, { epsilon, relation: replaceOne });
  const law = tempered.distribution!(flips).map(({ probability }) => probability);
  const plain = betaLaw([1 + ones, 1 + size - ones]);
  return {
    [METHODS[0]!]: () => law,
    [METHODS[1]!]: () => betaLaw(noisy.sample(bits, source)),
    [METHODS[2]!]: () => plain,
  };
}

/**
 * One sample of the posterior, tempered, against a sample of the posterior of noisy counts: the mean
 * distance from the true probability by ε (Foulds, Geumlek, Welling, Chaudhuri 2016, section 5), and
 * the laws of a sample at 20 flips. Tables, CSV and plots.
 */
export async function bayesExperiment(
  source: SeededSource,
  { runs, directory }: { readonly runs: number; readonly directory: string },
): Promise<void> {
  const truth = 0.3;
  const points = [20, 100, 1000].flatMap((size) =>
    EPSILONS.flatMap((epsilon) => {
      const sums = METHODS.map(() => 0);
      for (let run = 0; run < runs; run++) {
        const random = source.split(`${size} ${epsilon} ${run}`);
        let ones = 0;
        for (let i = 0; i < size; i++) if (random.uniform() < truth) ones++;
        const of = laws(random, { ones, size, epsilon });
        METHODS.forEach((method, i) =>
          sums[i]! += Math.abs(draw(random, of[method]!(), family.parameters) - truth) / runs
        );
      }
      return METHODS.map((method, i) => ({
        size: `n = ${size}`,
        epsilon,
        method,
        error: sums[i]!,
      }));
    })
  );
  console.log(`## Private Bayes: |sample − ${truth}|, means over ${runs} runs\n`);
  console.log(markdownTable(
    ["", "", ...EPSILONS.map((epsilon) => `ε = ${epsilon}`)],
    ["n = 20", "n = 100", "n = 1000"].flatMap((size) =>
      METHODS.map((method) => [
        size,
        method,
        ...points.filter((point) => point.size === size && point.method === method)
          .map(({ error }) => error),
      ])
    ),
  ));
  const color = { domain: METHODS, range: ["#d1495b", "#00798c", "#777777"] };
  await writeResults(directory, {
    name: "private_bayes",
    points,
    svg: figure({
      width: 860,
      height: 320,
      marginLeft: 45,
      x: { type: "log", label: "ε", ticks: [0.01, 0.1, 1, 10, 100], tickFormat: String },
      y: { label: "mean distance of a sample from 0.3", zero: true },
      fx: { label: null, domain: ["n = 20", "n = 100", "n = 1000"] },
      color,
      marks: [
        Plot.line(points, { x: "epsilon", y: "error", stroke: "method", fx: "size" }),
        Plot.dot(points, { x: "epsilon", y: "error", fill: "method", fx: "size" }),
        names(METHODS.map((name, i) => ({ name, at: [0.5, 0.32 - 0.018 * i] })), {
          fx: "n = 1000",
        }),
      ],
    }),
  });
  const densities = [0.1, 1, 10].flatMap((epsilon) => {
    const random = source.split(`law ${epsilon}`);
    const of = laws(random, { ones: 10, size: 20, epsilon });
    return METHODS.flatMap((method) => {
      const law = new Float64Array(family.parameters.length);
      for (let run = 0; run < runs; run++) {
        of[method]!().forEach((probability, i) => law[i]! += probability / runs);
      }
      return family.parameters.map((parameter, i) => ({
        epsilon: `ε = ${epsilon}`,
        method,
        parameter,
        density: law[i]! / (family.parameters[1]! - family.parameters[0]!),
      }));
    });
  });
  await writeResults(directory, {
    name: "private_bayes_laws",
    points: densities,
    svg: figure({
      width: 860,
      height: 320,
      x: { label: "probability of a one; 10 of 20 flips are ones" },
      y: { label: "density of a sample" },
      fx: { label: null, domain: ["ε = 0.1", "ε = 1", "ε = 10"] },
      color,
      marks: [
        Plot.line(densities, { x: "parameter", y: "density", stroke: "method", fx: "epsilon" }),
        names(METHODS.map((name, i) => ({ name, at: [0.3, 5 - 0.25 * i] })), { fx: "ε = 0.1" }),
      ],
    }),
  });
}
