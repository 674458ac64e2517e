import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { largestLogRatio } from "../../../lib/exact/density_ratio.ts";
import { largestChange } from "../../../lib/exact/sensitivity.ts";

Deno.test("largestLogRatio() climbs to the closed form of spherical noise in three dimensions", () => {
  const found = largestLogRatio<readonly number[]>({
    pairs: [{ left: [0, 0, 0], right: [1, 2, 2] }, { left: [0, 0, 0], right: [0.1, 0, 0] }],
    logDensity: (y, centre) => -2 * Math.hypot(...y.map((value, j) => value - centre[j]!)),
    dimension: 3,
    starts: 20,
    seed: 1,
  });
  assertAlmostEquals(found.loss, 6, 1e-3);
  assertEquals(found.right, [1, 2, 2]);
});

Deno.test("largestLogRatio() starts from the outputs given and finds what is only there", () => {
  const spike = (y: Float64Array, centre: number): number => y[0] === 7 && centre === 0 ? 5 : 0;
  const search = {
    pairs: [{ left: 0, right: 1 }],
    logDensity: spike,
    dimension: 1,
    starts: 1,
    seed: 1,
  };
  assertEquals(largestLogRatio({ ...search, outputs: [Float64Array.of(7)] }).loss, 5);
  assertEquals(largestLogRatio(search).loss, 0);
  assertThrows(() => largestLogRatio({ ...search, pairs: [] }), RangeError, "must not be empty");
});

Deno.test("largestChange() takes the uncertainty off, and climbs", () => {
  const measure = ([x]: readonly number[]) => ({ distance: 1 - (x! - 0.7) ** 2, uncertainty: 0.1 });
  const still = largestChange({ pairs: [[0]], measure, bound: 2, seed: 1 });
  assertAlmostEquals(still.share, (0.51 - 0.1) / 2, 1e-12);
  assertAlmostEquals(still.most, (0.51 + 0.1) / 2, 1e-12);
  const climbed = largestChange<readonly number[]>({
    pairs: [[0]],
    measure,
    move: ([x], { source, size }) => [x! + size * (2 * source.uniform() - 1)],
    bound: 2,
    seed: 1,
  });
  assert(climbed.share > 0.44 && climbed.share <= 0.45);
  assertEquals(climbed.pairs, 61);
  assertThrows(
    () => largestChange({ pairs: [], measure, bound: 2, seed: 1 }),
    RangeError,
    "pairs must not be empty",
  );
});

// Mutants: pairs ranked the other way; climbs from pairs that are no better.
Deno.test("largestChange() climbs from the pairs that change most", () => {
  const found = largestChange<number>({
    pairs: [1, 2, 3, 2],
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair === 3 ? 7 : 0,
    bound: 10,
    climbs: 1,
    steps: 1,
    seed: 1,
  });
  assertEquals([found.pair, found.share, found.pairs], [7, 0.7, 5]);
  for (const wrong of [{ bound: 0 }, { bound: -1 }, { bound: 1, climbs: -1 }]) {
    const measure = (): { distance: number; uncertainty: number } => ({
      distance: 1,
      uncertainty: 0,
    });
    assertThrows(() => largestChange({ pairs: [0], measure, seed: 1, ...wrong }), RangeError);
  }
});
