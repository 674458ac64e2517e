import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import { baseTwoExponential } from "../../../lib/dp/mechanisms/base_two_exponential.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { permuteAndFlip } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquarePValue } from "../../core/random/chi_square.ts";

const options = {
  candidates: ["a", "b", "c"],
  utilities: (rows: readonly number[]) => rows,
  epsilon: 1,
  sensitivity: 1,
  monotone: false,
  relation: changeEach({ by: 1 }),
};
const chances = (
  mechanism: {
    distribution?(data: readonly number[]): readonly { output: unknown; probability: number }[];
  },
  data: readonly number[],
): number[] => mechanism.distribution!(data).map(({ probability }) => probability);

Deno.test("exponentialMechanism() weighs by exp(epsilon u / 2Δ), by exp(epsilon u / Δ) when monotone", () => {
  const weights = [0, 1, 2].map((u) => Math.exp(u / 2));
  const total = weights.reduce((a, b) => a + b);
  chances(exponentialMechanism(options), [0, 1, 2]).forEach((p, i) =>
    assertAlmostEquals(p, weights[i]! / total, 1e-14)
  );
  assertEquals(
    chances(exponentialMechanism({ ...options, monotone: true }), [0, 1, 2]),
    chances(exponentialMechanism({ ...options, epsilon: 2 }), [0, 1, 2]),
  );
});

Deno.test("permuteAndFlip() has the law of noisy max with exponential noise", () => {
  // False-alarm rate 1e-6.
  const data = [0, 1, 2.5], draws = 100_000;
  const noise = floatExponential(new SeededSource(84), new Float64Array(3 * draws), { scale: 2 });
  const counts = [0, 0, 0];
  for (let i = 0; i < draws; i++) {
    const noisy = data.map((utility, j) => utility + noise[3 * i + j]!);
    counts[noisy.indexOf(Math.max(...noisy))]!++;
  }
  const expected = chances(permuteAndFlip(options), data).map((p) => p * draws);
  assert(chiSquarePValue(counts, expected) > 1e-6);
  assertEquals(
    chances(reportNoisyMax({ ...options, noise: "exponential" }), data),
    chances(permuteAndFlip(options), data),
  );
});

Deno.test("reportNoisyMax() with Laplace noise tends to the integral of the textbook on fine grids", () => {
  // Two candidates, gap 1, scale 2: P(second wins) = 1 − e^(−g/b)(2 + g/b)/4 with g/b = 1/2.
  const fine = reportNoisyMax({
    ...options,
    candidates: [0, 1],
    noise: "laplace",
    granularity: 2 ** -9,
  });
  const p = chances(fine, [0, 1]);
  assertAlmostEquals(p[0]! + p[1]!, 1, 1e-12);
  assertAlmostEquals(p[0]!, Math.exp(-0.5) * 2.5 / 4, 1e-3);
});

Deno.test("baseTwoExponential() loses no more than epsilon, and little utility", () => {
  const mechanism = baseTwoExponential({ ...options, granularity: 1, bits: 30 });
  const exact = chances(exponentialMechanism(options), [0, 3, 5]);
  chances(mechanism, [0, 3, 5]).forEach((p, i) => assertAlmostEquals(p, exact[i]!, 1e-8));
  // The base is rounded up, so that ratios of weights stay within those of exp(−ε/2).
  const p = chances(mechanism, [0, 1, 1]);
  assert(Math.log(p[1]! / p[0]!) <= 0.5);
  assertThrows(
    () => baseTwoExponential({ ...options, granularity: 2 ** -20, bits: 10 }),
    RangeError,
    "bits must be enough",
  );
});
