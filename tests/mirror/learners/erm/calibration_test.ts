import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import {
  calibrateObjective,
  calibrateOutput,
  defaultTolerance,
  leastTolerance,
} from "../../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { base, positive } from "./calibration_cases.ts";

Deno.test("calibrateOutput() gives Algorithm 1's rate nΛε/2 when nothing is left of the minimisation", () => {
  const { noise } = calibrateOutput({ ...base, epsilon: 0.1, tolerance: 0 });
  assert(noise.kind === "exponential-norm");
  assertAlmostEquals(noise.rate, 1000 * 1e-3 * 0.1 / 2, 1e-15);
});

Deno.test("calibrateOutput() covers 2q/(nΛ) + 2·tolerance/Λ with its noise", () => {
  const { noise } = calibrateOutput({ ...base, normBound: 3, epsilon: 0.1, tolerance: 1e-4 });
  assert(noise.kind === "exponential-norm");
  assertAlmostEquals(noise.rate * (2 * 3 / (1000 * 1e-3) + 2 * 1e-4 / 1e-3), 0.1, 1e-12);
});

Deno.test("calibrateObjective() and calibrateOutput() refuse numbers out of range by name", () => {
  const right = { ...base, epsilon: 1, tolerance: 1e-9 };
  for (const name of ["epsilon", "lambda", "rowCount", "normBound"] as const) {
    for (const value of [0, -1, NaN, Infinity]) {
      for (const calibrate of [calibrateObjective, calibrateOutput]) {
        assertThrows(() => calibrate({ ...right, [name]: value }), RangeError, name);
      }
    }
  }
  for (const noiseShare of [0, 1, NaN]) {
    assertThrows(() => calibrateObjective({ ...right, noiseShare }), RangeError, "noiseShare");
  }
  assertThrows(() => calibrateObjective({ ...right, delta: 1 }), RangeError, "delta");
  assertThrows(() => calibrateObjective({ ...right, tolerance: 0 }), RangeError, "tolerance");
  assertThrows(() => calibrateOutput({ ...right, tolerance: -1 }), RangeError, "tolerance");
});

Deno.test("calibrations round to a power of two a millionth of the noise added last", () => {
  fc.assert(
    fc.property(positive(1e-3, 10), positive(1e-10, 10), (epsilon, lambda) => {
      const input = { ...base, epsilon, lambda, tolerance: 1e-9 };
      const output = calibrateOutput(input), objective = calibrateObjective(input);
      assert(output.noise.kind === "exponential-norm");
      for (
        const [grid, rate] of [
          [output.grid, output.noise.rate],
          [objective.grid, objective.residualRate!],
        ] as const
      ) {
        assertEquals(Math.log2(grid) % 1, 0);
        assert(grid * rate <= 2 ** -20 && grid * rate > 2 ** -22);
      }
    }),
    { seed: 66, numRuns: 200 },
  );
});

Deno.test("defaultTolerance() is a millionth of q/n, 1e-12·q or the least tolerance, whichever is largest", () => {
  const at = (rowCount: number, normBound: number, loss = logisticLoss): number =>
    defaultTolerance({ rowCount, normBound, loss });
  assertAlmostEquals(at(1000, 2), 2e-9, 1e-22);
  assertAlmostEquals(at(1e5, 7), 7e-11, 1e-24);
  // 2⁻⁴³ = 1.14e-13: for losses of small curvature 1e-12 is more, for sharp ones less.
  assertAlmostEquals(at(1e7, 3), 3e-12, 1e-25);
  const sharp = huberHinge(0.01);
  assertEquals(sharp.curvatureBound, 50);
  assertAlmostEquals(at(1e7, 3, sharp), 3 * 51 * 2 ** -43, 1e-25);
  assertEquals(leastTolerance({ normBound: 3, loss: sharp }), 3 * 51 * 2 ** -43);
});

Deno.test("calibrateOutput() says what part of ε covers the exact minimiser's move", () => {
  for (
    const [epsilon, tolerance, rowCount] of [[0.1, 1e-4, 1000], [3, 1e-3, 50], [2, 0, 10]] as const
  ) {
    const { spent } = calibrateOutput({ ...base, epsilon, rowCount, tolerance });
    // The minimiser moves by 2/(nΛ), and the computed one by 2·tolerance/Λ more.
    const share = (2 / rowCount) / (2 / rowCount + 2 * tolerance);
    assertAlmostEquals(spent.noise, share * epsilon, 1e-15 * epsilon);
    assertAlmostEquals(spent.residual, (1 - share) * epsilon, 1e-15 * epsilon);
    assertEquals(spent.jacobian, 0);
  }
});
