import { largestLogRatio } from "../../../proofs/tools/density_ratio.ts";
import { largestChange } from "../../../proofs/tools/sensitivity.ts";
import {
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../../../proofs/engine/requirement.ts";

Deno.test("largestLogRatio() climbs to closed forms, starts where it is told to, and reports no more than there is", () => {
  const found = largestLogRatio<readonly number[]>({
    pairs: [{ left: [0, 0, 0], right: [1, 2, 2] }, { left: [0, 0, 0], right: [0.1, 0, 0] }],
    logDensity: (y, centre) => -2 * Math.hypot(...y.map((value, j) => value - centre[j]!)),
    dimension: 3,
    starts: 20,
    seed: 1,
  });
  requireNear(found.loss, 6, { relative: 2e-4 });
  requireThat(found.loss <= 6 + 1e-9, "more than there is");
  requireEqual([found.left, found.right], [[0, 0, 0], [1, 2, 2]]);
  const spike = (y: Float64Array, centre: number): number => y[0] === 7 && centre === 0 ? 5 : 0;
  const search = { pairs: [{ left: 0, right: 1 }], logDensity: spike, dimension: 1, starts: 1 };
  requireEqual(largestLogRatio({ ...search, seed: 1, outputs: [Float64Array.of(7)] }).loss, 5);
  requireEqual(largestLogRatio({ ...search, seed: 1 }).loss, 0);
  // It climbs by steps of the start's scale, which are halved: from 0 to the top at −2.37.
  const top = largestLogRatio({
    pairs: [{ left: 0, right: 1 }],
    logDensity: (y, side) => side === 0 ? 0 : Math.min(0, Math.abs(y[0]! + 2.37) - 9),
    dimension: 1,
    starts: 1,
    outputs: [Float64Array.of(0)],
    seed: 1,
  });
  requireNear(top.loss, 9, { absolute: 1e-3 });
  // Along each axis, either way.
  for (const axis of [0, 1, 2]) {
    for (const place of [2.37, -2.37]) {
      const found = largestLogRatio({
        pairs: [{ left: 0, right: 1 }],
        logDensity: (y, side) => side === 0 ? 0 : Math.min(0, Math.abs(y[axis]! - place) - 9),
        dimension: 3,
        starts: 1,
        outputs: [new Float64Array(3)],
        seed: 1,
      });
      requireNear(found.loss, 9, { absolute: 1e-3, what: `a top at ${place} along axis ${axis}` });
    }
  }
  for (
    const [wrong, words] of [
      [{ pairs: [] }, "pairs must not be empty"],
      [{ starts: 0, outputs: [Float64Array.of(7)] }, "starts must be"],
      [{ starts: 1.5 }, "starts must be"],
      [{ dimension: 0 }, "dimension must be"],
    ] as const
  ) {
    requireRefused(
      "a search of nothing",
      () => largestLogRatio({ ...search, seed: 1, ...wrong }),
      words,
    );
  }
});

Deno.test("largestLogRatio() starts at all scales, and shows the output where it found the loss", () => {
  const one = { pairs: [{ left: 0, right: 1 }], dimension: 1, seed: 1 };
  const seen: number[] = [];
  largestLogRatio({
    ...one,
    starts: 400,
    logDensity: ([y], side) => {
      if (side === 0) seen.push(Math.abs(y!));
      return side === 0 ? 0 : Infinity;
    },
  });
  // One look at each start: normal numbers times 10^u with u uniform on [−2, 2].
  requireEqual(seen.length, 400);
  for (
    const [below, least, most] of [[0.1, 0.25, 0.4], [1, 0.5, 0.65], [10, 0.76, 0.88]] as const
  ) {
    const share = seen.filter((y) => y < below).length / 400;
    requireThat(share > least && share < most, () => `${share} of the starts are below ${below}`);
  }
  // What neither side can put out loses nothing, wherever it is met.
  const nowhere = largestLogRatio({
    ...one,
    starts: 2,
    outputs: [Float64Array.of(5), Float64Array.of(0.25)],
    logDensity: ([y], side) => y === 5 ? -Infinity : Math.abs(y!) < 1 ? -side : 0,
  });
  requireEqual(nowhere.loss, 1);
  // The output that is shown has the loss that is shown, to the last bit of both.
  for (const at of [0.1, 1 / 3, 0.7]) {
    for (const most of [3, Infinity]) {
      const found = largestLogRatio({
        ...one,
        starts: 1,
        outputs: [Float64Array.of(at)],
        logDensity: ([y], side) => y === at && side === 0 ? most : 0,
      });
      requireEqual([found.loss, found.output], [most, [at]]);
    }
  }
});

// Mutants: pairs ranked the other way; climbs from pairs that are no better.
Deno.test("largestChange() takes the uncertainty off, and climbs from the pairs that change most", () => {
  const measure = ([x]: readonly number[]) => ({ distance: 1 - (x! - 0.7) ** 2, uncertainty: 0.1 });
  const still = largestChange({ pairs: [[0]], measure, bound: 2, seed: 1 });
  requireNear(still.share, (0.51 - 0.1) / 2);
  requireNear(still.most, (0.51 + 0.1) / 2);
  requireEqual(largestChange({ pairs: [[0]], measure, bound: 2, climbs: 0, seed: 1 }), still);
  const climbed = largestChange<readonly number[]>({
    pairs: [[0]],
    measure,
    move: ([x], { source, size }) => [x! + size * (2 * source.uniform() - 1)],
    bound: 2,
    seed: 1,
  });
  requireThat(climbed.share > 0.44 && climbed.share <= 0.45, "what it climbs to");
  requireEqual(climbed.pairs, 61);
  const best = largestChange<number>({
    pairs: [1, 2, 3, 2],
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair === 3 ? 7 : 0,
    bound: 10,
    climbs: 1,
    steps: 1,
    seed: 1,
  });
  requireEqual([best.pair, best.share, best.pairs], [7, 0.7, 5]);
  // A climb that ends below the best pair does not replace it.
  const kept = largestChange<number>({
    pairs: [5, 1, 2],
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair === 5 ? 0 : pair + 0.01,
    bound: 10,
    climbs: 3,
    steps: 5,
    seed: 1,
  });
  requireEqual(kept.pair, 5);
  const sizes: number[] = [];
  largestChange<number>({
    pairs: [1],
    measure: () => ({ distance: 1, uncertainty: 0 }),
    move: (pair, { size }) => (sizes.push(size), pair),
    bound: 1,
    seed: 1,
  });
  requireEqual([sizes.length, sizes[0]], [60, 0.5], "moves, and the size of the first");
  requireThat(sizes.every((size, i) => i === 0 || size < sizes[i - 1]!), "sizes that do not fall");
  for (const wrong of [{ bound: 0 }, { bound: -1 }, { bound: 1, climbs: -1 }]) {
    requireRefused(
      "a bound of 0",
      () => largestChange({ pairs: [[0]], measure, seed: 1, ...wrong }),
    );
  }
  requireRefused("no pairs", () => largestChange({ pairs: [], measure, bound: 1, seed: 1 }));
});
