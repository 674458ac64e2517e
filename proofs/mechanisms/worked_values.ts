import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, marginal } from "../../lib/mechanisms/contingency_table.ts";
import { histogramSensitivity } from "../../lib/mechanisms/counting.ts";
import { discreteGaussianDelta } from "../../lib/mechanisms/discrete_gaussian_delta.ts";
import { exactSum, minusSum, plusInteger } from "../../lib/mechanisms/exact_sum.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../lib/mechanisms/gaussian.ts";
import {
  gridSensitivity,
  MOST_COORDINATE,
  requireGranularity,
  toGrid,
} from "../../lib/mechanisms/grid.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import {
  estimateProportion,
  randomisedResponse,
} from "../../lib/mechanisms/randomised_response.ts";
import { bloomFilter, rappor } from "../../lib/mechanisms/rappor.ts";
import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { snapping, snappingScale } from "../../lib/mechanisms/snapping.ts";
import { staircaseTread } from "../../lib/mechanisms/staircase.ts";
import { gaussianTreeCounts, treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { estimateUnaryCounts } from "../../lib/mechanisms/unary_encoding.ts";
import { laplace } from "../../lib/mechanisms/laplace.ts";
import { truncatedGeometric } from "../../lib/mechanisms/geometric.ts";
import { aboveThreshold } from "../../lib/mechanisms/sparse_vector.ts";
import { floatSphericalLaplace } from "../../lib/mechanisms/float_spherical_laplace.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  marginal,
  bloomFilter,
  exactSum,
  toGrid,
  gridSensitivity,
  estimateUnaryCounts,
  snappingScale,
  quantile,
};
type Parts = typeof shipped;

