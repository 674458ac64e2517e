import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import {
  crossValidate,
  estimateCrossed,
  foldsOf,
  type Trial,
} from "../../../bench/erm/cross_validate.ts";
import { learningCurve } from "../../../bench/erm/learning_curve.ts";
import { prepareAsRead, READINGS } from "../../../bench/erm/readings.ts";
import { floatNormal } from "../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { generatedData } from "./generated_data.ts";

const paper = READINGS["paper"]!;

Deno.test("estimateCrossed() adds the variances of fold and draw where the effects add up", () => {
  const folds = [0, 1, 5], draws = [0, 2, 2, 8];
  const errors = folds.map((a) => draws.map((b) => a + b));
  // Sample variances 7 and 12, over 3 folds and 4 draws.
  const { error, standardError } = estimateCrossed(errors);
  assertAlmostEquals(error, 5, 1e-12);
  assertAlmostEquals(standardError ** 2, 7 / 3 + 12 / 4, 1e-12);
});

Deno.test("estimateCrossed() estimates the variance of the mean of crossed effects", () => {
  const source = new SeededSource(101);
  const normals = (count: number, scale: number): Float64Array =>
    floatNormal(source, new Float64Array(count), { scale });
  const tables = 2000, folds = 5, draws = 8;
  let sum = 0;
  for (let t = 0; t < tables; t++) {
    const byFold = normals(folds, 0.05), byDraw = normals(draws, 0.1);
    const errors = Array.from(
      byFold,
      (a) => Array.from(normals(draws, 0.1), (e, r) => a + byDraw[r]! + e),
    );
    sum += estimateCrossed(errors).standardError ** 2;
  }
  const truth = 0.05 ** 2 / folds + 0.1 ** 2 / draws + 0.1 ** 2 / (folds * draws);
  // One table's estimate has a relative deviation of about 0.5: the mean of 2000, 0.011.
  assertAlmostEquals(sum / tables / truth, 1, 0.05);
});

Deno.test("shared draws decide alike in all losses and tiny Λ, fresh draws do not", () => {
  const { rows, signs } = generatedData(102, { n: 60, d: 3 });
  const folds = foldsOf({ rows, signs }, { count: 3, seed: 1 });
  const errorOf = (change: Partial<Trial>): number =>
    crossValidate(folds, {
      loss: "logistic",
      method: "output",
      lambda: 1e-9,
      epsilon: 0.1,
      slack: "cms11",
      reading: paper,
      repeats: 7,
      seed: 2,
      ...change,
    }).error;
  const shared = errorOf({});
  assertEquals(errorOf({ lambda: 1e-8 }), shared);
  assertEquals(errorOf({ loss: "huber" }), shared);
  const reading = { ...paper, draws: "fresh" } as const;
  assertNotEquals(errorOf({ reading, loss: "huber" }), errorOf({ reading }));
});

Deno.test("prepareAsRead() brings rows to norm at most 1, by their own norm or by the largest", () => {
  const { rows } = generatedData(103, { n: 20, d: 3 });
  const wide = { ...rows, values: rows.values.map((value) => 4 * value) };
  for (const reading of Object.values(READINGS)) {
    const { values, columnCount } = prepareAsRead(wide, reading);
    assertEquals(columnCount, reading.constantColumn ? 4 : 3);
    const norms = Array.from(
      { length: 20 },
      (_, i) => Math.hypot(...values.subarray(i * columnCount, (i + 1) * columnCount)),
    );
    assertAlmostEquals(Math.max(...norms), 1, 1e-9);
    if (reading.rowScale === "common") assert(Math.min(...norms) < 0.9);
  }
});

Deno.test("learningCurve() learns: more rows, less error without privacy and with output noise", () => {
  const { rows, signs } = generatedData(104, { n: 2100, d: 3 });
  const points = learningCurve({ rows, signs }, {
    reading: paper,
    repeats: 4,
    seed: 3,
    onPoint: () => {},
  });
  assertEquals(points.length, 2 * 2 * 3 * 5);
  const at = (rowCount: number): number =>
    points.filter((point) =>
      point.method === "output" && point.epsilon === 0.05 && point.rowCount === rowCount
    ).reduce((sum, { error }) => sum + error, 0);
  assert(at(1500) < at(300), "five times the rows must help against the same ε");
  const floor = points.filter(({ method }) => method === "non-private");
  assert(floor.every(({ error }) => error < 0.3));
});
