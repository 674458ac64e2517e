import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { noiseDensityOf, slopesOf } from "../../../../lib/audit/location_shift/noise_density.ts";
import { floatExponential } from "../../../../lib/random/float_exponential.ts";
import { floatLaplace } from "../../../../lib/random/float_laplace.ts";
import { floatNormal } from "../../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Expected numbers of values in the bins between thresholds, of a distribution function. */
function masses(thresholds: readonly number[], below: (x: number) => number): Float64Array {
  return Float64Array.from(
    [...thresholds, Infinity],
    (cut, k) => 1e9 * (below(cut) - below(k === 0 ? -Infinity : thresholds[k - 1]!)),
  );
}

function assertNear(actual: Float64Array, expected: readonly number[], tolerance: number): void {
  assertEquals(actual.length, expected.length);
  expected.forEach((x, k) => assertAlmostEquals(actual[k]!, x, tolerance, `bin ${k} of ${actual}`));
}

const laplace = (scale: number) => (x: number): number =>
  x < 0 ? Math.exp(x / scale) / 2 : 1 - Math.exp(-x / scale) / 2;

// Mutants: tails taken for flat, widths of one bin for those of two, slopes not divided by widths, the sign.
Deno.test("slopesOf() is exact where the density is exponential", () => {
  const thresholds = [-6, -4, -3, -2.5, 0, 1, 1.5, 4, 5];
  const slopes = slopesOf(masses(thresholds, laplace(2)), Float64Array.from(thresholds));
  // Bins next to the peak see both sides of it; bins of unlike widths have their middles a little off.
  assertNear(slopes.subarray(0, 3), [-0.5, -0.5, -0.5], 0.03);
  assertNear(slopes.subarray(7), [0.5, 0.5, 0.5], 0.03);
  const even = [-3, -2, -1, 0, 1, 2, 3];
  const own = slopesOf(masses(even, laplace(0.25)), Float64Array.from(even));
  assertNear(own, [-4, -4, -4, -2, 2, 4, 4, 4], 1e-2);
});

Deno.test("slopesOf() follows a logistic density between its tails", () => {
  const thresholds = Float64Array.from({ length: 13 }, (_, k) => k / 4 - 1.5);
  // Logistic: minus the slope of its log density is tanh(x/2).
  const slopes = slopesOf(masses([...thresholds], (x) => 1 / (1 + Math.exp(-x))), thresholds);
  for (let bin = 2; bin < thresholds.length - 1; bin++) {
    assertAlmostEquals(
      slopes[bin]!,
      Math.tanh((thresholds[bin - 1]! + thresholds[bin]!) / 4),
      0.01,
    );
  }
});

// Mutant: slopes left as they come.
Deno.test("slopesOf() only ascends, whatever came", () => {
  const slopes = slopesOf(
    Float64Array.of(9, 30, 3, 40, 80, 20, 60, 5, 1),
    Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7),
  );
  assert(slopes.every((slope, k) => k === 0 || slope >= slopes[k - 1]!), `${slopes}`);
});

Deno.test("slopesOf() says nothing of one cut, or of thresholds that numbers are too coarse for", () => {
  assertEquals([...slopesOf(Float64Array.of(5, 6), Float64Array.of(0))], [0, 0]);
  const tiny = Float64Array.of(0, 5e-324, 1);
  assert(slopesOf(Float64Array.of(5, 6, 7, 8), tiny).every((slope) => slope === 0));
});

/** Minus the slope of the log density, at the middle of most bins. */
const noises = [
  { name: "Laplace", fill: floatLaplace, steepest: [-1, 1], moved: 0 },
  { name: "normal", fill: floatNormal, steepest: [-2.5, 2.5], moved: 5 },
  { name: "exponential", fill: floatExponential, steepest: [undefined, 1], moved: -3 },
] as const;

// Mutants: fewer values beyond a cut than a slope needs, no tails, quarters for eighths.
Deno.test("noiseDensityOf() finds the slopes of noise from some thousand values", () => {
  for (const { name, fill, steepest, moved } of noises) {
    const values = fill(new SeededSource(7), new Float64Array(4000)).map((x) => x + moved);
    const { slopes, halves, index: { thresholds } } = noiseDensityOf(values)!;
    assertEquals(slopes.length, thresholds.length + 2);
    const [lowest, highest] = steepest;
    if (lowest !== undefined) assertAlmostEquals(slopes[0]! / lowest, 1, 0.3, name);
    assertAlmostEquals(slopes.at(-2)! / highest, 1, 0.3, name);
    assertEquals([slopes.at(-1), halves.at(-1)], [0, 0]);
    // Seven eighths, and three halves of the tail on either side.
    assertEquals(thresholds.length, 7 + 2 * 3, name);
    const sorted = values.toSorted();
    const share = (cut: number): number => sorted.filter((x) => x <= cut).length / 4000;
    assertAlmostEquals(share(thresholds[0]!), 1 / 64, 1e-3);
    assertAlmostEquals(share(thresholds.at(-1)!), 63 / 64, 1e-3);
    const middle = halves.indexOf(1) - 1;
    assertAlmostEquals(share(thresholds[middle]!), 0.5, 1e-3);
  }
});

Deno.test("noiseDensityOf() takes every so many of many values", () => {
  const many = floatNormal(new SeededSource(8), new Float64Array(200_000));
  const { index: { thresholds }, slopes } = noiseDensityOf(many)!;
  assertAlmostEquals(thresholds[(thresholds.length - 1) / 2]!, 0, 0.03);
  assertAlmostEquals(slopes[0]!, -3.3, 0.5);
});

// Mutants: a middle that repeats always in the lower half, always in the upper one; a cut with nothing above.
Deno.test("noiseDensityOf() halves few values as evenly as they can be", () => {
  const halves = (values: readonly number[]): number[] | undefined => {
    const shape = noiseDensityOf(Float64Array.from(values));
    return shape && [...shape.halves];
  };
  assertEquals(halves([0, 0, 1, 1, 1]), [-1, 1, 0]);
  assertEquals(halves([0, 0, 0, 1, 1]), [-1, 1, 0]);
  assertEquals(halves([0, 1, 1, 1, 2]), [-1, 1, 1, 0]);
  assertEquals(halves([0, 1, 1, 2, 2, 2, NaN]), [-1, -1, 1, 0]);
  for (const none of [[], [NaN], [3, 3, 3], [Infinity, -Infinity, 1]]) {
    assertEquals(halves(none), undefined, `${none}`);
  }
});