/** What mechanisms are built of. */
export const workedValues = theorem<Parts>({
  id: "mechanisms/worked_values",
  statement:
    "The parts that shipped mechanisms are built of are what their definitions say: sums, grids and sensitivities, ranks of quantiles, marginals, hashes of " +
    "RAPPOR, cells of snapping, nodes of trees, δ of the discrete Gaussian, claims of input perturbation, and estimates without bias.",
  citation:
    "Erlingsson, Pihur, Korolova 2014; Appleby 2011 (MurmurHash3); Mironov 2012; Smith 2011; Chan, Shi, Song 2011; Canonne, Kamath, Steinke 2020",
  source: "lib/mechanisms",
  kind: "exhaustive",
  checked:
    "the cases that are worked out in the file, by definitions or by figures that others printed",
  subject: shipped,
  check: (of) =>
    casesOf({
      "sums of integers are exact": () => {
        requireEqual(of.exactSum([1, -2, 5]), 4);
        requireEqual(of.exactSum([]), 0);
        const far = 2 ** 52;
        requireEqual(of.exactSum([far, far, 1, -far, -far]), 1);
        requireEqual(of.exactSum([far, far, 1, 2]), BigInt(far) * 2n + 3n);
        requireEqual(of.exactSum([far, far]), 2 * far);
        requireEqual(plusInteger(3, 4), 7);
        requireEqual(plusInteger(2n ** 53n + 1n, 1), 2 ** 53 + 2);
        requireEqual(minusSum(3, 4), -1);
        requireEqual(minusSum(2 ** 53, 2n ** 53n + 1n), -1);
      },
      "values are rounded to the nearest step, within 2^51": () => {
        for (
          const [value, step, at] of [[0.6, 1, 1], [-0.4, 1, 0], [3.1, 0.25, 12], [
            1e300,
            1,
            MOST_COORDINATE,
          ], [-1e300, 1, -MOST_COORDINATE]] as const
        ) {
          requireThat(
            Object.is(of.toGrid("test", value, step), at),
            `${value} on a grid of ${step}`,
          );
        }
        requireRefused("NaN", () => of.toGrid("test", NaN, 1));
        requireEqual(of.gridSensitivity("test", { sensitivity: 1.1, granularity: 0.25 }), 5);
        requireEqual(of.gridSensitivity("test", { sensitivity: 1, granularity: 0.25 }), 4);
        requireEqual(
          of.gridSensitivity("test", { sensitivity: 1, granularity: 0.25, dimension: 3 }),
          6,
        );
        requireEqual(of.gridSensitivity("test", { sensitivity: 2 ** 50, granularity: 1 }), 2 ** 50);
        requireRefused(
          "2^50 + 1 steps",
          () => of.gridSensitivity("test", { sensitivity: 2 ** 50 + 1, granularity: 1 }),
        );
        for (const good of [2 ** -900, 1, 2 ** 900]) requireGranularity("test", good);
        for (const bad of [3, 0.3, 2 ** -901, 2 ** 901, 0]) {
          requireRefused(`a step of ${bad}`, () => requireGranularity("test", bad));
        }
        requireEqual([
          histogramSensitivity("test", addRemoveOne),
          histogramSensitivity("test", replaceOne),
        ], [1, 2]);
        requireRefused(
          "another relation",
          () => histogramSensitivity("test", changeEach({ by: 1 })),
        );
      },
      "marginals are sums of cells": () => {
        const attributes = { a: [0, 1], b: ["x", "y", "z"], c: [false, true] };
        const cells = Array.from({ length: 12 }, (_, i) => 3 ** i);
        const at = (a: number, b: number, c: number): number => cells[(a * 3 + b) * 2 + c]!;
        const sum = (values: number[]): number => values.reduce((x, y) => x + y, 0);
        requireEqual(of.marginal(cells, { attributes, keep: ["a", "b", "c"] }), cells);
        requireEqual(of.marginal(cells, { attributes, keep: [] }), [sum(cells)]);
        requireEqual(
          of.marginal(cells, { attributes, keep: ["b"] }),
          [0, 1, 2].map((b) => sum([0, 1].flatMap((a) => [0, 1].map((c) => at(a, b, c))))),
        );
        requireEqual(
          of.marginal(cells, { attributes, keep: ["c", "a"] }),
          [0, 1].flatMap((a) => [0, 1].map((c) => sum([0, 1, 2].map((b) => at(a, b, c))))),
        );
        const table = contingencyTable({ attributes, epsilon: 40, relation: addRemoveOne });
        const rows = [{ a: 1, b: "y", c: true }, { a: 1, b: "y", c: true }, {
          a: 0,
          b: "z",
          c: false,
        }, { a: 9, b: "z", c: false }];
        const expected = Array<number>(12).fill(0);
        expected[(3 + 1) * 2 + 1] = 2;
        expected[4] = 1;
        requireThat(Math.exp(table.logDensity!(expected, rows)) > 0.9, "which cell a row is in");
      },
      "hashes of RAPPOR are MurmurHash3": () => {
        // Published test vectors of MurmurHash3_x86_32: seed, text, hash. Seeds are the hash functions' numbers.
        const vectors: readonly (readonly [number, string, number])[] = [
          [0, "", 0],
          [1, "", 0x514e28b7],
          [0, "test", 0xba6bd213],
          [0, "Hello, world!", 0xc0363e43],
          [0, "The quick brown fox jumps over the lazy dog", 0x2e4ff723],
          [0, "a", 0x3c2569b2],
          [0, "aa", 0x3f5e5b90 >>> 0],
        ];
        for (const [seed, text, hash] of vectors.slice(0, 6)) {
          for (const bits of [64, 1000, 65521]) {
            const filter = of.bloomFilter(text, { bits, hashes: seed + 1 });
            requireThat(filter[hash % bits] === 1, () => `“${text}” with ${seed} in ${bits} bits`);
            requireThat(filter.reduce((a, b) => a + b, 0) <= seed + 1, "bits that are set");
          }
        }
        for (
          const [text, one] of [
            ["ab", referenceMurmur("ab", 0)],
            ["abc", referenceMurmur("abc", 0)],
            ["abcdefg", referenceMurmur("abcdefg", 0)],
            ["héllo wörld", referenceMurmur("héllo wörld", 0)],
          ] as const
        ) {
          requireEqual(
            of.bloomFilter(text, { bits: 65521, hashes: 1 }).indexOf(1),
            one % 65521,
            text,
          );
        }
        const { claim } = rappor({ bits: 8, hashes: 2, forget: 0.5 });
        // 2h·ln((1 − f/2)/(f/2)) of Erlingsson et al., Theorem 1.
        requireNear((claim as { epsilon: number }).epsilon, 4 * Math.log(3), { relative: 1e-13 });
        const once = rappor({
          bits: 8,
          hashes: 1,
          forget: 0.5,
          instantaneous: { one: 0.75, zero: 0.5 },
        });
        // p* = ½f(p + q) + (1 − f)p = 0.5625, q* = 0.6875: ln(q*(1 − p*)/(p*(1 − q*))).
        requireNear(
          (once.claim as { epsilon: number }).epsilon,
          Math.log(0.6875 * 0.4375 / (0.5625 * 0.3125)),
          { relative: 1e-13 },
        );
      },
      "estimates have no bias": () => {
        for (const variant of ["symmetric", "optimised"] as const) {
          const epsilon = 1.3,
            q = 1 / (1 + Math.exp(variant === "symmetric" ? epsilon / 2 : epsilon));
          const p = variant === "symmetric" ? 1 - q : 0.5;
          const sums = [300, 0, 700].map((count) => count * p + (1000 - count) * q);
          of.estimateUnaryCounts(sums, { respondents: 1000, epsilon, variant }).forEach((each, i) =>
            requireNear(each, [300, 0, 700][i]!, { absolute: 1e-9 })
          );
        }
        for (const truthProbability of [0.6, 0.75, 1]) {
          const answers = Array.from(
            { length: 1000 },
            (_, i) => i < 1000 * (0.3 * truthProbability + 0.7 * (1 - truthProbability)) - 1e-6,
          );
          requireNear(estimateProportion(answers, { truthProbability }), 0.3, { absolute: 1e-9 });
        }
      },
      "quantiles choose by ranks": () => requireQuantiles(of.quantile),
      "snapping": () => {
        for (
          const [epsilon, bound, sensitivity] of [[1, 100, 1], [0.3, 90, 2], [5, 9, 0.5]] as const
        ) {
          const most = bound / sensitivity;
          requireNear(of.snappingScale({ epsilon, most }), (1 + most * 2 ** -49) / epsilon, {
            relative: 2 ** -49,
          });
          requireThat(
            of.snappingScale({ epsilon, most }) > (1 + most * 2 ** -49) / epsilon,
            "a scale rounded up",
          );
          const mechanism = snapping<number>({
            query: ([row]) => row!,
            epsilon,
            sensitivity,
            bound,
            relation: replaceOne,
          });
          // Steps of the least power of two that is not below the scale.
          const step = 2 ** Math.ceil(Math.log2(of.snappingScale({ epsilon, most }))) * sensitivity;
          const law = mechanism.distribution!([bound / 3]);
          const scale = of.snappingScale({ epsilon, most }) * sensitivity,
            last = Math.ceil(bound / step);
          const tail = (x: number): number =>
            x > 0 ? Math.exp(-x / scale) / 2 : 1 - Math.exp(x / scale) / 2;
          requireEqual(law.length, 2 * last + 1, "cells");
          law.forEach(({ output, probability }, i) => {
            const cell = i - last;
            requireNear(output, Math.min(bound, Math.max(-bound, cell * step)), { absolute: 1e-9 });
            const low = cell === -last ? 1 : tail((cell - 0.5) * step - bound / 3);
            const high = cell === last ? 0 : tail((cell + 0.5) * step - bound / 3);
            requireNear(probability, low - high, { absolute: 1e-12, what: `cell ${cell}` });
          });
        }
        const { name } = mechanismNamed("snapping", { epsilon: 0.01 });
        requireEqual(name, "snapping");
        // 10/ε is the bound of the registry's where that is more than 100.
        requireNear(
          mechanismNamed("snapping", { epsilon: 0.01 }).distribution!([0]).at(-1)!.output as number,
          1000,
        );
        requireNear(
          mechanismNamed("snapping", { epsilon: 1 }).distribution!([0]).at(-1)!.output as number,
          100,
        );
      },
      "trees": () => requireTrees(),
      "Gaussian noise": () => requireGaussian(),
      "input perturbation claims the largest ratio of its chances": () => {
        for (
          const [perturbation, ratio] of [
            [keepOrReplace({ size: 5, keep: 0.6 }), 0.6 / 0.1],
            [mixedNoise({ size: 9, reach: 1, keep: 0.3 }), (0.1 + 0.7 / 9) / (0.7 / 9)],
            [keepOrReplace({ size: 3, keep: 0.1 }), 0.45 / 0.1],
          ] as const
        ) {
          const { epsilon } = perturbedDatabase(perturbation).claim as { epsilon: number };
          requireNear(epsilon, Math.log(ratio), { relative: 1e-12 });
        }
      },
      "a staircase's tread": () => {
        for (const [epsilon, steps] of [[1, 64], [4, 10], [0.1, 7], [9, 3]] as const) {
          requireEqual(
            staircaseTread({ epsilon, steps }),
            Math.max(1, Math.ceil(steps / (1 + Math.exp(epsilon / 2)))),
          );
        }
        requireEqual(staircaseTread({ epsilon: 2000, steps: 5 }), 1);
      },
      "densities off the grid, and of what cannot come out": () => {
        const unit = {
          query: ([row]: readonly number[]): number => row!,
          epsilon: 1,
          sensitivity: 1,
          relation: replaceOne,
        };
        const grid = laplace({ ...unit, granularity: 0.25 });
        requireEqual([grid.logDensity!(0.1, [0]), grid.logDensity!(NaN, [0])], [
          -Infinity,
          -Infinity,
        ]);
        const bits = rappor({ bits: 2, hashes: 1, forget: 0.5 });
        requireEqual([
          bits.logDensity!([2, 0], ["a"]),
          bits.logDensity!([1], ["a"]),
          bits.logDensity!([1, 1, 1], ["a"]),
        ], [-Infinity, -Infinity, -Infinity]);
        const one = truncatedGeometric({ ...unit, bounds: { lower: 3, upper: 3 } });
        requireEqual([one.logDensity!(3, [9]), one.logDensity!(2, [9]), one.logDensity!(4, [0])], [
          0,
          -Infinity,
          -Infinity,
        ]);
        const survey = randomisedResponse({ epsilon: 1 });
        requireEqual([survey.logDensity!([true], [true, true]), survey.logDensity!([], [])], [
          -Infinity,
          0,
        ]);
        const stream = {
          answers: (rows: readonly number[]) => rows,
          epsilon: 1,
          sensitivity: 1,
          threshold: 1,
          granularity: 0.5,
          relation: changeEach({ by: 1 }),
        };
        for (const count of [1, 2, 3]) {
          const vector = aboveThreshold({ ...stream, count });
          const law = vector.distribution!([0, 2, 1, 5]);
          requireNear(law.reduce((sum, { probability }) => sum + probability, 0), 1, {
            relative: 1e-10,
          });
          // Lists that stop at the count-th above, or go on to the end: Σ C(4, j) over fewer, and C(i − 1, count − 1) that stop.
          requireEqual(law.length, [5, 11, 15][count - 1], "transcripts");
          requireEqual([
            vector.logDensity!([true, true, true, true, true], [0, 2, 1, 5]),
            vector.logDensity!([false], [0, 2]),
          ], [-Infinity, -Infinity]);
        }
        requireRefused(
          "transcripts of 30 answers",
          () => aboveThreshold({ ...stream, count: 30 }).distribution!(Array(30).fill(0)),
          "Cannot enumerate",
        );
        // ∫ of a spherical density over its shells: 2π·r and 4π·r².
        for (
          const [dimension, shell] of [[1, () => 2], [2, (r: number) => 2 * Math.PI * r], [
            3,
            (r: number) => 4 * Math.PI * r * r,
          ]] as const
        ) {
          const ball = floatSphericalLaplace<number>({
            query: () => Array<number>(dimension).fill(0),
            dimension,
            epsilon: 0.5,
            sensitivity: 2,
            relation: replaceOne,
          });
          let total = 0;
          for (let k = 0; k < 8000; k++) {
            const r = 0.02 * (k + 0.5);
            total += 0.02 * shell(r) *
              Math.exp(ball.logDensity!([r, ...Array<number>(dimension - 1).fill(0)], [0]));
          }
          requireNear(total, 1, { relative: 1e-4, what: `density in ${dimension} dimensions` });
          // Radii are gamma variables of shape d: mean d·scale, variance d·scale²; six standard errors of 2,000.
          const block = ball.sampleMany!([0], 2000, new SeededSource(dimension));
          const radii = Array.from({ length: 2000 }, (_, i) =>
            Math.hypot(...block.subarray(i * dimension, (i + 1) * dimension)));
          requireNear(
            radii.reduce((a, b) =>
              a + b
            ) / 2000,
            4 * dimension,
            { absolute: 6 * 4 * Math.sqrt(dimension / 2000) },
          );
          for (let j = 0; j < dimension; j++) {
            const mean = radii.reduce((sum, _, i) => sum + block[i * dimension + j]!, 0) / 2000;
            requireNear(mean, 0, { absolute: 6 * 4 * Math.sqrt((dimension + 1) / 2000) });
          }
        }
      },
      "the mean's law adds up to 1": () => {
        for (const rows of [[0.5, 1, -1], [3, 3, 0.5, 0, 1], [-1]]) {
          const mean = boundedMean({
            bounds: { lower: -1, upper: 3 },
            epsilon: 1.5,
            granularity: 0.5,
            relation: replaceOne,
          });
          const outputs = new Set<number>();
          for (let steps = -400; steps <= 400; steps++) {
            outputs.add(Math.min(3, Math.max(-1, steps / rows.length * 0.5)) + 0);
          }
          requireNear(
            [...outputs].reduce((sum, output) => sum + Math.exp(mean.logDensity!(output, rows)), 0),
            1,
            { relative: 1e-9 },
          );
        }
      },
      "bounded sums and means": () => {
        const parts = { bounds: { lower: -1, upper: 3 }, epsilon: 40, granularity: 0.5 };
        const data = [5, -9, 1.2, 0.3];
        // 3 − 1 + 1 + 0.5, and a quarter of it.
        const sum = boundedSum({ ...parts, relation: replaceOne });
        requireEqual([sum.grid.sensitivityInSteps, sum.grid.scaleInSteps], [8, 0.2]);
        requireThat(sum.logDensity!(3.5, data) > Math.log(0.95), "a sum");
        requireEqual(boundedSum({ ...parts, relation: addRemoveOne }).grid.sensitivityInSteps, 6);
        const mean = boundedMean({ ...parts, relation: replaceOne });
        requireThat(mean.logDensity!(3.5 / 4, data) > Math.log(0.95), "a mean");
        requireThat(
          boundedMean({ ...parts, epsilon: 200, relation: addRemoveOne }).logDensity!(
            3.5 / 4,
            data,
          ) > Math.log(0.9),
          "a mean of as many as there are",
        );
        requireRefused("a mean of no rows", () => mean.check!([]));
        boundedMean({ ...parts, relation: addRemoveOne }).check!([]);
        requireRefused(
          "more than 2^31 steps",
          () => boundedSum({ ...parts, granularity: 2 ** -31, relation: replaceOne }),
        );
        boundedSum({ ...parts, granularity: 2 ** -29, relation: replaceOne });
        const { alsoKeeps } = boundedMean({ ...parts, epsilon: 0.8, relation: addRemoveOne });
        requireNear((alsoKeeps![0] as { rho: number }).rho, 0.16, { relative: 1e-12 });
      },
    }),
  mutants: {
    "marginals of the other attributes": {
      ...shipped,
      marginal: (cells, { attributes, keep }) =>
        marginal(cells, {
          attributes,
          keep: Object.keys(attributes).filter((name) => !keep.includes(name)),
        }),
    },
    "values rounded down": {
      ...shipped,
      toGrid: (action, value, step) => toGrid(action, Math.floor(value / step) * step, step),
    },
    "sums of doubles": { ...shipped, exactSum: (values) => [...values].reduce((a, b) => a + b, 0) },
    "a scale of 1/ε": { ...shipped, snappingScale: ({ epsilon }) => 1 / epsilon },
    "ranks at twice the rate": {
      ...shipped,
      quantile: (options) => quantile({ ...options, epsilon: 2 * options.epsilon }),
    },
  },
});

