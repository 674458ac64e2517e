import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { LossGrid } from "../../../lib/accounting/loss_grid.ts";
import { chooseWindow, tiltedConvolution } from "../../../lib/accounting/tilted_convolution.ts";
import {
  farProbability,
  type TiltedGrid,
  tiltedGrid,
} from "../../../lib/accounting/tilted_grid.ts";
import { logSumExp } from "../../../lib/numeric/log_sum_exp.ts";

interface Part {
  readonly first: number;
  readonly masses: readonly number[];
  readonly count: number;
}

const spacing = 0.25;

const gridOf = ({ first, masses }: Part): LossGrid => ({
  spacing,
  first,
  masses: Float64Array.from(masses),
  infinite: 0,
  relativeError: 0,
});

const tiltAll = (parts: readonly Part[], tilt: number): TiltedGrid[] =>
  parts.map((part) => tiltedGrid({ grid: gridOf(part), count: part.count }, { tilt }));

/** Probabilities of all sums of tilted losses, from the lowest sum on. */
function sums(tilted: readonly TiltedGrid[]): { lowest: number; p: number[] } {
  let p = [1], lowest = 0;
  for (const { part: { grid, count }, weights } of tilted) {
    for (let run = 0; run < count; run++) {
      const next = new Array<number>(p.length + weights.length - 1).fill(0);
      p.forEach((a, i) => weights.forEach((b, j) => next[i + j]! += a * b));
      p = next;
      lowest += grid.first;
    }
  }
  return { lowest, p };
}

const part = (most: number): fc.Arbitrary<Part> =>
  fc.record({
    first: fc.integer({ min: -12, max: 8 }),
    masses: fc.array(
      fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 0.2, noNaN: true })),
      { minLength: 1, maxLength: 5 },
    ).filter((masses) => masses.some((mass) => mass > 0)),
    count: fc.integer({ min: 1, max: most }),
  });
const tilt = fc.double({ min: -4, max: 3, noNaN: true }).map(Math.exp);

// Mutants: a term without its mass, its place or its tilt; mean and variance of other losses.
Deno.test("tiltedGrid() has the weights, the logarithm of their sum, the mean and the variance of the tilted law", () => {
  fc.assert(
    fc.property(part(1), tilt, (one, at) => {
      const [{ weights, logSum, mean, variance }] = tiltAll([one], at) as [TiltedGrid];
      const logs = one.masses.map((mass, i) => Math.log(mass) + at * (one.first + i) * spacing);
      const log = logSumExp(logs);
      assertAlmostEquals(logSum, log, 1e-12 * (1 + Math.abs(log)));
      const p = logs.map((value) => Math.exp(value - log));
      p.forEach((value, i) => assertAlmostEquals(weights[i]!, value, 1e-12));
      const centre = p.reduce((sum, value, i) => sum + value * (one.first + i), 0);
      const square = p.reduce((sum, value, i) => sum + value * (one.first + i - centre) ** 2, 0);
      assertAlmostEquals(mean, centre, 1e-10);
      assertAlmostEquals(variance, square, 1e-9);
    }),
    { seed: 196, numRuns: 300 },
  );
});

Deno.test("tiltedGrid() does not underflow where the tilt is large", () => {
  const one: Part = { first: -4000, masses: [0.5, 0.25, 0.25], count: 1 };
  const [{ weights, logSum }] = tiltAll([one], 40) as [TiltedGrid];
  assertAlmostEquals(logSum, 40 * -3998 * spacing + Math.log(0.25), 1e-3);
  assert(weights[2]! > 0.999);
});

// Mutants: a part left out; a side taken for the other; a margin that makes it less.
Deno.test("farProbability() is at least the probability of sums beyond an edge, and Chernoff's bound", () => {
  fc.assert(
    fc.property(
      fc.array(part(6), { minLength: 1, maxLength: 2 }),
      tilt,
      fc.integer({ min: -5, max: 60 }),
      fc.constantFrom(1 as const, -1 as const),
      (parts, at, steps, side) => {
        const tilted = tiltAll(parts, at), { lowest, p } = sums(tilted);
        const edge = side === 1 ? lowest + steps : lowest + p.length - 1 - steps;
        const beyond = p.reduce(
          (sum, value, i) => side * (lowest + i - edge) >= 0 ? sum + value : sum,
          0,
        );
        const bound = farProbability(tilted, { edge, side });
        assert(bound >= beyond * (1 - 1e-9) && bound <= 1, `${bound} < ${beyond}`);
        // No larger than the bound at scales of a coarse list, but for how closely the best one is found.
        for (const scale of [0.05, 0.2, 0.7, 2]) {
          const log = tilted.reduce(
            (sum, { part: { grid, count }, weights }) =>
              sum +
              count * logSumExp([...weights].map((w, i) =>
                  Math.log(w) + side * scale * (grid.first + i)
                )),
            -side * scale * edge,
          );
          assert(
            Math.log(bound) <= Math.max(-600, Math.min(0, log) + 0.01),
            `${Math.log(bound)} > ${log}`,
          );
        }
      },
    ),
    { seed: 197, numRuns: 300 },
  );
});

