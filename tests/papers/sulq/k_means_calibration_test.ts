import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  kMeansCalibration,
  type KMeansOptions,
  kMeansSquaredSensitivity,
} from "../../../lib/papers/sulq/k_means.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { box } from "./k_means_cases.ts";

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
      const shared = { clusters: 3, rounds, rho, bounds: box(7), relation: replaceOne };
      const start = [1, 2, 3].map((value) => new Array<number>(7).fill(value / 4));
      // Private first centres in 7 columns: one cell, 2⁷ cells, and at most 1,024.
      for (
        const [options, before, cells] of [[{ ...shared, start }, 0, 0], [shared, 3, 1153]] as const
      ) {
        const { variance, queries } = kMeansCalibration(options);
        assertEquals(queries, (rounds * 3 + cells) * 8);
        // variance·2ρ against 7 for each release, as fractions.
        const [v, r] = [rational(variance), rational(rho)];
        const left = 2n * v.numerator * r.numerator,
          right = BigInt((rounds + before) * 7) * v.denominator * r.denominator;
        assert(left >= right && left * 10n ** 14n <= right * (10n ** 14n + 1n));
      }
    }
  }
});
