import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  noisySufficientStatistics,
  type NoisySufficientStatisticsOptions,
} from "../../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

function options(relation: Relation): NoisySufficientStatisticsOptions<number> {
  return {
    statistic: (x) => [x, x * x],
    bounds: { lower: [-3, 0.5], upper: [1, 2] },
    granularity: 2 ** -10,
    epsilon: 1,
    relation,
  };
}

// Mutants: signs of bounds, the widths where absolute values count, no step for the number of rows.
Deno.test("noisySufficientStatistics() has the box's widths as sensitivity where a row is replaced, the largest absolute values and 1 where one is added", () => {
  assertEquals(
    noisySufficientStatistics(options(replaceOne)).grid.sensitivityInSteps,
    (4 + 1.5) * 1024,
  );
  assertEquals(
    noisySufficientStatistics(options(addRemoveOne)).grid.sensitivityInSteps,
    (1 + 3 + 2) * 1024,
  );
  const low = { ...options(addRemoveOne), bounds: { lower: [-3, -7], upper: [-1, 5] } };
  assertEquals(noisySufficientStatistics(low).grid.sensitivityInSteps, (1 + 3 + 7) * 1024);
  assertEquals(noisySufficientStatistics(low).grid.granularity, 2 ** -10);
});

Deno.test("noisySufficientStatistics() with next to no noise sums statistics held to the box, and counts rows", () => {
  for (const relation of [replaceOne, addRemoveOne]) {
    const exact = noisySufficientStatistics({ ...options(relation), epsilon: 1e7 });
    // x: −3 for −9, 1 for 5; x²: ½ for 0, 2 for 81 and 25.
    const sums = exact.sample([0, -9, 5, 1], new SeededSource(1));
    [4, 0 - 3 + 1 + 1, 0.5 + 2 + 2 + 1].forEach((value, k) =>
      assertAlmostEquals(sums[k]!, value, 1e-3)
    );
    assertEquals(sums.length, exact.width);
  }
});

Deno.test("noisySufficientStatistics() projects into n times the box, n at least 0", () => {
  for (const relation of [replaceOne, addRemoveOne]) {
    const noisy = noisySufficientStatistics({ ...options(relation), epsilon: 0.01 });
    let least = Infinity;
    for (let seed = 0; seed < 200; seed++) {
      const [n, first, second] = noisy.sample([1, 1], new SeededSource(seed)) as [
        number,
        number,
        number,
      ];
      least = Math.min(least, n);
      assert(first >= -3 * n && first <= n && second >= 0.5 * n && second <= 2 * n, `${n}`);
    }
    assertEquals(least, relation === replaceOne ? 2 : 0);
  }
});

// 2³¹ steps a row and 2²⁰ rows are 2⁵¹ steps: there sums stop, for a row more would be lost among doubles.
Deno.test("noisySufficientStatistics() stops sums at 2^51 steps, above and below, whatever the number of rows", () => {
  for (const sign of [1, -1]) {
    const noisy = noisySufficientStatistics<number>({
      statistic: (x) => [sign * x],
      bounds: { lower: [-(2 ** 31)], upper: [2 ** 31] },
      granularity: 1,
      epsilon: 1e6,
      relation: addRemoveOne,
    });
    // Where the sums have stopped, rows of the other sign bring them back from there.
    for (const back of [0, 1000]) {
      const rows = [
        ...new Array<number>(2 ** 20 + 1000).fill(2 ** 31),
        ...new Array<number>(back).fill(-(2 ** 31)),
      ];
      const [size, sum] = noisy.sample(rows, new SeededSource(1)) as [number, number];
      assert(Math.abs(size - rows.length) < 2 ** 20 * 0.2, `${size}`);
      // Noise of scale 2³¹/10⁶ is a few thousand steps.
      assert(Math.abs(sum - sign * (2 ** 51 - back * 2 ** 31)) < 1e6, `${sum}`);
    }
  }
});

Deno.test("noisySufficientStatistics() refuses more than 2^20 rows where their number is public, before it draws", () => {
  const rows = new Array<number>(2 ** 20 + 1).fill(0);
  const noisy = noisySufficientStatistics(options(replaceOne));
  for (
    const run of [() => noisy.check!(rows), () => void noisy.sample(rows, new SeededSource(1))]
  ) {
    assertThrows(run, RangeError, "number of rows");
  }
  noisy.check!(rows.slice(1));
  noisySufficientStatistics(options(addRemoveOne)).check!(rows);
});
