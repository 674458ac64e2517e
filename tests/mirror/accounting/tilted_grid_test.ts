import { assert, assertAlmostEquals } from "@std/assert";
import type { LossGrid } from "../../../lib/accounting/loss_grid.ts";
import { bestTilt, farProbability, tiltedGrid } from "../../../lib/accounting/tilted_grid.ts";

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

// A plain sum of so many terms loses three digits, and a million runs multiply what is lost. Mutants: nothing carried, or the wrong way.
Deno.test("tiltedGrid() sums 65,536 equal masses to the last digits", () => {
  const size = 2 ** 16;
  for (const mass of [0.1, 0.7 / size, 1 / 3]) {
    const grid: LossGrid = {
      spacing: 1,
      first: 0,
      masses: new Float64Array(size).fill(mass),
      infinite: 0,
      relativeError: 0,
    };
    const { logSum, weights } = tiltedGrid({ grid, count: 1 }, { tilt: 1e-300 });
    const exact = Math.log(mass * size);
    assert(
      Math.abs(logSum - exact) <= 2 ** -51 * (1 + Math.abs(exact) + Math.abs(Math.log(mass))),
      `${logSum} ${exact}`,
    );
    assert(Math.abs(weights[0]! * size - 1) <= 2 ** -50, `${weights[0]}`);
  }
});
