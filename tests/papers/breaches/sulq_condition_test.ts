import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  confidence,
  confidenceGainProbability,
  confidenceGrowth,
  leastSulqVariance,
  sulqVariance,
} from "../../../lib/papers/breaches/sulq_condition.ts";

const privacy = fc.record({
  epsilon: fc.double({ min: 0.01, max: 1, noNaN: true }),
  delta: fc.double({ min: -12, max: -1, noNaN: true }).map((exponent) => 10 ** exponent),
  queries: fc.integer({ min: 1, max: 10_000 }),
});

// Mutants: log₂; ln(T/δ) without its square; 4T in place of 8T.
Deno.test("sulqVariance() is the printed condition", () => {
  const variance = sulqVariance({ epsilon: 0.5, delta: 1e-3, queries: 10 });
  assertAlmostEquals(variance, (80 * 9.210340371976184 ** 2) / 0.25, 1e-9);
  assert(variance > (80 * Math.log(1e4) ** 2) / 0.25);
});

const generous = fc.record({
  epsilon: fc.double({ min: 0.01, max: 10, noNaN: true }),
  delta: fc.double({ min: 0.1, max: 0.99, noNaN: true }),
  queries: fc.integer({ min: 1, max: 100 }),
});

// Mutants: the wrong root of the quadratic, on either side of δ = 1/2; a mean of T/R.
Deno.test("leastSulqVariance() is where the probability meets δ", () => {
  fc.assert(
    fc.property(fc.oneof(privacy, generous), (wanted) => {
      const { epsilon, queries, delta } = wanted;
      const variance = leastSulqVariance(wanted);
      assert(confidenceGainProbability({ epsilon, queries, variance }) <= delta * (1 + 1e-11));
      const less = confidenceGainProbability({ epsilon, queries, variance: variance * 0.999 });
      assert(less > delta);
    }),
    { seed: 182 },
  );
});

// Mutant: a deviation that grows as T.
Deno.test("confidenceGrowth() has a mean that grows as T and a deviation as √T", () => {
  const one = confidenceGrowth({ queries: 1, variance: 50 });
  const many = confidenceGrowth({ queries: 100, variance: 50 });
  assertAlmostEquals(one.mean, 0.01, 1e-15);
  assertAlmostEquals(many.mean / one.mean, 100, 1e-9);
  assertAlmostEquals(many.deviation / one.deviation, 10, 1e-9);
});

// The exact gain of one answer y about whether a row adds 1 is (2(y − s) − 1)/(2R) when it does.
Deno.test("confidenceGrowth() is the law of the log-odds when worked out from densities", () => {
  const variance = 7, step = 0.01;
  let mean = 0, square = 0;
  for (let noise = -60; noise < 60; noise += step) {
    const density = Math.exp(-noise * noise / 2 / variance) / Math.sqrt(2 * Math.PI * variance);
    const gain = (((noise + 1) ** 2) - noise ** 2) / (2 * variance);
    mean += gain * density * step;
    square += gain * gain * density * step;
  }
  const growth = confidenceGrowth({ queries: 1, variance });
  assertAlmostEquals(growth.mean, mean, 1e-9);
  assertAlmostEquals(growth.deviation, Math.sqrt(square - mean * mean), 1e-9);
});

Deno.test("sulqVariance() asks for too little when ε is 10 and δ is 0.9", () => {
  const wanted = { epsilon: 10, delta: 0.9, queries: 1 };
  const variance = sulqVariance(wanted);
  assert(confidenceGainProbability({ ...wanted, variance }) > 0.99);
  assert(leastSulqVariance(wanted) > variance);
});

Deno.test("confidence() is the log-odds", () => {
  assertEquals([confidence(0.5), confidence(0), confidence(1)], [0, -Infinity, Infinity]);
  assertAlmostEquals(confidence(0.75), Math.log(3), 1e-15);
});
