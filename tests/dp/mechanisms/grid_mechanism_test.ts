import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { changeEach, replaceOne } from "../../../lib/core/relations/relation.ts";
import { divide, multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { integerGaussian, vectorGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { truncatedGeometric } from "../../../lib/dp/mechanisms/geometric.ts";
import type { GridMechanism } from "../../../lib/dp/mechanisms/grid_mechanism.ts";
import { vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { bloomFilter } from "../../../lib/dp/mechanisms/rappor.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const GRANULARITY = 1 / 4;
const CENTRE = [-5.5, 0, 1000.25];
const onGrid = {
  query: (rows: readonly number[]): readonly number[] => rows,
  dimension: 3,
  sensitivity: 2,
  granularity: GRANULARITY,
  relation: replaceOne,
};

/** ln P(k) of noise ∝ weight(k) on the integers. */
function logLaw(weight: (k: number) => number): (k: number) => number {
  let total = 0;
  for (let k = -3000; k <= 3000; k++) total += weight(k);
  return (k) => Math.log(weight(k) / total);
}

// Mutants: outputs in steps; the centre of another coordinate; a deviation without ρ; a density of one coordinate.
Deno.test("vector mechanisms draw the law of their noise around each coordinate, in both ways of drawing", () => {
  const epsilon = 1.5, rho = 0.3, count = 3000;
  // Raised sensitivities in steps, from their docstrings.
  const scale = (2 / GRANULARITY + 2) / epsilon;
  const deviation = (2 / GRANULARITY + Math.sqrt(3)) / Math.sqrt(2 * rho);
  const cases: [GridMechanism<number, number[]>, (k: number) => number, number][] = [
    [vectorLaplace<number>({ ...onGrid, epsilon }), (k) => Math.exp(-Math.abs(k) / scale), 1],
    [vectorGaussian<number>({ ...onGrid, rho }), (k) => Math.exp(-k * k / (2 * deviation ** 2)), 2],
  ];
  for (const [mechanism, weight, stream] of cases) {
    const law = logLaw(weight), source = new SeededSource(1516).split(stream);
    const output = [-5.5 + 7 * GRANULARITY, -3 * GRANULARITY, 1000.25];
    const expected = law(7) + law(-3) + law(0);
    assertAlmostEquals(mechanism.logDensity!(output, CENTRE), expected, 1e-9);
    assertEquals(mechanism.logDensity!(output.slice(1), CENTRE), -Infinity);
    assertEquals(mechanism.logDensity!([...output, 0], CENTRE), -Infinity);
    assertEquals(mechanism.logDensity!(output.with(1, 0.1), CENTRE), -Infinity);
    const block = mechanism.sampleMany!(CENTRE, count, source) as Float64Array;
    const single = Array.from({ length: count }, () => mechanism.sample(CENTRE, source)).flat();
    for (const drawn of [block, single]) {
      assertEquals(drawn.length, 3 * count);
      for (let j = 0; j < 3; j++) {
        let absolute = 0, signed = 0, mean = 0, square = 0;
        for (let i = j; i < drawn.length; i += 3) {
          const steps = (drawn[i]! - CENTRE[j]!) / GRANULARITY;
          assert(Number.isInteger(steps));
          absolute += Math.abs(steps) / count;
          signed += steps / count;
        }
        for (let k = -3000; k <= 3000; k++) {
          mean += Math.abs(k) * Math.exp(law(k));
          square += k * k * Math.exp(law(k));
        }
        // |z| ≤ 5 in 24 comparisons: false alarm 1.4e-5.
        assertAlmostEquals(signed, 0, 5 * Math.sqrt(square / count));
        assertAlmostEquals(absolute, mean, 5 * Math.sqrt((square - mean * mean) / count));
      }
    }
  }
});

// Mutants: the deviation rounded to nearest, of which ρ would be above its claim.
Deno.test("Gaussian mechanisms have the variance that ρ needs, to the last bit, and no more than 1e-11 above", () => {
  for (let k = 1; k <= 60; k++) {
    const rho = k ** 3 / 977, sensitivity = k % 7 + 1;
    const { grid } = integerGaussian<number>({ ...onGrid, rho, sensitivity });
    // The noise has the variance deviation² as a double.
    const variance = rational(grid.scaleInSteps ** 2);
    const needed = divide(rational(sensitivity ** 2), multiply(rational(2), rational(rho)));
    const spare = subtract(divide(variance, needed), rational(1));
    assert(spare.numerator >= 0n, `ρ = ${rho}`);
    assert(spare.numerator * 10n ** 11n <= spare.denominator);
    const { grid: raised } = vectorGaussian<number>({ ...onGrid, rho, sensitivity });
    // ‖⌈D⌉‖² ≤ (‖D‖ + √3)² < ‖D‖² + 2·1.7320508075688773·‖D‖ + 3.
    const length = BigInt(sensitivity * 4);
    const root = rational(173205080756887729n, 10n ** 17n);
    const square = multiply(
      subtract(rational(length), multiply(rational(-1), root)),
      subtract(rational(length), multiply(rational(-1), root)),
    );
    const enough = divide(square, multiply(rational(2), rational(rho)));
    const over = subtract(divide(rational(raised.scaleInSteps ** 2), enough), rational(1));
    assert(over.numerator >= 0n && over.numerator * 10n ** 11n <= over.denominator);
  }
  for (const wrong of [{ dimension: 0 }, { dimension: 1.5 }, { sensitivity: 0 }, { rho: 0 }]) {
    assertThrows(() => vectorGaussian<number>({ ...onGrid, rho: 1, ...wrong }), RangeError);
    assertThrows(() => integerGaussian<number>({ ...onGrid, rho: 1, ...wrong }), RangeError);
  }
});

// Mutants: bounds that do not begin at 0; a query beyond them; densities beyond them.
Deno.test("truncatedGeometric() is discrete Laplace noise brought into any bounds", () => {
  const epsilon = 0.8;
  for (const [lower, upper] of [[-3, 4], [2, 9], [-9, -6], [5, 5]] as const) {
    const mechanism = truncatedGeometric<number>({
      query: (rows) => rows[0]!,
      epsilon,
      sensitivity: 2,
      bounds: { lower, upper },
      relation: changeEach({ by: 2 }),
    });
    for (const answer of [lower - 7, lower, upper, upper + 5]) {
      const at = Math.min(upper, Math.max(lower, answer)), masses = new Map<number, number>();
      for (let k = -400; k <= 400; k++) {
        const output = Math.min(upper, Math.max(lower, at + k));
        const mass = Math.tanh(epsilon / 4) * Math.exp(-epsilon * Math.abs(k) / 2);
        masses.set(output, (masses.get(output) ?? 0) + mass);
      }
      const law = mechanism.distribution!([answer]);
      assertEquals(law.map(({ output }) => output), [...masses.keys()].sort((a, b) => a - b));
      for (const { output, probability } of law) {
        assertAlmostEquals(probability, masses.get(output)!, 1e-12);
        assertAlmostEquals(Math.exp(mechanism.logDensity!(output, [answer])), probability, 1e-12);
      }
      for (const output of [lower - 1, upper + 1, lower + 0.5]) {
        assertEquals(mechanism.logDensity!(output, [answer]), -Infinity);
      }
    }
    assertThrows(() => mechanism.sample([0.5], new SeededSource(1)), RangeError, "integer");
  }
});

// Mutants: any step of the hash; texts of whole words only, or of their rest only.
Deno.test("bloomFilter() hashes by MurmurHash3 x86_32, as its author's test vectors say", () => {
  const bits = 2 ** 20;
  for (
    const [text, hash] of [
      ["hello", 0x248bfa47],
      ["hello, world", 0x149bbb7f],
      ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
    ] as const
  ) {
    const filter = bloomFilter(text, { bits, hashes: 1 });
    assertEquals(filter.indexOf(1), hash % bits);
    assertEquals(filter.reduce((sum, bit) => sum + bit, 0), 1);
  }
});
