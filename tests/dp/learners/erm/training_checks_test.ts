import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { Calibration } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import {
  preparedNormBound,
  prepareRows,
} from "../../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { drawRandomFeatures } from "../../../../lib/dp/learners/erm/rows/random_features.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import {
  calibrationOf,
  claimOf,
  statementOf,
} from "../../../../lib/dp/learners/erm/training_options.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { base } from "./training_check_cases.ts";

Deno.test("preparedNormBound() counts the intercept, and no prepared row exceeds it", () => {
  assertEquals(preparedNormBound({ normBound: 3 }), 3);
  assertEquals(preparedNormBound({ normBound: 3, intercept: 4 }), 5);
  const kernel = { name: "gaussian", gamma: 1 } as const;
  const features = drawRandomFeatures(new SeededSource(1), { kernel, inputCount: 2, count: 3 });
  assertEquals(preparedNormBound({ features }), 1);
  assertEquals(preparedNormBound({ features, normBound: 0.25 }), 0.25);
  for (const bad of [{}, { normBound: 0 }, { normBound: -1 }, { normBound: Infinity }]) {
    assertThrows(() => preparedNormBound(bad), RangeError, "normBound");
  }
  for (const intercept of [0, -1, NaN]) {
    assertThrows(() => preparedNormBound({ normBound: 1, intercept }), RangeError, "intercept");
  }
  const long = denseRows([[3000, 4000], [-1e308, 1e308], [0.3, -0.4], [1e-300, 0]]);
  for (
    const preparation of [
      { normBound: 3, intercept: 4 },
      { normBound: 0.1 },
      { features },
      { features, normBound: 0.25, intercept: 1 },
    ]
  ) {
    const prepared = prepareRows(long, preparation), bound = preparedNormBound(preparation);
    assert(prepared.kind === "dense");
    const d = prepared.columnCount;
    const norms = Array.from(
      { length: 4 },
      (_, i) => Math.hypot(...prepared.values.subarray(i * d, (i + 1) * d)),
    );
    assert(norms.every((norm) => norm <= bound * (1 + 1e-15)), `${norms} of ${bound}`);
  }
  const clipped = prepareRows(long, { normBound: 3, intercept: 4 });
  [1.8, 2.4, 4].forEach((value, j) => assertAlmostEquals(clipped.values[j]!, value, 1e-9));
});

Deno.test("calibrationOf() gives each of K classifiers a K-th of ε and δ, at the prepared bound", () => {
  const options = { ...base, normBound: 3, intercept: 4, delta: 1e-6 };
  for (const more of [{}, { perturbation: "output" as const, delta: 0 }]) {
    const asked = { ...options, ...more };
    const three = calibrationOf(asked, { rowCount: 50, classifiers: 3 });
    const alone = calibrationOf(
      {
        ...asked,
        epsilon: asked.epsilon / 3,
        delta: asked.delta / 3,
        normBound: 5,
        intercept: undefined!,
      },
      { rowCount: 50 },
    );
    const scale = ({ noise }: Calibration): number =>
      noise.kind === "gaussian" ? noise.sigma : 1 / noise.rate;
    assertAlmostEquals(scale(three) / scale(alone), 1, 1e-12);
    assertEquals(three.tolerance, alone.tolerance);
  }
  const shares = [{}, { slack: "tight" }, { slack: "cms11" }, { noiseShare: 0.9 }] as const;
  const [plain, tight, published, more] = shares.map((share) =>
    calibrationOf({ ...base, lambda: 1e-4, ...share }, { rowCount: 5 })
  );
  assertEquals(plain, tight);
  assert(published!.quadratic !== plain!.quadratic);
  assert(more!.spent.noise > 1.5 * plain!.spent.noise);
  assertThrows(
    () => calibrationOf({ ...options, perturbation: "output" }, { rowCount: 5 }),
    RangeError,
    "delta must be 0",
  );
  for (const epsilon of [0, -1, NaN, Infinity]) {
    assertThrows(() => calibrationOf({ ...base, epsilon }, { rowCount: 5 }), RangeError, "epsilon");
  }
  for (const delta of [1, -0.1, NaN]) {
    assertThrows(() => calibrationOf({ ...base, delta }, { rowCount: 5 }), RangeError, "delta");
  }
});

Deno.test("claimOf() and statementOf() say what is promised, and on what", () => {
  assertEquals([claimOf(base).kind, claimOf({ ...base, delta: 1e-6 }).kind], [
    "pure",
    "approximate",
  ]);
  const plain = statementOf(base, { rowCount: 7 });
  for (const part of ["one of 7 rows", "objective perturbation", "Rows longer than 1 "]) {
    assert(plain.includes(part), plain);
  }
  const full = statementOf({ ...base, normBound: 3, intercept: 4, perturbation: "output" }, {
    rowCount: 7,
  });
  for (const part of ["output perturbation", "longer than 3 ", "an intercept of 4 was counted"]) {
    assert(full.includes(part), full);
  }
  assert(!plain.includes("intercept"));
  const kernel = { name: "gaussian", gamma: 1 } as const;
  const features = drawRandomFeatures(new SeededSource(1), { kernel, inputCount: 2, count: 3 });
  const mapped = statementOf({ epsilon: 1, lambda: 1, features }, { rowCount: 7 });
  assert(mapped.includes("Rows of random features longer than 1 "), mapped);
});
