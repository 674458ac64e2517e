import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { type DenseRows, denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { kMeansCalibration, sampleKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { nearestCentre, placeSums } from "../../../lib/papers/sulq/k_means_sums.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { box, options } from "./k_means_cases.ts";

// The noise is below a millionth of a unit: the algorithm of Lloyd is what is left, rows brought into the box.
Deno.test("sampleKMeans() with next to no noise gives the counts and means of clusters that Lloyd's rounds give", () => {
  const points = denseRows([[1, -9], [2, -7], [3, -8], [6, 9], [7, 8], [100, 300], [-50, -9]]);
  const start = [[0, 0.2], [8, 0.3]];
  const { centres, counts } = sampleKMeans(new SeededSource(1), { ...options, points, start });
  // The second point of no cluster: (8, 10) for (100, 300), (0, −9) for (−50, −9).
  const expected = [[(1 + 2 + 3 + 0) / 4, (-9 - 7 - 8 - 9) / 4], [
    (6 + 7 + 8) / 3,
    (9 + 8 + 10) / 3,
  ]];
  centres.flat().forEach((value, i) => assertAlmostEquals(value, expected.flat()[i]!, 1e-2));
  counts.forEach((value, k) => assertAlmostEquals(value, [4, 3][k]!, 1e-3));
});

Deno.test("sampleKMeans() leaves a centre that hardly any row is nearest to, and starts within the box", () => {
  const points = denseRows([[1, -9], [2, -7]]);
  const { centres, counts } = sampleKMeans(new SeededSource(2), {
    ...options,
    rho: 0.01,
    points,
    start: [[4, 0], [8, 10]],
  });
  assertEquals([centres, counts.length], [[[4, 0], [8, 10]], 2]);
  for (let seed = 0; seed < 20; seed++) {
    const model = sampleKMeans(new SeededSource(seed), { ...options, rho: 0.01, points });
    for (const [x, y] of model.centres as [number, number][]) {
      assert(x >= 0 && x <= 8 && y >= -10 && y <= 10);
    }
  }
});

/** One round of one cluster, with noise of variance 50. */
const oneCluster = (points: DenseRows) => ({
  clusters: 1,
  rounds: 1,
  rho: 0.02,
  bounds: box(2),
  relation: replaceOne,
  points,
});

// R = 50: two deviations are 14 rows, and R itself would be 100.
Deno.test("sampleKMeans() moves a centre that has more rows than two deviations of the noise, and leaves others", () => {
  const moved = (rows: number): number => {
    const points = denseRows(Array.from({ length: rows }, () => [0.9, 0.9]));
    const settings = oneCluster(points);
    const prepared = sulqNoise(kMeansCalibration(settings));
    return Array.from(
      { length: 100 },
      (_, seed) =>
        sampleKMeans(new SeededSource(seed), { ...settings, prepared, start: [[0.5, 0.5]] }),
    )
      .filter(({ centres: [centre] }) => centre![0] !== 0.5).length;
  };
  // Noisy counts are 7 off: of 1 row 3% are above 14, of 30 rows 99%.
  assert(moved(1) < 15 && moved(30) > 90, `${moved(1)} ${moved(30)}`);
});

// One round more than is paid for would be a loss of privacy that no noise covers.
Deno.test("sampleKMeans() moves its centres as often as it says", () => {
  const points = denseRows([[0, 0], [1, 0], [4, 0], [8, 0]]);
  const start = [[0, 0], [1.2, 0]],
    settings = { ...options, points, start, bounds: { lower: [0, -1], upper: [8, 1] } };
  // Of 0, 1, 4, 8: {0} and {1, 4, 8}; then {0, 1} and {4, 8}.
  for (const [rounds, first, second] of [[1, 0, 13 / 3], [2, 0.5, 6]] as const) {
    const { centres } = sampleKMeans(new SeededSource(1), { ...settings, rounds });
    assertAlmostEquals(centres[0]![0]!, first, 1e-2);
    assertAlmostEquals(centres[1]![0]!, second, 1e-2);
  }
});

// The noise protects whole steps alone: a coordinate that is not rounded shows its fraction of a step in every sum.
Deno.test("sampleKMeans() rounds every coordinate to whole steps", () => {
  const points = denseRows(Array.from({ length: 50 }, (_, i) => [(i + 1 / 3) / 50]));
  const settings = {
    clusters: 1,
    rounds: 1,
    rho: 0.5,
    bounds: box(1),
    relation: replaceOne,
    points,
  };
  const { stepsPerUnit } = sulqNoise(kMeansCalibration(settings));
  for (let seed = 0; seed < 20; seed++) {
    const { centres: [centre], counts: [count] } = sampleKMeans(new SeededSource(seed), {
      ...settings,
      start: [[0.5]],
    });
    const steps = (centre![0]! - 0.5) * stepsPerUnit * count!;
    assertAlmostEquals(steps, Math.round(steps), 1e-3);
  }
});

// Mutants: no noise, on counts or on sums; one noise for two answers.
Deno.test("sampleKMeans() adds noise of variance R to every count and every sum", () => {
  const points = denseRows(Array.from({ length: 400 }, (_, i) => [i % 2, 0.75]));
  const settings = oneCluster(points);
  const { variance } = kMeansCalibration(settings);
  assertAlmostEquals(variance, 50, 1e-9);
  const prepared = sulqNoise(kMeansCalibration(settings));
  const runs = 1500, sums = [0, 0, 0], products = [0, 0, 0];
  for (let seed = 0; seed < runs; seed++) {
    const { counts: [count], centres: [centre] } = sampleKMeans(new SeededSource(seed), {
      ...settings,
      prepared,
      start: [[0.5, 0.5]],
    });
    // Sums are of coordinates less ½: 0 and 100.
    const noises = [count! - 400, (centre![0]! - 0.5) * count!, (centre![1]! - 0.5) * count! - 100];
    noises.forEach((noise, k) => {
      sums[k]! += noise * noise;
      products[k]! += noise * noises[(k + 1) % 3]!;
    });
  }
  // The mean of 1,500 squares has deviation 50·√(2/1500) = 1.8: six of them.
  sums.forEach((sum) => assertAlmostEquals(sum / runs, 50, 11));
  // Noises of different answers are independent: their mean product is 0, with deviation 50/√1500 = 1.3.
  products.forEach((product) => assertAlmostEquals(product / runs, 0, 8));
});

// Mutant: the noise of one cluster's sums for all clusters, of which a difference shows the sums bare.
Deno.test("sampleKMeans() draws other noise for every cluster", () => {
  const points = denseRows(Array.from({ length: 800 }, (_, i) => [i % 2 === 0 ? 0.25 : 0.75]));
  const settings = {
    clusters: 2,
    rounds: 1,
    rho: 0.02,
    bounds: box(1),
    relation: replaceOne,
    points,
  };
  const prepared = sulqNoise(kMeansCalibration(settings));
  const runs = 1500, { variance } = kMeansCalibration(settings);
  let product = 0;
  for (let seed = 0; seed < runs; seed++) {
    const { counts, centres } = sampleKMeans(new SeededSource(seed), {
      ...settings,
      prepared,
      start: [[0.1], [0.9]],
    });
    // Sums are −100 and 100: the means are far from the ends of the box, where noise would be cut.
    const [first, second] = [0, 1].map((k) => (centres[k]![0]! - 0.5) * counts[k]!);
    product += (first! + 100) * (second! - 100);
  }
  // The mean product of independent noises of variance R is 0, with deviation R/√1500.
  assert(Math.abs(product / runs) < 6 * variance / Math.sqrt(runs), `${product / runs}`);
});

// Mutants: coordinates that are not rounded to whole steps; a centre beyond the box; starts of one step's width.
Deno.test("sampleKMeans() keeps centres in the box under large noise, and spreads its starts over the box", () => {
  const points = denseRows(Array.from({ length: 200 }, (_, i) => [i % 2, (i + 0.3) / 200]));
  const settings = {
    clusters: 2,
    rounds: 2,
    rho: 0.002,
    bounds: box(2),
    relation: replaceOne,
    points,
  };
  const prepared = sulqNoise(kMeansCalibration(settings));
  let least = 1, most = 0;
  for (let seed = 0; seed < 300; seed++) {
    const { centres } = sampleKMeans(new SeededSource(seed), { ...settings, prepared });
    for (const value of centres.flat()) {
      assert(value >= 0 && value <= 1);
      [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
  }
  assert(least < 0.02 && most > 0.98, `${least} ${most}`);
  // Starts: uniform in the box. Too few rows for any centre to move.
  const starts = Array.from(
    { length: 300 },
    (_, seed) =>
      sampleKMeans(new SeededSource(seed), {
        ...settings,
        prepared,
        points: denseRows([[0, 0]]),
        rounds: 1,
      }).centres,
  );
  const ascending = starts.map(([centre]) => centre![0]!).toSorted((a, b) => a - b);
  // A tenth of 300 uniform starts is below 0.1, give or take 0.02.
  assertAlmostEquals(ascending[30]!, 0.1, 0.09);
  assertAlmostEquals(ascending[270]!, 0.9, 0.09);
});

Deno.test("placeSums() counts and sums the points nearest to each centre, ties to the first", () => {
  const points = { columnCount: 1, steps: Float64Array.of(-4, -1, 0, 1, 5) };
  const placeOf = nearestCentre(points, Float64Array.of(-2, 2));
  assertEquals([...placeSums(points, { placeOf, out: new Float64Array(4) })], [3, -5, 2, 6]);
});
