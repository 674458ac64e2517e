import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { zcdp } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { type DenseRows, denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import {
  kMeansCalibration,
  type KMeansOptions,
  sampleKMeans,
} from "../../../lib/papers/sulq/k_means.ts";
import { kMeansMechanism } from "./k_means_mechanism.ts";
import { nearestCentre, placeSums } from "../../../lib/papers/sulq/k_means_sums.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { refutes } from "../../dp/learners/refutes.ts";
import { diagonalKMeans } from "./diagonal_k_means.ts";
import { longTest } from "../../long.ts";

const box = { lower: [-10, 0], upper: [10, 5] };
const truth = [[-6, 1], [0, 4], [6, 2]];

/** Equal shares of points around three centres, two columns of unlike scale. */
function threeGroups(rowCount: number, seed: number): DenseRows {
  const values = floatNormal(new SeededSource(seed), new Float64Array(2 * rowCount), { scale: 1 });
  for (let i = 0; i < rowCount; i++) {
    const centre = truth[i % 3]!;
    values[2 * i] = centre[0]! + values[2 * i]!;
    values[2 * i + 1] = centre[1]! + 0.25 * values[2 * i + 1]!;
  }
  return denseRows(values, { columnCount: 2 });
}

const options: KMeansOptions = {
  clusters: 3,
  rounds: 6,
  rho: 0.5,
  bounds: box,
  relation: replaceOne,
  start: [[-2, 1], [0, 2.5], [2, 1]],
};

/** Lloyd's algorithm as in the textbooks, in the coordinates of the box, for comparison. */
function lloyd(points: DenseRows): number[][] {
  let centres = options.start!.map((centre) => [...centre]);
  for (let round = 0; round < options.rounds; round++) {
    const groups: number[][][] = centres.map(() => []);
    for (let i = 0; i < points.rowCount; i++) {
      const point = [points.values[2 * i]!, points.values[2 * i + 1]!];
      const distances = centres.map(([x, y]) =>
        ((point[0]! - x!) / 20) ** 2 + ((point[1]! - y!) / 5) ** 2
      );
      groups[distances.indexOf(Math.min(...distances))]!.push(point);
    }
    centres = groups.map((group) =>
      [0, 1].map((j) => group.reduce((sum, point) => sum + point[j]!, 0) / group.length)
    );
  }
  return centres;
}

Deno.test("placeSums() counts and sums the points nearest to each centre, ties to the first", () => {
  const points = { columnCount: 1, steps: Float64Array.of(-4, -1, 0, 1, 5) };
  const placeOf = nearestCentre(points, Float64Array.of(-2, 2));
  assertEquals([...placeSums(points, { placeOf, out: new Float64Array(4) })], [3, -5, 2, 6]);
});

Deno.test("sampleKMeans() finds the centres of Lloyd's algorithm when the noise is negligible", () => {
  const points = threeGroups(3000, 610);
  const clipped = denseRows(
    points.values.map((x, i) => Math.min(box.upper[i % 2]!, Math.max(box.lower[i % 2]!, x))),
    { columnCount: 2 },
  );
  const { centres } = sampleKMeans(new SeededSource(611), { ...options, rho: 1e9, points });
  lloyd(clipped).forEach((centre, k) =>
    centre.forEach((value, j) => assertAlmostEquals(centres[k]![j]!, value, 1e-3))
  );
});

Deno.test("sampleKMeans() stays near Lloyd's centres, within the noise of a quotient, in all of 40 runs", () => {
  const points = threeGroups(6000, 612);
  const expected = lloyd(points);
  const deviation = Math.sqrt(kMeansCalibration(options).variance);
  // A centre's error: sum noise and half a side times count noise, each 5 deviations at most, over the
  // count; the last round starts from centres as wrong, which moves few points. 40 runs of 9 noises:
  // false alarm below 2.1e-4.
  const bound = 2 * 1.5 * 5 * deviation / 2000;
  for (let run = 0; run < 40; run++) {
    const source = new SeededSource(613).split(run);
    const { centres } = sampleKMeans(source, { ...options, points });
    expected.forEach((centre, k) => {
      assert(Math.abs(centres[k]![0]! - centre[0]!) <= 20 * bound);
      assert(Math.abs(centres[k]![1]! - centre[1]!) <= 5 * bound);
    });
  }
});

Deno.test("sampleKMeans() starts uniformly in the box when start is left out and noise hides the data", () => {
  const { start: _, ...rest } = options;
  const lonely = { ...rest, rounds: 1, points: denseRows([[10, 5]]) };
  const [one, two] = [1, 2].map((seed) =>
    sampleKMeans(new SeededSource(seed), lonely).centres.flat()
  );
  assert(one!.join() !== two!.join());
  // One point is far below the noise: the centres stay where they started, inside the box.
  for (const [i, value] of [...one!, ...two!].entries()) {
    assert(value >= box.lower[i % 2]! && value <= box.upper[i % 2]!);
  }
});

const small: KMeansOptions = {
  clusters: 2,
  rounds: 2,
  rho: 1,
  bounds: { lower: [0], upper: [1] },
  relation: replaceOne,
  start: [[0.25], [0.75]],
};
/** The point moves from the one end of the box to the other: counts and sums all change. */
const pair = pairOf(replaceOne, { left: [[0], [0]], right: [[1], [0]] });

longTest(
  "an audit of k-means does not refute its claim, with a row replaced or added",
  async () => {
    assertEquals(
      await refutes(kMeansMechanism(small), { pair, seed: 615 }),
      false,
    );
    const added = kMeansMechanism({ ...small, relation: addRemoveOne });
    const one = pairOf(addRemoveOne, { left: [[0], [1]], right: [[0]] });
    assertEquals(await refutes(added, { pair: one, seed: 616 }), false);
  },
);

longTest(
  "an audit refutes k-means with half the noise, and with centres that start on the data",
  async () => {
    const claim = zcdp({ rho: 1, relation: replaceOne });
    const weak = { ...kMeansMechanism({ ...small, rho: 4 }), claim };
    assert(await refutes(weak, { pair, seed: 617 }));
    const honest = kMeansMechanism(small);
    const prepared = sulqNoise(kMeansCalibration(small));
    const fromData: typeof honest = {
      ...honest,
      // A centre that no noisy point reached stays where it began: on a row.
      sample: (data, source) =>
        sampleKMeans(source, { ...small, start: data, points: denseRows(data), prepared }).centres
          .flat(),
    };
    assert(await refutes(fromData, { pair, seed: 618, maxDraws: 2_000 }));
  },
);

longTest(
  "an audit does not refute k-means in 20 columns on a row of ones against zeros beside 59 rows of halves",
  async () => {
    const { mechanism, pair } = diagonalKMeans();
    assertEquals(await refutes(mechanism, { pair, seed: 619, maxDraws: 300_000 }), false);
  },
);
