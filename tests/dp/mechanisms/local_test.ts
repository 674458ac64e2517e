import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  type Perturbation,
  perturbedDatabase,
  wrappedNoise,
} from "../../../lib/dp/mechanisms/input_perturbation.ts";
import {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { bloomFilter, rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { estimateUnaryCounts, unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquarePValue } from "../../core/random/chi_square.ts";

Deno.test("twoCoinSurvey() claims ln 3, rounded up, and says yes with 1/4 + p/2", () => {
  const survey = twoCoinSurvey();
  assert(survey.claim.kind === "pure" && survey.claim.epsilon >= Math.log(3));
  assertAlmostEquals(survey.claim.epsilon, Math.log(3), 1e-15);
  const truths = Array.from({ length: 30_000 }, (_, i) => i % 10 < 3);
  const answers = survey.sample(truths, new SeededSource(101));
  const estimate = estimateProportion(answers, { truthProbability: 0.75 });
  // Each answer has variance 3/16, doubled by the estimator: five standard deviations, 6e-7.
  assert(Math.abs(estimate - 0.3) < 5 * 2 * Math.sqrt(3 / 16 / 30_000));
  assertEquals(estimateProportion([true, true, true, false], { truthProbability: 0.75 }), 1);
  assertThrows(() => estimateProportion([], { truthProbability: 0.75 }), RangeError, "empty");
  assertThrows(() => estimateProportion([true], { truthProbability: 0.5 }), RangeError);
});

Deno.test("randomisedResponse() and its k-ary form tell the truth as often as epsilon allows", () => {
  const binary = randomisedResponse({ epsilon: Math.log(3) }).distribution!([true]);
  assertAlmostEquals(binary.find(({ output }) => output[0] === true)!.probability, 0.75, 1e-12);
  const categories = ["a", "b", "c", "d"];
  const kAry = kAryRandomisedResponse({ epsilon: Math.log(5), categories }).distribution!(["b"]);
  const chances = kAry.map(({ probability }) => probability);
  [1 / 8, 5 / 8, 1 / 8, 1 / 8].forEach((p, i) => assertAlmostEquals(chances[i]!, p, 1e-12));
  assertThrows(() => kAryRandomisedResponse({ epsilon: 1, categories: ["a"] }), RangeError);
  assertThrows(() => kAryRandomisedResponse({ epsilon: 1, categories: ["a", "a"] }), RangeError);
});

Deno.test("unaryEncoding() lets counts be estimated without bias", () => {
  const categories = ["a", "b", "c"];
  for (const variant of ["symmetric", "optimised"] as const) {
    const mechanism = unaryEncoding({ epsilon: 1, categories, variant });
    const source = new SeededSource(102);
    const truth = [6000, 3000, 1000], sums = [0, 0, 0];
    categories.forEach((category, i) => {
      const block = mechanism.sampleMany!([category], truth[i]!, source);
      block.forEach((bit, j) => sums[j % 3]! += bit);
    });
    const estimates = estimateUnaryCounts(sums, { respondents: 10_000, epsilon: 1, variant });
    // A sum of 10,000 bits has standard deviation at most 50; p − q is at least 0.23: five of them.
    estimates.forEach((estimate, i) => assert(Math.abs(estimate - truth[i]!) < 5 * 50 / 0.23));
  }
});

Deno.test("rappor() claims what its theorems say and hashes as murmur3 does", () => {
  const oneTime = rappor({ bits: 20, hashes: 4, forget: 0.95 });
  assert(oneTime.claim.kind === "pure");
  assertAlmostEquals(oneTime.claim.epsilon, 8 * Math.log(0.525 / 0.475), 1e-12);
  const repeated = rappor({
    bits: 20,
    hashes: 4,
    forget: 0.75,
    instantaneous: { one: 0.55, zero: 0.45 },
  });
  assert(repeated.claim.kind === "pure");
  const q = 0.5125, p = 0.4875;
  assertAlmostEquals(repeated.claim.epsilon, 4 * Math.log(q * (1 - p) / (p * (1 - q))), 1e-12);
  // Six bits differ between 0 and 1 (independent implementations of the hash agree on that).
  const [zero, one] = ["0", "1"].map((text) => bloomFilter(text, { bits: 20, hashes: 4 }));
  assertEquals(zero!.filter((bit, i) => bit !== one![i]).length, 6);
  assertThrows(() => rappor({ bits: 8, hashes: 9, forget: 0.5 }), RangeError, "hashes");
  assertThrows(() => rappor({ bits: 8, hashes: 1, forget: 1 }), RangeError, "forget");
  assertThrows(
    () => rappor({ bits: 8, hashes: 1, forget: 0.5, instantaneous: { one: 0.4, zero: 0.5 } }),
    RangeError,
    "above instantaneous.zero",
  );
});

Deno.test("perturbations draw with the chances they state", () => {
  const cases: [Perturbation, number][] = [
    [additiveNoise({ size: 10, reach: 3 }), 9],
    [keepOrReplace({ size: 7, keep: 0.2 }), 3],
    [wrappedNoise({ size: 11, reach: 2 }), 0],
    [mixedNoise({ size: 11, reach: 2, keep: 0.5 }), 10],
  ];
  for (const [perturbation, entry] of cases) {
    const source = new SeededSource(103);
    const draws = 20_000, counts = new Float64Array(40);
    for (let i = 0; i < draws; i++) counts[perturbation.perturb(entry, source) + 10]!++;
    const expected = Array.from(
      counts,
      (_, i) => draws * perturbation.probability(entry, i - 10),
    );
    counts.forEach((count, i) => assert(count === 0 || expected[i]! > 0));
    assert(chiSquarePValue(counts, expected) > 1e-6);
  }
});

Deno.test("perturbedDatabase() claims ln of the amplification of R1 and R3, and refuses R2", () => {
  const r1 = perturbedDatabase(keepOrReplace({ size: 1001, keep: 0.2 }));
  const r3 = perturbedDatabase(mixedNoise({ size: 1001, reach: 100, keep: 0.5 }));
  assert(r1.claim.kind === "pure" && r3.claim.kind === "pure");
  assertAlmostEquals(r1.claim.epsilon, Math.log(0.2 / 0.0008), 1e-12);
  // The slides: γ = 1 + 1001/201 < 6.
  assertAlmostEquals(Math.exp(r3.claim.epsilon), 1 + 1001 / 201, 1e-9);
  for (
    const unbounded of [
      wrappedNoise({ size: 1001, reach: 100 }),
      additiveNoise({ size: 91, reach: 20 }),
    ]
  ) {
    assertThrows(() => perturbedDatabase(unbounded), RangeError, "every output a chance");
  }
  assertThrows(() => r3.check!([1001]), RangeError, "integer from 0 to 1000");
  assertThrows(() => keepOrReplace({ size: 1, keep: 0.5 }), RangeError, "size");
  assertThrows(() => mixedNoise({ size: 10, reach: 5, keep: 0.5 }), RangeError, "reach");
});