/** MurmurHash3_x86_32 in whole numbers without end, brought back to 32 bits. */
function referenceMurmur(text: string, seed: number): number {
  const low = (value: bigint): bigint => value & 0xffffffffn;
  const turn = (value: bigint, by: bigint): bigint => low(value << by | value >> (32n - by));
  const mixed = (k: bigint): bigint => low(turn(low(k * 0xcc9e2d51n), 15n) * 0x1b873593n);
  const bytes = [...new TextEncoder().encode(text)].map(BigInt);
  let h = BigInt(seed);
  const word = (at: number, length: number): bigint =>
    bytes.slice(at, at + length).reduce((sum, byte, i) => sum | byte << BigInt(8 * i), 0n);
  const whole = bytes.length - bytes.length % 4;
  for (let at = 0; at < whole; at += 4) {
    h = low(turn(h ^ mixed(word(at, 4)), 13n) * 5n + 0xe6546b64n);
  }
  h ^= mixed(word(whole, bytes.length - whole)) ^ BigInt(bytes.length);
  h = low((h ^ h >> 16n) * 0x85ebca6bn);
  h = low((h ^ h >> 13n) * 0xc2b2ae35n);
  return Number(h ^ h >> 16n);
}

/** P(x) ∝ e^(−ε·d(x)/2Δ), d the number of rows that x is away from the rank, counted one by one. */
function requireQuantiles(of: Parts["quantile"]): void {
  const bounds = { lower: 0, upper: 1 }, granularity = 2 ** -3;
  for (const level of [0, 0.3, 0.5, 0.75, 1]) {
    for (const relation of [replaceOne, addRemoveOne]) {
      const epsilon = 1.5, mechanism = of({ level, bounds, granularity, epsilon, relation });
      const change = relation === replaceOne ? 1 : Math.max(level, 1 - level);
      for (const rows of [[], [0.25], [0.5, 0.5, 7, -3], [0.1, 0.2, 0.9, 1, 0]]) {
        const grid = rows.map((row) => Math.min(8, Math.max(0, Math.round(row * 8))));
        const weights = Array.from({ length: 9 }, (_, x) => {
          const below = grid.filter((row) => row < x).length;
          const atMost = grid.filter((row) => row <= x).length, wanted = level * rows.length;
          const distance = Math.max(0, below - wanted, wanted - atMost);
          return Math.exp(-epsilon * distance / (2 * change));
        });
        const total = weights.reduce((a, b) => a + b, 0);
        const law = mechanism.distribution!(rows);
        requireEqual(law.map(({ output }) => output), weights.map((_, x) => x / 8), "outputs");
        law.forEach(({ output, probability }, x) => {
          requireNear(probability, weights[x]! / total, { what: `P(${output}) at ${level}` });
          requireNear(mechanism.logDensity!(output, rows), Math.log(weights[x]! / total), {
            absolute: 1e-12,
          });
        });
        requireEqual([
          mechanism.logDensity!(1.125, rows),
          mechanism.logDensity!(0.1, rows),
          mechanism.logDensity!(-0.125, rows),
        ], [-Infinity, -Infinity, -Infinity]);
      }
    }
  }
  const wide = of({
    level: 0.5,
    bounds: { lower: 0, upper: 100_000 },
    granularity: 1,
    epsilon: 1,
    relation: replaceOne,
  });
  requireRefused("more than 100,000 points", () => wide.distribution!([1]), "at most 100000");
  const narrow = of({
    level: 0.5,
    bounds: { lower: 0, upper: 99_999 },
    granularity: 1,
    epsilon: 1,
    relation: replaceOne,
  });
  requireEqual(narrow.distribution!([1]).length, 100_000);
}

