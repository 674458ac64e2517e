import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { norm } from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import {
  applyRandomFeatures,
  drawRandomFeatures,
  type Kernel,
} from "../../../../../lib/dp/learners/erm/rows/random_features.ts";
import { compactRows, denseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleModel } from "../../../../../lib/dp/learners/erm/sample_model.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const kernels: readonly Kernel[] = [{ name: "gaussian", gamma: 0.7 }, {
  name: "laplacian",
  gamma: 0.7,
}];

for (const kernel of kernels) {
  Deno.test(`applyRandomFeatures() gives rows of norm at most 1 for the ${kernel.name} kernel`, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (seed, count, row) => {
          const features = drawRandomFeatures(new SeededSource(seed), {
            kernel,
            inputCount: 3,
            count,
          });
          assert(norm(applyRandomFeatures(features, denseRows([row])).values) <= 1 + 1e-12);
        },
      ),
      { seed: 59, numRuns: 200 },
    );
  });

  Deno.test(`inner products of features stand for half the ${kernel.name} kernel`, () => {
    const count = 20_000;
    const features = drawRandomFeatures(new SeededSource(81), { kernel, inputCount: 2, count });
    const points = [[0, 0], [0.3, -0.4], [1, 1], [-0.6, 0.2]];
    const mapped = applyRandomFeatures(features, denseRows(points)).values;
    for (let a = 0; a < points.length; a++) {
      for (let b = 0; b <= a; b++) {
        let product = 0;
        for (let j = 0; j < count; j++) product += mapped[a * count + j]! * mapped[b * count + j]!;
        const differences = points[a]!.map((value, k) => Math.abs(value - points[b]![k]!));
        const distance = kernel.name === "gaussian"
          ? differences.reduce((sum, x) => sum + x * x, 0)
          : differences.reduce((sum, x) => sum + x, 0);
        // A mean of 20,000 terms in [−1, 1]: beyond 0.035 with probability below 1e-5 (Hoeffding).
        assertAlmostEquals(product, Math.exp(-kernel.gamma * distance) / 2, 0.035);
      }
    }
  });
}

Deno.test("applyRandomFeatures() agrees on sparse rows and refuses another number of columns", () => {
  const features = drawRandomFeatures(new SeededSource(83), {
    kernel: kernels[0]!,
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
