import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { kMeansCalibration, kMeansClaim } from "../../lib/learners/sulq/k_means.ts";
import { kMeansMechanism } from "../../lib/learners/sulq/k_means_mechanism.ts";
import { sulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { scriptedSource } from "./scripted_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import type { Learners } from "./scripted_holdout.ts";
import { varianceOf } from "./scripted_learners.ts";

/** For scripted draws. */
export function requireKMeans({ sampleKMeans }: Learners, seed: number): void {
  const source = new SeededSource(seed).split("k-means");
  const bounds = { lower: [-1, 0], upper: [3, 10] }, start = [[0, 2], [2, 8]];
  const rows = Array.from(
    { length: 40 },
    (_, i) => [i % 2 === 0 ? source.uniform() - 1 : 2 + source.uniform(), 10 * source.uniform()],
  );
  rows.push([99, -99]);
  const held = rows.map((row) =>
    row.map((value, j) => Math.min(bounds.upper[j]!, Math.max(bounds.lower[j]!, value)))
  );
  const scaled = (row: readonly number[]): number[] =>
    row.map((value, j) => (value - bounds.lower[j]!) / (bounds.upper[j]! - bounds.lower[j]!));
  for (const rounds of [1, 3]) {
    let centres = start.map(scaled), counts = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const nearest = held.map(scaled).map((row) => {
        const distance = (centre: number[]): number =>
          (row[0]! - centre[0]!) ** 2 + (row[1]! - centre[1]!) ** 2;
        return distance(centres[1]!) < distance(centres[0]!) ? 1 : 0;
      });
      counts = [0, 1].map((k) => nearest.filter((each) => each === k).length);
      centres = centres.map((_, k) =>
        [0, 1].map((j) =>
          held.map(scaled).reduce((sum, row, i) => nearest[i] === k ? sum + row[j]! : sum, 0) /
          counts[k]!
        )
      );
    }
    const silent = scriptedSource();
    const model = sampleKMeans(silent, {
      points: denseRows(rows),
      clusters: 2,
      rounds,
      rho: 50,
      bounds,
      relation: replaceOne,
      start,
    });
    requireEqual(model.counts, counts);
    model.centres.forEach((centre, k) =>
      centre.forEach((value, j) =>
        requireNear(
          value,
          bounds.lower[j]! + centres[k]![j]! * (bounds.upper[j]! - bounds.lower[j]!),
          { absolute: 1e-5, what: "centre" },
        )
      )
    );
    requireEqual([silent.laws.length, model.claim.rho], [rounds * 6, 50]);
    const { stepsPerUnit } = sulqNoise(model.calibration);
    requireNear(varianceOf(silent, 0) / stepsPerUnit ** 2, model.calibration.variance, {
      relative: 1e-12,
    });
  }
  // Without a start, centres begin anywhere in the box, and stay there where no row comes near.
  const begun = sampleKMeans(new SeededSource(seed), {
    points: denseRows(rows.slice(0, 1)),
    clusters: 40,
    rounds: 1,
    rho: 1e-3,
    bounds,
    relation: replaceOne,
  }).centres;
  for (const j of [0, 1]) {
    const values = begun.map((centre) => centre[j]!), span = bounds.upper[j]! - bounds.lower[j]!;
    requireThat(
      values.every((value) => value >= bounds.lower[j]! && value <= bounds.upper[j]!) &&
        Math.max(...values) - Math.min(...values) > span / 2,
      "where centres begin",
    );
  }
  // A cluster of few rows stays where it is.
  const few = sampleKMeans(scriptedSource(), {
    points: denseRows(rows.slice(0, 3)),
    clusters: 2,
    rounds: 1,
    rho: 1e-2,
    bounds,
    relation: replaceOne,
    start,
  });
  few.centres.forEach((centre, k) =>
    centre.forEach((value, j) => requireNear(value, start[k]![j]!, { absolute: 1e-6 }))
  );
  for (
    const [clusters, relation, columns, squared] of [[2, replaceOne, 2, 3], [2, replaceOne, 6, 6], [
      1,
      replaceOne,
      2,
      2,
    ], [3, addRemoveOne, 2, 1.5]] as const
  ) {
    const options = {
      clusters,
      rounds: 4,
      rho: 0.3,
      bounds: { lower: Array<number>(columns).fill(0), upper: Array<number>(columns).fill(1) },
      relation,
    };
    const { variance, queries } = kMeansCalibration(options);
    requireNear(variance, 4 * squared / 0.6, { relative: 1e-13 });
    requireEqual([queries, kMeansClaim(options).rho, kMeansClaim(options).relation === relation], [
      4 * clusters * (columns + 1),
      0.3,
      true,
    ]);
    const mechanism = kMeansMechanism(options);
    requireEqual((mechanism.claim as { rho: number }).rho, 0.3);
    requireEqual(mechanism.domain!.size, { min: 1, max: 20 }, "sizes, unless they are given");
    const lower = Array.from({ length: columns }, (_, j) => -1 - j), size = { min: 2, max: 9 };
    const upper = lower.map((least) => least * least);
    requireEqual(kMeansMechanism({ ...options, bounds: { lower, upper }, size }).domain, {
      size,
      rows: {
        type: "vector",
        length: columns,
        of: { type: "number", min: -columns, max: columns ** 2 },
      },
    }, "the domain of k-means");
    requireEqual(
      mechanism.sample([Array<number>(columns).fill(0.5)], new SeededSource(1)).length,
      clusters * (columns + 1),
    );
  }
  const good = {
    points: denseRows(rows),
    clusters: 2,
    rounds: 1,
    rho: 1,
    bounds,
    relation: replaceOne,
  };
  for (
    const wrong of [
      { clusters: 0 },
      { rounds: 0 },
      { rho: 0 },
      { bounds: { lower: [0], upper: [1] } },
      { bounds: { lower: [0, 1], upper: [1, 1] } },
      { start: [[0, 0]] },
      { start: [[0, 0], [0]] },
      { start: [[0, 0], [0, NaN]] },
      { relation: changeEach({ by: 1 }) },
    ]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () => sampleKMeans(scriptedSource(), { ...good, ...wrong } as never),
    );
  }
}
