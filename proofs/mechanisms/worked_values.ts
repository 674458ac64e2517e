import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, marginal } from "../../lib/mechanisms/contingency_table.ts";
import { histogramSensitivity } from "../../lib/mechanisms/counting.ts";
import { minusSum, plusInteger } from "../../lib/mechanisms/exact_sum.ts";
import { MOST_COORDINATE, requireGranularity, toGrid } from "../../lib/mechanisms/grid.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { estimateProportion } from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { staircaseTread } from "../../lib/mechanisms/staircase.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  type Parts,
  referenceMurmur,
  requireGaussian,
  requireQuantiles,
  requireTrees,
  shipped,
} from "../checks/mechanism_values.ts";
import { requireDensities, requireMeanLaw } from "../checks/density_cases.ts";

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
      "densities off the grid, and of what cannot come out": requireDensities,
      "the mean's law adds up to 1": requireMeanLaw,
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
