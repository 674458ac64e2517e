import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import {
  applyRandomFeatures,
  drawRandomFeatures,
} from "../../../../../lib/dp/learners/erm/rows/random_features.ts";
import { compactRows, denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleModel } from "../../../../../lib/dp/learners/erm/sample_model.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

// Norms of at most 1, and inner products that stand for half the kernel: the theorem erm/theorem_22.

Deno.test("applyRandomFeatures() agrees on sparse rows and refuses another number of columns", () => {
  const features = drawRandomFeatures(new SeededSource(83), {
    kernel: { name: "gaussian", gamma: 0.7 },
    inputCount: 20,
    count: 5,
  });
  const row = new Array(20).fill(0);
  row[7] = 0.5;
  const dense = denseRows([row]), sparse = compactRows(dense);
  assert(sparse.kind === "sparse");
  const left = applyRandomFeatures(features, dense).values;
  const right = applyRandomFeatures(features, sparse).values;
  for (let j = 0; j < 5; j++) assertAlmostEquals(left[j]!, right[j]!, 1e-15);
  assertThrows(() => applyRandomFeatures(features, denseRows([[1]])), RangeError, "must be 20");
});

Deno.test("a kernel classifier learns a ring that no linear one can", () => {
  const points: number[][] = [], labels: number[] = [];
  for (let i = 0; i < 4000; i++) {
    const angle = 2.4 * i, radius = i % 2 === 0 ? 0.3 : 0.9;
    points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
    labels.push(i % 2 === 0 ? 1 : -1);
  }
  const rows = denseRows(points), source = new SeededSource(84);
  const features = drawRandomFeatures(source, {
    kernel: { name: "gaussian", gamma: 2 },
    inputCount: 2,
    count: 30,
  });
  const shared = { epsilon: 5, lambda: 1e-3, rows, labels };
  assert(sampleModel(source, { ...shared, normBound: 1 }).score(rows, labels) < 0.7);
  assert(sampleModel(source, { ...shared, features }).score(rows, labels) > 0.95);
});
