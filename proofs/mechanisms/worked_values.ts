import { SeededSource } from "../../lib/random/seeded_source.ts";
import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean, boundedSum } from "../../lib/mechanisms/bounded_sum.ts";
import { contingencyTable, marginal } from "../../lib/mechanisms/contingency_table.ts";
import { histogramSensitivity } from "../../lib/mechanisms/counting.ts";
import { minusSum, plusInteger, plusIntegers } from "../../lib/mechanisms/exact_sum.ts";
import { MOST_COORDINATE, requireGranularity, toGrid } from "../../lib/mechanisms/grid.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { estimateProportion } from "../../lib/mechanisms/randomised_response.ts";
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
  requireGaussian,
  requireQuantiles,
  requireTrees,
  shipped,
} from "../checks/mechanism_values.ts";
import { requireHashes } from "../checks/rappor_values.ts";
import { requireExactClaims } from "../checks/exact_claims.ts";
import { requireSnapping, requireSnappingDraws } from "../checks/snapping_values.ts";
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
  kind: "sampled",
  checked:
    "the cases that are worked out in the file, by definitions or by figures that others printed; claims of ten mechanisms and learners at 60 generated ε, in fractions and logarithms of 300 bits",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "sums of integers are exact": () => {
        requireEqual(of.exactSum([1, -2, 5]), 4);
        requireEqual(of.exactSum([]), 0);
        const far = 2 ** 52;
        requireEqual(of.exactSum([far, far, 1, -far, -far]), 1);
        requireEqual(of.exactSum([far, far, 1, 2]), BigInt(far) * 2n + 3n);
        requireEqual(of.exactSum([far, far]), 2 * far);
        requireEqual(of.exactSum([-far, -far, -1, -2]), -2n * BigInt(far) - 3n);
        requireEqual(plusInteger(3, 4), 7);
        requireEqual(plusInteger(2n ** 53n + 1n, 1), 2 ** 53 + 2);
        const noise = Float64Array.of(4, -5);
        plusIntegers(3, { noise, step: 0.5 });
        requireEqual([...noise], [3.5, -1]);
        const others = Float64Array.of(1, -1);
        plusIntegers(2n ** 53n + 1n, { noise: others, step: 2 });
        requireEqual([...others], [2 ** 54 + 4, 2 ** 54]);
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
      "hashes of RAPPOR are MurmurHash3": () => requireHashes(of.bloomFilter),
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
      "claims to the last bit": () => requireExactClaims(new SeededSource(seed).split("claims")),
      "snapping": () => requireSnapping(of.snappingScale),
      "draws of snapping": requireSnappingDraws,
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
