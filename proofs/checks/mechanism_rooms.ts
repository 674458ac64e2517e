import { replaceOne } from "../../lib/core/relation.ts";
import { boundedMean } from "../../lib/mechanisms/bounded_sum.ts";
import { floatGaussianMechanism } from "../../lib/mechanisms/float_gaussian_mechanism.ts";
import {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  vectorGaussian,
} from "../../lib/mechanisms/gaussian.ts";
import { aboveThreshold } from "../../lib/mechanisms/sparse_vector.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** Room for what doubles round, and outputs and options that are at their ends. */
export function requireMechanismRooms(): void {
  const query = {
    query: (rows: readonly unknown[]): never => rows[0] as never,
    relation: replaceOne,
  };
  for (
    const [dimension, sensitivity, granularity] of [[1, 1, 2 ** -10], [7, 0.3, 2 ** -7]] as const
  ) {
    const { grid } = vectorGaussian({ ...query, dimension, rho: 0.1, sensitivity, granularity });
    const room = grid.sensitivityInSteps / (sensitivity / granularity + Math.sqrt(dimension)) - 1;
    requireThat(room > 0.9e-12 && room < 1.1e-12, () => `a sensitivity has room of ${room}`);
  }
  for (const make of [classicalGaussian, analyticGaussian, floatGaussianMechanism]) {
    const options = { ...query, epsilon: 0.5, sensitivity: 1, granularity: 2 ** -6 };
    requireRefused(`a δ of 1 for ${make.name}`, () => make({ ...options, delta: 1 }), "delta");
  }
  requireRefused(
    "a deviation for a δ of 1",
    () => analyticGaussianDeviation({ epsilon: 0.5, delta: 1 }),
    "delta",
  );
  // One 0, whichever sign the bounds give it.
  const mean = boundedMean({
    bounds: { lower: -0, upper: 1 },
    epsilon: 0.1,
    granularity: 0.25,
    relation: replaceOne,
  });
  const block = mean.sampleMany!([0, 0.25], 50, new SeededSource(1));
  requireThat(block.includes(0), "no mean at its lower bound");
  requireThat(block.every((value) => !Object.is(value, -0)), "a mean of −0");
}

/** Chances of transcripts depend on how far answers are from the threshold, wherever both are. */
export function requireShiftedTranscripts(): void {
  const from = (threshold: number) =>
    aboveThreshold({
      answers: (rows: readonly number[]): readonly number[] => rows.map((row) => row + threshold),
      epsilon: 2,
      sensitivity: 1,
      threshold,
      count: 1,
      granularity: 1,
      relation: replaceOne,
    });
  const about = from(0);
  for (const data of [[150, 150], [-150, -150], [150, -150], [400, 1]]) {
    for (const said of [[true], [false, true], [false, false]]) {
      const stated = about.logDensity!(said, data);
      for (const threshold of [-1000, -200, 200, 1000]) {
        requireNear(from(threshold).logDensity!(said, data), stated, {
          relative: 1e-9,
          absolute: 1e-12,
          what: `the chance of ${said} about ${threshold}`,
        });
      }
    }
  }
  requireEqual(about.logDensity!([true, true], [150, 150]), -Infinity);
}