// Mutants: a window that ends early; ends exchanged; a shorter one than little falls out of.
Deno.test("chooseWindow() has all sums, or says at least how probable the others are", () => {
  fc.assert(
    fc.property(fc.array(part(30), { minLength: 1, maxLength: 2 }), tilt, (parts, at) => {
      const tilted = tiltAll(parts, at), { lowest, p } = sums(tilted);
      const { size, start, below, above } = chooseWindow(tilted);
      assert(Number.isInteger(Math.log2(size)) && Number.isInteger(start));
      const outside = (which: (place: number) => boolean): number =>
        p.reduce((sum, value, i) => which(lowest + i) ? sum + value : sum, 0);
      assert(below >= outside((place) => place < start) * (1 - 1e-9));
      assert(above >= outside((place) => place >= start + size) * (1 - 1e-9));
      assert(below + above <= 1e-20);
      if (size >= p.length) assertEquals([below, above], [0, 0]);
      // No more than twice as long as all sums, or as what little falls out of.
      assert(size === 16 || size / 2 < p.length);
    }),
    { seed: 198, numRuns: 200 },
  );
});

// Mutants: mean, deviation or an end of the window of other sums.
Deno.test("chooseWindow() is about the mean, and as long as what is negligible outside allows", () => {
  const coin: Part = { first: 3, masses: [0.5, 0.5], count: 4000 };
  const steps: Part = { first: -2, masses: [0.25, 0.5, 0.25], count: 1000 };
  for (
    const [parts, mean, size] of [[[coin], 14_000, 1024], [[coin, steps], 13_000, 1024]] as const
  ) {
    const tilted = tiltAll(parts, 1e-12), window = chooseWindow(tilted);
    assertEquals([window.size, window.start], [size, mean - size / 2]);
    // Hoeffding's bound with these ends is larger.
    assert(window.above > 0 && window.above <= 1e-20 && window.below > 0 && window.below <= 1e-20);
  }
});

// Mutants: a factor or a power left out; an index that does not wrap; an error that does not cover the transform's.
Deno.test("tiltedConvolution() is within its error of the sums' probabilities, wrapped, and the error is small", () => {
  fc.assert(
    fc.property(fc.array(part(9), { minLength: 1, maxLength: 3 }), tilt, (parts, at) => {
      const tilted = tiltAll(parts, at), { p } = sums(tilted);
      for (const size of [16, 256]) {
        const { real, error } = tiltedConvolution(tilted, { size, start: 0, below: 0, above: 0 });
        const wrapped = new Float64Array(size);
        p.forEach((value, i) => wrapped[i % size]! += value);
        wrapped.forEach((value, i) => {
          assert(Math.abs(real[i]! - value) <= error, `${real[i]} ${value} ${error}`);
        });
        assert(error > 1e-18 && error < 1e-12, `${error}`);
      }
    }),
    { seed: 199, numRuns: 150 },
  );
});

// Mutants: an end that is one sum nearer or further, a side taken for the other, a limit that is not kept.
Deno.test("chooseWindow() has no more points than it may, and says how probable the first sums outside are", () => {
  for (const longest of [16, 32]) {
    const tilted = tiltAll([{ first: 3, masses: [0.5, 0.5], count: 400 }], 0.3);
    const { size, start, above, below } = chooseWindow(tilted, { longest });
    assertEquals(size, longest);
    assertEquals(above, farProbability(tilted, { edge: start + size, side: 1 }));
    assertEquals(below, farProbability(tilted, { edge: start - 1, side: -1 }));
    assert(above > 1e-3 && below > 1e-3);
  }
});

// Mutant: losses beyond the transform's end forgotten.
Deno.test("tiltedConvolution() wraps a grid that is longer than the transform", () => {
  const masses = Array.from({ length: 21 }, (_, i) => (1 + i % 4) / 60);
  const tilted = tiltAll([{ first: 0, masses, count: 2 }], 0.2), { p } = sums(tilted);
  const { real, error } = tiltedConvolution(tilted, { size: 16, start: 0, below: 0, above: 0 });
  const wrapped = new Float64Array(16);
  p.forEach((value, i) => wrapped[i % 16]! += value);
  wrapped.forEach((value, i) => assert(Math.abs(real[i]! - value) <= error, `${real[i]} ${value}`));
});
