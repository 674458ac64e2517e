import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { agreementOf } from "../../../bench/papers/erm/agreement.ts";
import {
  crossValidate,
  estimateCrossed,
  foldsOf,
  type Trial,
} from "../../../bench/papers/erm/cross_validate.ts";
import { learningCurve } from "../../../bench/papers/erm/learning_curve.ts";
import { prepareAsRead, READINGS } from "../../../bench/papers/erm/readings.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { generatedData } from "../../dp/learners/erm/generated_data.ts";

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

Deno.test("agreementOf() counts by .01, by 2 standard errors, by both and by their sum", () => {
  const cell = (
    error: number,
    standardError: number,
  ): Parameters<typeof agreementOf>[0][number] => ({
    error,
    standardError,
    printed: 0.2,
  });
  const cells = [
    cell(0.205, 0.004),
    cell(0.205, 0.001),
    cell(0.22, 0.02),
    cell(0.185, 0.003),
    cell(0.3, 0.01),
    { ...cell(0.2, 1), printed: NaN },
  ];
  const expected = { cells: 6, hundredth: 2, standardErrors: 2, both: 1, sum: 4 };
  assertEquals(agreementOf(cells), expected);
});

Deno.test("the tables agree in 66 of 96 cells by .01, 57 by 2 standard errors, 44 by both, 87 by the sum", async () => {
  const cells = [];
  for (const name of ["adult", "kddcup99"]) {
    const file = new URL(`../../../bench/papers/erm/results/${name}_table.csv`, import.meta.url);
    const [names, ...lines] = (await Deno.readTextFile(file)).trim().split("\n")
      .map((line) => line.split(","));
    const at = (line: string[], column: string): number => Number(line[names!.indexOf(column)]);
    for (const line of lines) {
      cells.push({
        error: at(line, "error"),
        standardError: at(line, "standardError"),
        printed: at(line, "printed"),
      });
    }
  }
  const counted = agreementOf(cells);
  assertEquals(counted, { cells: 96, hundredth: 66, standardErrors: 57, both: 44, sum: 87 });
  const text = await Deno.readTextFile(
    new URL("../../../bench/papers/erm/README.md", import.meta.url),
  );
  const row = text.split("\n").find((line) => line.startsWith("| together "))!;
  assertEquals(row.match(/\d+/g)!.slice(0, 4).map(Number), [66, 57, 44, 87]);
});
