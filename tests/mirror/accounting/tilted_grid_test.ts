import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { LossGrid } from "../../../lib/accounting/loss_grid.ts";
import { bestTilt, farProbability, tiltedGrid } from "../../../lib/accounting/tilted_grid.ts";
import { minimiserOf } from "../../../lib/numeric/minimiser_of.ts";

/** A discrete normal law of deviation 20 points about `mean`, on a grid that is far longer than that. */
function normalGrid(
  { first, size, mean, spacing = 1 }: {
    first: number;
    size: number;
    mean: number;
    spacing?: number;
  },
): LossGrid {
  const masses = Float64Array.from(
    { length: size },
    (_, i) => Math.exp(-((first + i - mean) ** 2) / 800) / Math.sqrt(2 * Math.PI * 400),
  );
  return { spacing, first, masses, infinite: 0, relativeError: 0 };
}

// ln of the moment of a normal law is scale·mean + 200·scale²: the best bound is −distance²/800 a run. Mutants: another term
// taken out of the powers, which then overflow; powers that are multiplied up for too long, or on one side alone.
Deno.test("farProbability() is Chernoff's bound of a normal law, however long its grid and wherever it begins", () => {
  for (
    const [first, size, mean] of [
      [-1000, 2001, 0],
      [-300, 1300, 0],
      [-1000, 1300, 0],
      [5000, 2001, 6000],
      [-9000, 2001, -8000],
    ] as const
  ) {
    for (const count of [1, 4]) {
      for (const side of [1, -1] as const) {
        const tilted = [
          tiltedGrid({ grid: normalGrid({ first, size, mean }), count }, { tilt: 1e-12 }),
        ];
        for (const deviations of [1, 5, 10]) {
          const distance = deviations * 20 * Math.sqrt(count);
          const bound = farProbability(tilted, { edge: count * mean + side * distance, side });
          assertAlmostEquals(
            Math.log(bound),
            -(deviations ** 2) / 2,
            0.01 + 2e-4 * deviations ** 2,
          );
        }
      }
    }
  }
});

Deno.test("farProbability() is 1 where nothing is far, and for an edge that all sums reach", () => {
  const tilted = [
    tiltedGrid({ grid: normalGrid({ first: -2000, size: 4001, mean: 0 }), count: 1 }, {
      tilt: 1e-12,
    }),
  ];
  for (const side of [1, -1] as const) {
    for (const edge of [0, -side * 50]) {
      const bound = farProbability(tilted, { edge, side });
      assert(bound <= 1 && bound > 1 - 1e-5, `${bound}`);
    }
  }
});

// The bound on ln δ is 200·s²·tilt² + (mean − ε)·tilt + the peak's part: its least tilt is where the derivative is 0.
// Mutants: the peak left out or halved; moments that overflow at long grids.
Deno.test("bestTilt() is where the bound on δ of a normal law is least, to 2%", () => {
  for (const spacing of [1, 0.01]) {
    for (const [first, size] of [[-1000, 2001], [-300, 1300]] as const) {
      const grid = normalGrid({ first, size, mean: 0, spacing });
      for (const deviations of [0.1, 2, 8]) {
        const epsilon = deviations * 20 * spacing, variance = 400 * spacing * spacing;
        const slope = (tilt: number): number =>
          variance * tilt - epsilon + Math.log(tilt) - Math.log1p(tilt);
        const tilt = bestTilt([{ grid, count: 1 }], { epsilon });
        assert(
          slope(tilt * 0.98) < 0 && slope(tilt * 1.02) > 0,
          `${spacing} ${deviations}: ${tilt}`,
        );
      }
    }
  }
});

const gridOf = (masses: readonly number[], { first = 0, spacing = 1 } = {}): LossGrid => ({
  spacing,
  first,
  masses: Float64Array.from(masses),
  infinite: 0,
  relativeError: 0,
});

// A plain sum of so many terms loses three digits, and a million runs multiply what is lost. Mutants: nothing carried, or the wrong way.
Deno.test("tiltedGrid() sums 65,536 masses to the last digits", () => {
  const rest = 2 ** 16;
  for (const mass of [0.1, 0.7 / rest, 1 / 3]) {
    const masses = new Array<number>(rest + 1).fill(mass);
    masses[0] = 1;
    const { logSum, weights } = tiltedGrid({ grid: gridOf(masses), count: 1 }, { tilt: 1e-300 });
    // A product by a power of 2 is exact.
    const exact = Math.log(1 + mass * rest);
    assert(Math.abs(logSum - exact) <= 2 ** -51 * (1 + exact), `${logSum} ${exact}`);
    assert(Math.abs(weights[0]! * (1 + mass * rest) - 1) <= 2 ** -50, `${weights[0]}`);
  }
});

// Mutants: the largest power divided out in place of the largest term; powers of masses that are 0; a power that overflows alone.
Deno.test("tiltedGrid() keeps its digits where masses are as small as doubles go", () => {
  const masses = new Array<number>(2001).fill(0);
  masses[0] = 1;
  for (
    const [rare, tilt] of [[2 ** -1060, 0.74], [2 ** -1060, 0.72], [1e-300, 0.69], [0, 1]] as const
  ) {
    masses[1000] = rare;
    const { logSum, weights, mean } = tiltedGrid({ grid: gridOf(masses), count: 1 }, { tilt });
    const log = Math.log(rare) + 1000 * tilt;
    const exact = Math.max(0, log) + Math.log1p(Math.exp(-Math.abs(log)));
    assert(Math.abs(logSum - exact) <= 1e-12 * (1 + exact), `${logSum}, not ${exact}`);
    assertAlmostEquals(weights[0]! + weights[1000]!, 1, 1e-15);
    assertAlmostEquals(mean, 1000 / (1 + Math.exp(-log)), 1e-9);
  }
});

// Mutants: no room for the roundings of the bound, another range or fineness of the search; a bound that is no number.
Deno.test("farProbability() is Chernoff's bound at the scale that is searched for, and a millionth more", () => {
  const first = 7;
  for (const count of [1, 1000]) {
    const tilted = [tiltedGrid({ grid: gridOf([1], { first }), count }, { tilt: 1 })];
    for (const side of [1, -1] as const) {
      const edge = count * first + side * 3;
      const exact = (scale: number): number => -3 * scale;
      const log = exact(minimiserOf(exact, { from: 1e-9, to: 10, within: 0.02 }));
      assertAlmostEquals(Math.log(farProbability(tilted, { edge, side })), log + 1e-6, 1e-9);
    }
    const [each] = tilted;
    const spoilt = [{ ...each!, weights: Float64Array.of(NaN) }];
    assertEquals(farProbability(spoilt, { edge: 0, side: 1 }), 1);
  }
});

// ln(0.5 + 0.5e^tilt) − tilt·ε + the peak's part is least where tilt is about 1/(1 − ε). Mutants: a power beyond the last is taken out,
// so that all terms vanish; steep powers multiplied up until they overflow; one power made up for, in place of all.
Deno.test("bestTilt() finds tilts at which next to nothing but the highest loss counts", () => {
  for (
    const [masses, first] of [[[0.5, 0.5], 0], [
      new Array<number>(300).fill(1 / 300),
      -299,
    ]] as const
  ) {
    for (const short of [0.1, 0.01, 1e-3]) {
      const grid = gridOf(masses, { first }), epsilon = first + masses.length - 1 - short;
      const tilt = bestTilt([{ grid, count: 1 }], { epsilon });
      assert(Math.abs(tilt * short - 1) <= 0.1, `${tilt} for ${short}`);
    }
  }
});
