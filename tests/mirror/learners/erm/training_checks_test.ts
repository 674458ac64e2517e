import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { type Calibration, leastTolerance } from "../../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { preparedNormBound, prepareRows } from "../../../../lib/learners/erm/prepare_rows.ts";
import { drawRandomFeatures } from "../../../../lib/learners/erm/random_features.ts";
import { requireSolvable } from "../../../../lib/learners/erm/require_solvable.ts";
import { requireTrainable } from "../../../../lib/learners/erm/require_trainable.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";
import {
  calibrationOf,
  claimOf,
  statementOf,
} from "../../../../lib/learners/erm/training_options.ts";
import { withIntercept } from "../../../../lib/learners/erm/with_intercept.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { base, rows, solvable, training } from "./training_check_cases.ts";

Deno.test("requireSolvable() takes sizes from 1e-60 to 1e60, both included, and names what is beyond", () => {
  const flat = { ...training, loss: { ...logisticLoss, curvatureBound: 0 } };
  type Sized = readonly [string, (size: number) => void];
  const sized: readonly Sized[] = [
    ["lambda", (size) => requireSolvable(solvable, { ...flat, lambda: size })],
    ["the grid of weights", (size) => requireSolvable({ ...solvable, grid: size }, flat)],
    [
      "normBound",
      (size) => requireSolvable({ ...solvable, tolerance: 1e60 }, { ...flat, normBound: size }),
    ],
    [
      "the scale of the noise",
      (size) => requireSolvable({ ...solvable, noise: { kind: "gaussian", sigma: size } }, flat),
    ],
    [
      "the scale of the noise",
      (size) =>
        requireSolvable({ ...solvable, noise: { kind: "exponential-norm", rate: 1 / size } }, flat),
    ],
    [
      "the scale of the second noise",
      (size) => requireSolvable({ ...solvable, residualRate: 1 / size }, flat),
    ],
  ];
  for (const [name, attempt] of sized) {
    for (const size of [1e59, 1e-59, 1]) attempt(size);
    for (const size of [1.001e60, 0.999e-60, NaN, 1e-200, 1e200]) {
      assertThrows(() => attempt(size), RangeError, `Cannot train: ${name} must be from`);
    }
  }
  for (const size of [1 / 1e60, 1e60]) sized[0]![1](size);
  requireSolvable({ ...solvable, residualRate: undefined }, flat);
});

Deno.test("requireSolvable() takes the least tolerance and the least lambda, and nothing below", () => {
  for (const loss of [logisticLoss, huberHinge(0.01)]) {
    for (const normBound of [0.5, 3]) {
      const least = leastTolerance({ normBound, loss });
      assertAlmostEquals(least / (2 ** -43 * normBound * (1 + loss.curvatureBound)), 1, 1e-15);
      const options = { ...training, loss, normBound };
      requireSolvable({ ...solvable, tolerance: least }, options);
      for (const tolerance of [least * (1 - 1e-15), NaN, 0]) {
        assertThrows(() => requireSolvable({ ...solvable, tolerance }, options), RangeError);
      }
      // The strongest convexity, c·q², is 1e12 times the weakest at most: Λ and what was added to it.
      const most = loss.curvatureBound * normBound ** 2 / 1e12;
      requireSolvable(solvable, { ...options, lambda: most * (1 + 1e-12) });
      requireSolvable({ ...solvable, quadratic: most }, { ...options, lambda: most * 1e-3 });
      assertThrows(
        () => requireSolvable(solvable, { ...options, lambda: most * (1 - 1e-12) }),
        RangeError,
        "lambda must be at least",
      );
    }
  }
});

Deno.test("requireTrainable() refuses rows and labels that do not fit, and one class only when told to", () => {
  const check = (
    more: Partial<Parameters<typeof requireTrainable>[1]>,
    of: Parameters<typeof requireTrainable>[0] = rows,
  ): void => requireTrainable(of, { ...base, labels: [1, -1], allowOneClass: true, ...more });
  check({});
  check({ labels: [1, 1] });
  check({ allowOneClass: false });
  check({ intercept: 2 });
  assertThrows(() => check({ labels: [-1, -1], allowOneClass: false }), RangeError, "two classes");
  const none = { kind: "dense", values: new Float64Array(0) } as const;
  for (const [rowCount, columnCount] of [[0, 2], [2, 0], [0, 0]] as const) {
    const labels = new Array<number>(rowCount).fill(1);
    const empty = { ...none, rowCount, columnCount };
    assertThrows(() => check({ labels }, empty), RangeError, `${rowCount} by ${columnCount}`);
  }
  const kernel = { name: "gaussian", gamma: 1 } as const;
  const features = (inputCount: number) =>
    drawRandomFeatures(new SeededSource(1), { kernel, inputCount, count: 3 });
  check({ features: features(2) });
  assertThrows(() => check({ features: features(3) }), RangeError, "the 3 columns");
  assertThrows(() => check({ labels: [1] }), RangeError, "one a row");
  assertThrows(() => check({ labels: [1, 0] }), RangeError, "row 2");
  assertThrows(
    () => check({ labels: [1], allowOneClass: false }, denseRows([[1, 0]])),
    RangeError,
    "two classes",
  );
  // Noise of scale 10/ε on two rows, of 20/ε on one, and of 30/ε for three classes.
  const epsilon = 1.8e-59, output = { epsilon, perturbation: "output" } as const;
  check(output);
  for (const more of [{ trainedCount: 1 }, { classes: [-1, 1, 0] }]) {
    assertThrows(() => check({ ...output, ...more }), RangeError, "the scale of the noise");
  }
});

Deno.test("withIntercept() refuses a value that is not positive and finite", () => {
  for (const value of [0, -1, NaN, Infinity]) {
    assertThrows(() => withIntercept(rows, { value }), RangeError, "value");
  }
});

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
