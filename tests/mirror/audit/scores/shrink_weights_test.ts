import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { shrinkWeights } from "../../../../lib/audit/scores/shrink_weights.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { floatNormal } from "../../../../lib/random/float_normal.ts";

function shrunk(sums: ArrayLike<number>, precisions: ArrayLike<number>): Float64Array {
  const out = new Float64Array(sums.length).fill(NaN);
  shrinkWeights(Float64Array.from(sums), Float64Array.from(precisions), out);
  return out;
}

/** Every way to split four bins in halves, and halves in halves, with its probability. */
const prunings: readonly (readonly [number, readonly (readonly number[])[]])[] = [
  [1 / 2, [[0, 1, 2, 3]]],
  [1 / 8, [[0, 1], [2, 3]]],
  [1 / 8, [[0], [1], [2, 3]]],
  [1 / 8, [[0, 1], [2], [3]]],
  [1 / 8, [[0], [1], [2], [3]]],
];

/** Evidence and first moment of one effect that some bins share, by summing over a fine grid of effects. */
function byGrid(bins: readonly number[], sums: number[], precisions: number[]): [number, number] {
  const likelihood = (effect: number): number =>
    Math.exp(bins.reduce((l, c) => l + effect * sums[c]! - 0.5 * effect ** 2 * precisions[c]!, 0));
  const deviations = [0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2];
  let evidence = 0.5, moment = 0;
  for (const deviation of deviations) {
    for (let z = -9; z <= 9; z += 1 / 256) {
      const effect = z * deviation;
      const mass = 0.5 / 7 / 256 * Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
      evidence += mass * likelihood(effect);
      moment += mass * likelihood(effect) * effect;
    }
  }
  return [evidence, moment];
}

const bin = fc.record({
  z: fc.double({ min: -4, max: 4, noNaN: true }),
  precision: fc.constantFrom(0.5, 30, 500),
});

// Mutants: a node that always stops or never; evidence of one half only; priors that do not add up.
Deno.test("shrinkWeights() gives the posterior means under all prunings", () => {
  fc.assert(
    fc.property(fc.array(bin, { minLength: 5, maxLength: 5 }), (bins) => {
      const precisions = bins.map(({ precision }) => precision);
      const sums = bins.map(({ z, precision }) => z * Math.sqrt(precision));
      const expected = [0, 0, 0, 0];
      let total = 0;
      for (const [chance, parts] of prunings) {
        const grids = parts.map((part) => byGrid(part, sums, precisions));
        const weight = grids.reduce((product, [evidence]) => product * evidence, chance);
        total += weight;
        parts.forEach((part, p) => {
          for (const c of part) expected[c]! += weight * grids[p]![1] / grids[p]![0];
        });
      }
      const out = shrunk(sums, precisions);
      expected.forEach((sum, c) => assertAlmostEquals(out[c]!, sum / total, 1e-6));
      const [evidence, moment] = byGrid([4], sums, precisions);
      assertAlmostEquals(out[4]!, moment / evidence, 1e-6);
    }),
    { seed: 31, numRuns: 60 },
  );
});

// Mutants: no tree (bins on their own), no splitting (one effect for all).
Deno.test("shrinkWeights() finds a step that no bin shows alone", () => {
  const noise = floatNormal(new SeededSource("step"), new Float64Array(200 * 16));
  let together = 0, alone = 0;
  for (let run = 0; run < 200; run++) {
    // An effect of ±2 standard errors a bin: ±5.7 a half.
    const precision = 4e4, effect = 0.01;
    const sums = Array.from(
      { length: 17 },
      (_, c) =>
        c === 16 ? 0 : precision * ((c < 8 ? -effect : effect) + noise[16 * run + c]! / 200),
    );
    const out = shrunk(sums, Array.from(sums, () => precision));
    for (let c = 0; c < 16; c++) {
      const truth = c < 8 ? -effect : effect;
      together += (out[c]! - truth) ** 2;
      // A bin with one of no precision: what it says on its own.
      alone += (shrunk([sums[c]!, 0], [precision, 0])[0]! - truth) ** 2;
    }
  }
  // The two halves known, the errors of their means would leave an eighth.
  assert(together < 0.5 * alone, `${together} against ${alone}`);
});

// Mutant: missing values in one tree with the highest bin.
Deno.test("shrinkWeights() leaves the bin of missing values on its own", () => {
  const before = shrunk([300, 300, 300, 300, 0], [1e4, 1e4, 1e4, 1e4, 1e4]);
  const after = shrunk([300, 300, 300, 300, -900], [1e4, 1e4, 1e4, 1e4, 1e4]);
  assertEquals(after.subarray(0, 4), before.subarray(0, 4));
  assertEquals(before[4], 0);
  assert(after[4]! < -0.05);
});

// Mutant: empty bins in the tree, which separate two values in one corner of it too late.
Deno.test("shrinkWeights() leaves empty bins out, wherever they are", () => {
  const [low, high] = shrunk([-90, 110, 0], [1e3, 1e3, 0]);
  const spread = shrunk([0, -90, 0, 0, 0, 0, 0, 110, 0, 0], [0, 1e3, 0, 0, 0, 0, 0, 1e3, 0, 0]);
  assertEquals(spread, Float64Array.of(0, low!, 0, 0, 0, 0, 0, high!, 0, 0));
  assert(low! < -0.03 && high! > 0.03);
});

Deno.test("shrinkWeights() stays finite at large precisions, and is 0 for empty bins", () => {
  assertEquals(shrunk([0, 0, 0], [0, 0, 0]), new Float64Array(3));
  const [low, high] = shrunk([-4e9, 4e9, 0], [1e9, 1e9, 0]);
  assertAlmostEquals(low!, -4, 1e-6);
  assertAlmostEquals(high!, 4, 1e-6);
});
