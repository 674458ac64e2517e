import { assert, assertEquals, assertThrows } from "@std/assert";
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
import { rational } from "../../../../lib/numeric/rational.ts";
import { unlimited } from "../unlimited.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { box, options } from "./k_means_cases.ts";

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
