import { changeEach, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean } from "../../lib/mechanisms/bounded_sum.ts";
import { randomisedResponse } from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { laplace } from "../../lib/mechanisms/laplace.ts";
import { truncatedGeometric } from "../../lib/mechanisms/geometric.ts";
import { aboveThreshold } from "../../lib/mechanisms/sparse_vector.ts";
import { floatSphericalLaplace } from "../../lib/mechanisms/float_spherical_laplace.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";

/** Densities off the grid, of what cannot come out, and in balls. */
export function requireDensities(): void {
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
    const radii = Array.from(
      { length: 2000 },
      (_, i) => Math.hypot(...block.subarray(i * dimension, (i + 1) * dimension)),
    );
    requireNear(
      radii.reduce((a, b) => a + b) / 2000,
      4 * dimension,
      { absolute: 6 * 4 * Math.sqrt(dimension / 2000) },
    );
    for (let j = 0; j < dimension; j++) {
      const mean = radii.reduce((sum, _, i) => sum + block[i * dimension + j]!, 0) / 2000;
      requireNear(mean, 0, { absolute: 6 * 4 * Math.sqrt((dimension + 1) / 2000) });
    }
  }
}

/** The chances of all outputs of a mean. */
export function requireMeanLaw(): void {
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
}