/** Nodes of the binary tree that contain a step, by their definition: intervals that end at a multiple of their length. */
function requireTrees(): void {
  for (let steps = 1; steps <= 20; steps++) {
    const nodesOf = (step: number): number[] =>
      Array.from({ length: steps }, (_, i) => i + 1).filter((node) => {
        const length = node & -node;
        return step > node - length && step <= node;
      });
    let added = 0, replaced = 0;
    for (let a = 1; a <= steps; a++) {
      added = Math.max(added, nodesOf(a).length);
      // Rows of step 0 count nowhere.
      for (let b = 0; b <= steps; b++) {
        const other = nodesOf(b), own = nodesOf(a);
        replaced = Math.max(
          replaced,
          own.filter((node) => !other.includes(node)).length +
            other.filter((node) => !own.includes(node)).length,
        );
      }
    }
    for (
      const [relation, sensitivity] of [[addRemoveOne, added], [replaceOne, replaced]] as const
    ) {
      const options = { steps, stepOf: (step: number) => step, relation };
      const tree = treeCounts<number>({ ...options, epsilon: 1 });
      requireEqual([tree.nodeSensitivity, tree.nodeScale, tree.width], [
        sensitivity,
        sensitivity,
        steps,
      ], `${steps} steps`);
      requireNear((tree.alsoKeeps![0] as { rho: number }).rho, 0.5 / sensitivity, {
        relative: 1e-12,
      });
      const gaussian = gaussianTreeCounts<number>({ ...options, rho: 0.5 });
      requireNear(gaussian.nodeScale, Math.sqrt(sensitivity), { relative: 1e-11 });
      requireEqual((gaussian.claim as { rho: number }).rho, 0.5);
      // Without noise to speak of the counts are those of the steps up to each.
      const data = Array.from({ length: 40 }, (_, i) => 1 + (i * 7) % (steps + 2));
      const counts = Array.from(
        { length: steps },
        (_, i) => data.filter((step) => step <= i + 1).length,
      );
      const sharp = treeCounts<number>({ ...options, epsilon: 60 * sensitivity });
      requireThat(sharp.logDensity!(counts, data) > -1e-9, `running counts of ${steps} steps`);
      const source = new SeededSource(steps);
      requireEqual(sharp.sample(data, source), counts, "counts that are drawn");
      requireEqual(
        [...sharp.sampleMany!(data, 3, source)],
        [...counts, ...counts, ...counts],
        "a block of counts",
      );
      requireThat(
        sharp.logDensity!(counts.with(steps - 1, counts[steps - 1]! + 1), data) < -50,
        "one too many",
      );
    }
  }
  requireRefused(
    "no steps",
    () =>
      treeCounts<number>({ steps: 0, stepOf: (step) => step, epsilon: 1, relation: addRemoveOne }),
  );
}

