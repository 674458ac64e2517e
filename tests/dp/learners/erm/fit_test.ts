import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import type { Spendable } from "../../../../lib/core/mechanism/budget.ts";
import type { Claim } from "../../../../lib/core/claims/claim.ts";
import { fit, type FitOptions } from "../../../../lib/dp/learners/erm/fit.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { Model } from "../../../../lib/dp/learners/erm/model.ts";
import { drawRandomFeatures } from "../../../../lib/dp/learners/erm/rows/random_features.ts";
import { smoothElasticNet } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleModel } from "../../../../lib/dp/learners/erm/sample_model.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { generatedData } from "./generated_data.ts";
import { unlimited } from "../unlimited.ts";

const base = { epsilon: 5, lambda: 0.02, normBound: 1 };

/** A budget that writes down what is spent. */
function recordingBudget(): Spendable & { readonly spent: Claim[] } {
  const spent: Claim[] = [];
  return { spent, spend: (claim) => void spent.push(claim) };
}

Deno.test("fit() learns: at a large ε it predicts most labels of separable rows", () => {
  const { rows, signs } = generatedData(70, { n: 2000, d: 4, flips: 0 });
  for (const perturbation of ["output", "objective"] as const) {
    for (const options of [{}, { loss: huberHinge(0.5) }, { intercept: 0.5 }]) {
      const model = fit(rows, signs, { ...base, ...options, perturbation, budget: unlimited });
      // Noise this strong takes more than 15 points of accuracy with probability under 1e-9.
      assert(model.score(rows, signs) > 0.8);
    }
  }
});

Deno.test("fit() refuses bad input by name, row and column, and spends nothing", () => {
  const { rows, signs } = generatedData(73, { n: 6, d: 2 });
  const budget = recordingBudget();
  const refuses = (
    message: string,
    { labels = signs, data = rows, ...options }: Partial<FitOptions> & {
      labels?: ArrayLike<number | string>;
      data?: typeof rows;
    },
  ): void => {
    assertThrows(() => fit(data, labels, { ...base, budget, ...options }), RangeError, message);
  };
  refuses("epsilon", { epsilon: 0 });
  refuses("epsilon", { epsilon: NaN });
  refuses("lambda", { lambda: 0 });
  refuses("lambda", { lambda: -1 });
  refuses("normBound", { normBound: 0 });
  refuses("intercept", { intercept: -1 });
  refuses("delta", { delta: 1 });
  refuses("delta", { delta: 0.1, perturbation: "output" });
  refuses("noiseShare", { noiseShare: 2 });
  refuses("that of row 3", { labels: [1, -1, 0, 1, 1, 1] });
  refuses("that of row 1", { labels: ["a", "b", "a", "b", "a", "b"] });
  refuses("one a row", { labels: [1, -1] });
  refuses("at least two classes", { labels: [1, 1, 1, 1, 1, 1], allowOneClass: false });
  refuses("at least two, all different", { classes: [1] });
  refuses("at least two, all different", { classes: [1, 1] });
  refuses("at least 1 by 1", { data: denseRows([]), labels: [] });
  const broken = { ...rows, values: rows.values.slice() };
  broken.values[3] = NaN;
  refuses("row 2, column 2", { data: broken });
  assertEquals(budget.spent, []);
});

// A refusal would tell these labels from those of a neighbour.
Deno.test("fit() trains on one class unless told not to (item 9)", () => {
  const { rows } = generatedData(74, { n: 6, d: 2 });
  const labels = [1, 1, 1, 1, 1, 1];
  assertEquals(fit(rows, labels, { ...base, budget: unlimited }).classes, [-1, 1]);
});

Deno.test("sampleModel() gives the same model for the same seed, another for another, and clips rows", () => {
  const { rows, signs } = generatedData(75, { n: 50, d: 3 });
  const draw = (seed: number, scale = 1): Float64Array =>
    sampleModel(new SeededSource(seed), {
      ...base,
      rows: { ...rows, values: rows.values.map((value) => value * scale) },
      labels: signs,
      normBound: 1e-3,
    }).weights[0]!;
  assertEquals(draw(1), draw(1));
  assertNotEquals(draw(1), draw(2));
  // All rows are longer than the bound, so their lengths say nothing.
  const left = draw(1), right = draw(1, 7);
  for (let j = 0; j < 3; j++) assert(Math.abs(left[j]! - right[j]!) <= 1e-9 * Math.abs(left[j]!));
});

Deno.test("sampleModel() with several classes spends ε/K on each and tells them apart at a large ε", () => {
  const source = new SeededSource(76);
  const corners = [[1, 0], [-0.5, 0.8], [-0.5, -0.8]];
  const labels = Array.from({ length: 900 }, (_, i) => ["a", "b", "c"][i % 3]!);
  const rows = denseRows(labels.map((_, i) => corners[i % 3]!.map((value) => value * 0.9)));
  const progress: number[] = [];
  const model = sampleModel(source, {
    epsilon: 9,
    lambda: 0.01,
    normBound: 1,
    classes: ["a", "b", "c"],
    rows,
    labels,
    onProgress: ({ done, total }) => progress.push(done, total),
  });
  assertEquals(progress, [1, 3, 2, 3, 3, 3]);
  assertEquals(model.weights.length, 3);
  assertEquals(model.claim.kind === "pure" && model.claim.epsilon, 9);
  assertEquals(model.score(rows, labels), 1);
});

Deno.test("Model.fromJSON() gives back the same model, to the last bit, through text", () => {
  const { rows, signs } = generatedData(77, { n: 40, d: 3 });
  const features = drawRandomFeatures(new SeededSource(5), {
    kernel: { name: "laplacian", gamma: 1 },
    inputCount: 3,
    count: 10,
  });
  const { normBound: _, ...unbounded } = base;
  for (
    const options of [
      base,
      { ...base, intercept: 0.3, delta: 1e-6 },
      { ...base, regulariser: smoothElasticNet(1), perturbation: "output" as const },
      { ...unbounded, features },
      { ...unbounded, features, intercept: 0.5, classes: [1, -1] },
    ]
  ) {
    const model = sampleModel(new SeededSource(3), { ...options, rows, labels: signs });
    const back = Model.fromJSON(JSON.parse(JSON.stringify(model)));
    assertEquals(back, model);
    assertEquals(back.decisionValues(rows), model.decisionValues(rows));
  }
});

Deno.test("Model refuses rows with another number of columns", () => {
  const { rows, signs } = generatedData(79, { n: 40, d: 3 });
  const model = sampleModel(new SeededSource(3), { ...base, rows, labels: signs, intercept: 1 });
  assertThrows(() => model.predict(denseRows([[1, 2]])), RangeError, "must have 3 columns");
  assertThrows(() => model.score(rows, [1]), RangeError, "one a row");
});

Deno.test("a saved model holds nothing of the solver", () => {
  const { rows, signs } = generatedData(80, { n: 40, d: 3 });
  const text = JSON.stringify(sampleModel(new SeededSource(3), { ...base, rows, labels: signs }));
  for (const word of ["iteration", "gradient", "residual", "seconds"]) {
    assert(!text.includes(word), word);
  }
});
