import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import {
  calibrateObjective,
  calibrateOutput,
} from "../../../../../lib/dp/learners/erm/noise/calibration.ts";
import { base } from "../calibration_cases.ts";

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