/** δ of the discrete Gaussian as a sum, and what is claimed of it. */
function requireGaussian(): void {
  for (const [deviation, shift, epsilon] of [[1.7, 1, 0.3], [40, 7, 0.5], [3, 5, 2]] as const) {
    let total = 0, delta = 0;
    const weight = (x: number): number => Math.exp(-0.5 * (x / deviation) ** 2);
    for (let x = -2000; x <= 2000; x++) total += weight(x);
    for (let x = -2000; x <= 2000; x++) {
      delta += Math.max(0, weight(x) - Math.exp(epsilon) * weight(x + shift));
    }
    const found = discreteGaussianDelta({ deviation, shift, epsilon });
    requireNear(found, delta / total, { relative: 1e-7 });
    requireThat(found >= delta / total, "δ is rounded up");
  }
  const query = ([row]: readonly number[]): number => row!;
  const options = {
    query,
    epsilon: 0.5,
    delta: 1e-3,
    sensitivity: 1,
    granularity: 2 ** -4,
    relation: replaceOne,
  };
  const classical = classicalGaussian(options);
  // √(2 ln(1.25/δ))·Δ/ε.
  requireNear(classical.grid.scaleInSteps, Math.sqrt(2 * Math.log(1250)) / 0.5 * 16, {
    relative: 1e-12,
  });
  for (const mechanism of [classical, analyticGaussian(options)]) {
    const { scaleInSteps, sensitivityInSteps } = mechanism.grid;
    requireEqual(sensitivityInSteps, 16);
    requireNear((mechanism.alsoKeeps![0] as { rho: number }).rho, 0.5 * (16 / scaleInSteps) ** 2, {
      relative: 1e-12,
    });
    const delta = discreteGaussianDelta({ deviation: scaleInSteps, shift: 16, epsilon: 0.5 });
    requireThat(delta <= 1e-3, "δ of the grid's Gaussian");
  }
  requireThat(
    discreteGaussianDelta({
      deviation: analyticGaussian(options).grid.scaleInSteps * (1 - 1e-3),
      shift: 16,
      epsilon: 0.5,
    }) > 1e-3,
    "less noise would do",
  );
  requireRefused("ε of 1", () => classicalGaussian({ ...options, epsilon: 1 }), "below 1");
  const vector = {
    query: (rows: readonly number[]) => rows,
    dimension: 4,
    rho: 0.25,
    sensitivity: 3,
    relation: replaceOne,
  };
  // Rounding moves a vector by √d steps at most.
  requireNear(
    vectorGaussian({ ...vector, granularity: 0.5 }).grid.scaleInSteps,
    (6 + 2) / Math.sqrt(0.5),
    { relative: 1e-11 },
  );
  requireNear(integerGaussian(vector).grid.scaleInSteps, 3 / Math.sqrt(0.5), { relative: 1e-11 });
  requireRefused("halves", () => integerGaussian(vector).check([0.5, 1, 1, 1]), "integers");
}
