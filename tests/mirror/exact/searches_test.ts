import { assert, assertEquals, assertThrows } from "@std/assert";
import { largestLogRatio } from "../../../lib/exact/density_ratio.ts";
import { largestChange } from "../../../lib/exact/sensitivity.ts";
import { requireChanges, requireLogRatios } from "../../../proofs/checks/search_cases.ts";

Deno.test("largestLogRatio() climbs to closed forms and starts where it is told to", () => {
  requireLogRatios(largestLogRatio);
});

// Mutants: pairs ranked the other way; climbs from pairs that are no better.
Deno.test("largestChange() takes the uncertainty off, and climbs from the pairs that change most", () => {
  requireChanges(largestChange);
});

/** The outputs at which a search of one pair evaluates its density on the left. */
function evaluations(
  logDensity: (output: Float64Array, data: number) => number,
  options: { dimension: number; starts: number; outputs?: Float64Array[] },
): number[][] {
  const seen: number[][] = [];
  largestLogRatio({
    pairs: [{ left: 0, right: 1 }],
    logDensity: (output, data) => {
      if (data === 0) seen.push([...output]);
      return logDensity(output, data);
    },
    seed: 3,
    ...options,
  });
  return seen;
}

Deno.test("largestLogRatio() tries a step up and down each axis, and halves it to a ten-thousandth", () => {
  // Nothing rises: every place is left again.
  const seen = evaluations(() => 0, { dimension: 2, starts: 1, outputs: [Float64Array.of(3, 5)] });
  const expected = [[3, 5]];
  for (let step = 1; step > 1e-4; step /= 2) {
    expected.push([3 + step, 5], [3 - step, 5], [3, 5 + step], [3, 5 - step]);
  }
  assertEquals(seen.slice(0, expected.length), expected);
  // As many again from the random output, on a scale of its own.
  assertEquals(seen.length, 2 * expected.length);
  assertEquals(evaluations(() => 0, { dimension: 3, starts: 4 }).length, 4 * (1 + 14 * 6));
});

Deno.test("largestLogRatio() makes twenty rounds with each step while the ratio rises", () => {
  const outputs = [Float64Array.of(0)];
  const rising = (output: Float64Array, data: number): number => data === 0 ? output[0]! : -1000;
  const seen = evaluations(rising, { dimension: 1, starts: 1, outputs });
  assertEquals(seen.length, 2 * (1 + 14 * 20 * 2));
  // Up, and up and down again: twenty times, then by halves.
  assertEquals(seen[1], [1]);
  assertEquals(seen[40], [19]);
  assertEquals(seen[41], [20.5]);
});

Deno.test("largestLogRatio() starts on scales from 0.01 to 100, and stops where the ratio is infinite", () => {
  const apart = (_: Float64Array, data: number): number => data === 0 ? 0 : -Infinity;
  const seen = evaluations(apart, { dimension: 1, starts: 2000 });
  assertEquals(seen.length, 2000);
  const sizes = seen.map(([y]) => Math.log10(Math.abs(y!)));
  const shareOf = (low: number, high: number): number =>
    sizes.filter((size) => size >= low && size < high).length / 2000;
  // Even over four powers of ten, but for the normal draws: a third of them are above their scale.
  for (const low of [-2, -1, 0, 1]) {
    const share = shareOf(low, low + 1);
    assert(share > 0.15 && share < 0.32, `${low}: ${share}`);
  }
  assert(shareOf(2, 9) > 0.01 && shareOf(2, 9) < 0.1 && shareOf(-9, -2) < 0.25);
});

Deno.test("largestLogRatio() keeps the first of the largest losses, and counts nothing against nothing", () => {
  const search = { dimension: 1, starts: 2, seed: 1 };
  const losses = [1, 3, 3, 2];
  const found = largestLogRatio<number>({
    ...search,
    pairs: losses.map((loss, i) => ({ left: 10 * loss + i / 10, right: 0 })),
    logDensity: (_, data) => Math.floor(data / 10) + Math.floor(data % 10),
  });
  assertEquals([found.loss, found.left], [3, 30.1]);
  const nowhere = largestLogRatio({
    ...search,
    pairs: [{ left: 0, right: 1 }],
    logDensity: () => -Infinity,
  });
  assertEquals(nowhere.loss, 0);
  for (const wrong of [{ dimension: 0 }, { dimension: 1.5 }, { starts: 0 }, { starts: -1 }]) {
    assertThrows(
      () =>
        largestLogRatio({
          ...search,
          pairs: [{ left: 0, right: 1 }],
          logDensity: () => 0,
          ...wrong,
        }),
      RangeError,
      "must be",
    );
  }
});

Deno.test("largestChange() climbs from four pairs in sixty moves each, of sizes that fall from a half", () => {
  const sizes: number[] = [];
  const search = {
    pairs: [1, 2, 3, 4, 5, 6],
    measure: () => ({ distance: 1, uncertainty: 0 }),
    bound: 1,
    seed: 1,
  };
  const still = largestChange<number>({
    ...search,
    move: (_, { size }) => (sizes.push(size), 7),
  });
  assertEquals(still.pairs, 6 + 4 * 60);
  assertEquals(sizes[0], 0.5);
  sizes.forEach((size, k) => assert(k % 60 === 0 || size < sizes[k - 1]!));
  // What is as good as before is no reason to move.
  assertEquals(still.pair, 1);
  // The best one stays the best though worse ones are climbed from after it.
  const best = largestChange<number>({
    ...search,
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair,
  });
  assertEquals(best.pair, 6);
});

Deno.test("largestLogRatio() draws a scale for the first output, too", () => {
  const sizes = Array.from({ length: 100 }, (_, seed) => {
    const { output } = largestLogRatio({
      pairs: [{ left: 0, right: 1 }],
      logDensity: (_, data) => data === 0 ? 0 : -Infinity,
      dimension: 1,
      starts: 1,
      seed,
    });
    return Math.log10(Math.abs(output[0]!));
  });
  for (const low of [-1.5, -0.5, 0.5]) {
    const share = sizes.filter((size) => size >= low && size < low + 1).length;
    assert(share > 10 && share < 40, `${share} of 100 outputs from 10^${low} on`);
  }
});

Deno.test("largestChange() moves on from a pair only when the change rises, and not at all for no climbs", () => {
  const from: number[] = [];
  const search = {
    pairs: [1],
    measure: () => ({ distance: 1, uncertainty: 0 }),
    move: (pair: number) => (from.push(pair), pair + 1),
    bound: 1,
    steps: 5,
    seed: 1,
  };
  largestChange<number>(search);
  assertEquals(from, [1, 1, 1, 1, 1]);
  assertEquals(largestChange<number>({ ...search, climbs: 0 }).pairs, 1);
});
