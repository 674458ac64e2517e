import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  noisySecondMoments,
  principalDirections,
  type SecondMomentOptions,
} from "../../../lib/papers/sulq/principal_directions.ts";
import { secondMomentError } from "../../../lib/papers/sulq/second_moment_error.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options: SecondMomentOptions = {
  columnCount: 2,
  normBound: 1,
  rho: 0.5,
  relation: replaceOne,
};

Deno.test("noisySecondMoments() has the moments of clipped rows and the deviation of its claim", () => {
  const exact = noisySecondMoments({ ...options, normBound: 10, rho: 1e9 });
  const [xx, xy, yy] = exact.sample([[6, 8], [30, 40], [-1, 2]], new SeededSource(660));
  assertAlmostEquals(xx!, 36 + 36 + 1, 0.05);
  assertAlmostEquals(xy!, 48 + 48 - 2, 0.05);
  assertAlmostEquals(yy!, 64 + 64 + 4, 0.05);
  const draws = noisySecondMoments(options).sampleMany!([], 50_000, new SeededSource(661));
  const variance = draws.reduce((sum, x) => sum + x * x, 0) / draws.length;
  // sensitivity²/(2ρ) = 2; the mean of 150,000 squares has deviation 0.0073: five of them.
  assertAlmostEquals(variance, 2, 0.037);
});

Deno.test("principalDirections() are the eigenvectors, largest eigenvalue first", () => {
  // [[2, 1], [1, 2]] has eigenvalues 3 along (1, 1) and 1 along (1, −1).
  const { directions, values } = principalDirections([2, 1, 2], { columnCount: 2, count: 2 });
  assertAlmostEquals(values[0]!, 3, 1e-12);
  assertAlmostEquals(values[1]!, 1, 1e-12);
  assertAlmostEquals(Math.abs(directions[0]![0]! + directions[0]![1]!), Math.SQRT2, 1e-12);
  assertThrows(() => principalDirections([2, 1], { columnCount: 2, count: 1 }), RangeError);
  assertThrows(() => principalDirections([2, 1, 2], { columnCount: 2, count: 3 }), RangeError);
});

Deno.test("private directions are as near the plain ones as secondMomentError() over the gap allows, in the promised share of 30 runs", () => {
  const columnCount = 5, rowCount = 4000;
  const normals = floatNormal(new SeededSource(662), new Float64Array(columnCount * rowCount), {
    scale: 0.1,
  });
  const data = Array.from(
    { length: rowCount },
    (_, i) =>
      Array.from(
        { length: columnCount },
        (_, j) => normals[i * columnCount + j]! * (j === 2 ? 4 : 1),
      ),
  );
  const shape = { ...options, columnCount };
  const direct = (rho: number, run: number): ReturnType<typeof principalDirections> =>
    principalDirections(
      noisySecondMoments({ ...shape, rho }).sample(data, new SeededSource(663).split(run)),
      { columnCount, count: 2 },
    );
  const { directions: [exact], values } = direct(1e9, 0);
  const error = secondMomentError(shape, { failure: 0.05 });
  const bound = 2 * error / (values[0]! - values[1]!);
  const sine = (direction: readonly number[]): number => {
    const cosine = direction.reduce((sum, x, j) => sum + x * exact![j]!, 0);
    return Math.sqrt(Math.max(0, 1 - cosine ** 2));
  };
  let near = 0;
  for (let run = 0; run < 30; run++) {
    if (sine(direct(0.5, run).directions[0]!) <= bound) near++;
  }
  // 95% of 30 at least: fewer than 24 with chance below 1e-3.
  assert(near >= 24, `${near} runs are near`);
  // It says something: a direction 6° away is too far.
  assert(bound < 0.1 && sine([0.1, 0, Math.sqrt(0.99), 0, 0]) > bound);
  assertThrows(() => secondMomentError(shape, { failure: 1 }), RangeError, "failure");
});

Deno.test("the norm of the noise on second moments is within secondMomentError(), and not within a sixth of it", () => {
  const columnCount = 4, shape = { ...options, columnCount };
  const error = secondMomentError(shape, { failure: 0.05 });
  const norms = Array.from({ length: 100 }, (_, run) => {
    const noise = noisySecondMoments(shape).sample([], new SeededSource(658).split(run));
    const { values } = principalDirections(noise, { columnCount, count: columnCount });
    return Math.max(...values.map(Math.abs));
  });
  // 95 of 100 at least on average: fewer than 88 with chance below 2e-3 if it is no more.
  assert(norms.filter((norm) => norm <= error).length >= 88);
  assert(norms.filter((norm) => norm <= error / 6).length < 88);
});

// Products of a row are doubles; a whole step is more than they lose together. Mutants: that step, or half a step an entry.
Deno.test("noisySecondMoments() counts half a step an entry and row, and a step for what doubles lose", () => {
  for (const relation of [addRemoveOne, replaceOne]) {
    for (const columnCount of [1, 2, 7]) {
      const { grid } = noisySecondMoments({ columnCount, normBound: 3, rho: 0.1, relation });
      const rows = relation === replaceOne ? 2 : 1, entries = columnCount * (columnCount + 1) / 2;
      const moved = columnCount === 1 ? 1 : Math.sqrt(rows);
      const stated = moved * 2 ** 20 + rows * 0.5 * Math.sqrt(entries) + 1;
      assertAlmostEquals(grid.sensitivityInSteps, stated, 1e-3);
    }
  }
});
