import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { marginal } from "../../lib/mechanisms/contingency_table.ts";
import { discreteGaussianDelta } from "../../lib/mechanisms/discrete_gaussian_delta.ts";
import { exactSum } from "../../lib/mechanisms/exact_sum.ts";
import { floatGaussianMechanism } from "../../lib/mechanisms/float_gaussian_mechanism.ts";
import {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../lib/mechanisms/gaussian.ts";
import { gridSensitivity, toGrid } from "../../lib/mechanisms/grid.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { bloomFilter } from "../../lib/mechanisms/rappor.ts";
import { snappingScale } from "../../lib/mechanisms/snapping.ts";
import { gaussianTreeCounts, treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import { estimateUnaryCounts } from "../../lib/mechanisms/unary_encoding.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** For worked values. */
export const shipped = {
  marginal,
  bloomFilter,
  exactSum,
  toGrid,
  gridSensitivity,
  estimateUnaryCounts,
  snappingScale,
  quantile,
};

/** For worked values. */
export type Parts = typeof shipped;

/** P(x) ∝ e^(−ε·d(x)/2Δ), d the number of rows that x is away from the rank, counted one by one. */
export function requireQuantiles(of: Parts["quantile"]): void {
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
export function requireTrees(): void {
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
export function requireGaussian(): void {
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
  for (const [epsilon, delta] of [[0.5, 1e-3], [3, 1e-9], [0.01, 0.2]] as const) {
    const { alsoKeeps } = floatGaussianMechanism({ ...options, epsilon, delta });
    // μ is the inverse of the noise, above it by the two roundings of these.
    const above = (alsoKeeps![0] as { mu: number }).mu *
        analyticGaussianDeviation({ epsilon, delta }) - 1;
    requireThat(above > 1e-16 && above < 1e-15, `a μ that is ${above} above its noise's`);
  }
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
