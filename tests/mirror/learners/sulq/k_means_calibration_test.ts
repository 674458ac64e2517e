import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, asserted, replaceOne } from "../../../../lib/core/relation.ts";
import { type DenseRows, denseRows, sparseRows } from "../../../../lib/learners/erm/rows.ts";
import {
  kMeans,
  kMeansCalibration,
  kMeansClaim,
  type KMeansOptions,
  kMeansSquaredSensitivity,
  sampleKMeans,
} from "../../../../lib/learners/sulq/k_means.ts";
import { sulqNoise } from "../../../../lib/learners/sulq/sulq_noise.ts";
import { rational } from "../../../../lib/numeric/rational.ts";
import { unlimited } from "../unlimited.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const box = (d: number): KMeansOptions["bounds"] => ({
  lower: new Array<number>(d).fill(0),
  upper: new Array<number>(d).fill(1),
});

/** All corners of the box around 0, and its middle. */
function cornersOf(d: number): number[][] {
  const corners = Array.from(
    { length: 2 ** d },
    (_, bits) => Array.from({ length: d }, (_, j) => (bits >> j & 1) - 0.5),
  );
  return [...corners, new Array<number>(d).fill(0)];
}

const squared = (x: readonly number[]): number => x.reduce((sum, value) => sum + value * value, 0);

// Mutants: the larger of both ways left out; the way between centres counted where there is one centre alone.
Deno.test("kMeansSquaredSensitivity() is the largest of all moves between corners, within and across clusters", () => {
  for (let d = 1; d <= 6; d++) {
    const corners = cornersOf(d);
    const within = Math.max(
      ...corners.flatMap((x) => corners.map((y) => squared(x.map((v, j) => v - y[j]!)))),
    );
    const added = Math.max(...corners.map((x) => 1 + squared(x)));
    const of = (clusters: number, relation: KMeansOptions["relation"]): number =>
      kMeansSquaredSensitivity({ clusters, relation, bounds: box(d) });
    assertEquals(of(1, replaceOne), within);
    for (const clusters of [2, 3, 7]) {
      assertEquals(of(clusters, replaceOne), Math.max(within, 2 * added));
    }
    for (const clusters of [1, 2, 3]) assertEquals(of(clusters, addRemoveOne), added);
  }
});

Deno.test("kMeansCalibration() has at least the variance that ρ asks for, in fractions, and counts its answers", () => {
  for (const rho of [1e-6, 0.1, 0.5, 3, 1e5]) {
    for (const rounds of [1, 3, 10]) {
      const options = { clusters: 3, rounds, rho, bounds: box(7), relation: replaceOne };
      const { variance, queries } = kMeansCalibration(options);
      assertEquals(queries, rounds * 3 * 8);
      // variance·2ρ against rounds·7, as fractions.
      const [v, r] = [rational(variance), rational(rho)];
      const left = 2n * v.numerator * r.numerator,
        right = BigInt(rounds * 7) * v.denominator * r.denominator;
      assert(left >= right && left * 10n ** 14n <= right * (10n ** 14n + 1n));
    }
  }
});

const options = {
  clusters: 2,
  rounds: 3,
  rho: 1e9,
  bounds: { lower: [0, -10], upper: [8, 10] },
  relation: replaceOne,
};

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

// R = 50: two deviations are 14 rows, and R itself would be 100.
Deno.test("sampleKMeans() moves a centre that has more rows than two deviations of the noise, and leaves others", () => {
  const moved = (rows: number): number => {
    const points = denseRows(Array.from({ length: rows }, () => [0.9, 0.9]));
    const settings = {
      clusters: 1,
      rounds: 1,
      rho: 0.02,
      bounds: box(2),
      relation: replaceOne,
      points,
    };
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
  const settings = {
    clusters: 1,
    rounds: 1,
    rho: 0.02,
    bounds: box(2),
    relation: replaceOne,
    points,
  };
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

Deno.test("k-means refuses options out of range by name", () => {
  const points = denseRows([[1, 2]]);
  const wrong: [Partial<KMeansOptions>, string][] = [
    [{ clusters: 0 }, "clusters"],
    [{ clusters: 1.5 }, "clusters"],
    [{ rounds: 0 }, "rounds"],
    [{ rounds: NaN }, "rounds"],
    [{ rho: 0 }, "rho"],
    [{ rho: -1 }, "rho"],
    [{ bounds: { lower: [0], upper: [1, 1] } }, "bounds must be one pair"],
    [{ bounds: { lower: [0, 0], upper: [1] } }, "bounds must be one pair"],
    [{ bounds: { lower: [0, 0], upper: [1, 1, 1] } }, "bounds must be one pair"],
    [{ bounds: { lower: [0, 0, 0], upper: [1, 1, 1] } }, "bounds must be one pair"],
    [{ bounds: { lower: [0, 1], upper: [1, 1] } }, "bounds.upper[1] - bounds.lower[1]"],
    [{ bounds: { lower: [2, 0], upper: [1, 1] } }, "bounds.upper[0] - bounds.lower[0]"],
    [{ rho: -1, clusters: 1 }, "Cannot cluster privately: rho"],
    [{ start: [[1, 1]] }, "start"],
    [{ start: [[1, 1], [1]] }, "start"],
    [{ start: [[1, 1], [1, NaN]] }, "start"],
    [{ start: [[1, 1], [1, 1, 1]] }, "start"],
    [{ relation: asserted }, "relation"],
  ];
  for (const [one, name] of wrong) {
    assertThrows(
      () => sampleKMeans(new SeededSource(1), { ...options, points, ...one }),
      RangeError,
      name,
    );
  }
  const none = { kind: "dense", rowCount: 0, columnCount: 0, values: new Float64Array(0) } as const;
  const without = { ...options, start: undefined as never, bounds: { lower: [], upper: [] } };
  assertThrows(
    () => sampleKMeans(new SeededSource(1), { ...without, points: none }),
    RangeError,
    "bounds must be one pair",
  );
  const sparse = sparseRows({
    columnCount: 2,
    offsets: Int32Array.of(0, 1),
    columns: Int32Array.of(0),
    values: Float64Array.of(1),
  });
  assertThrows(
    () => kMeans(sparse as unknown as DenseRows, { ...options, budget: unlimited }),
    RangeError,
    "dense",
  );
  assertThrows(() => kMeansClaim({ ...options, relation: asserted }), RangeError, "relation");
});
