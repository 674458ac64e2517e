import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type PosteriorFamily,
  posteriorSampling,
  type PosteriorSamplingOptions,
} from "../../../lib/papers/bayes/posterior_sampling.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Two parameters, of which a row favours the one of its sign by its size in nats. */
function scales(range: number): PosteriorFamily<number, number> {
  return {
    parameters: [-1, 1],
    logPrior: () => 0,
    logLikelihood: (row, parameter) => Math.sign(row) === parameter ? 0 : -Math.abs(row),
    range,
  };
}

function oddsOf(
  family: PosteriorFamily<number, number>,
  { data, ...options }: PosteriorSamplingOptions & { data: readonly number[] },
): number {
  const [minus, plus] = posteriorSampling(family, options).distribution!(data);
  return Math.log(plus!.probability / minus!.probability);
}

Deno.test("posteriorSampling() claims ε, or 2C a sample where that is less, rounded up; ρ is ε²/8 shared by the samples", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: 1e-4, max: 50, noNaN: true }), fc.constant(1e100)),
      // Steps beyond 2⁵³ are no longer consecutive doubles.
      fc.oneof(
        fc.double({ min: 1e-3, max: 10, noNaN: true }),
        fc.double({ min: 2 ** 28, max: 2 ** 60, noNaN: true }),
      ),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(replaceOne, addRemoveOne),
      (epsilon, range, samples, relation) => {
        const { claim, alsoKeeps, temper } = posteriorSampling(scales(range), {
          epsilon,
          samples,
          relation,
        });
        assert(claim.kind === "pure");
        // The range in whole steps of 2⁻²⁴ nats, rounded up.
        const steps = BigInt(Math.ceil(range * 2 ** 24));
        const whole = BigInt(relation === replaceOne ? 2 * samples : samples) * steps;
        const own = rational(claim.epsilon);
        // claim·2²⁴ against the steps of all samples.
        const isWhole = own.numerator * 2n ** 24n >= whole * own.denominator;
        assert(claim.epsilon === epsilon || isWhole);
        assert(
          claim.epsilon <= epsilon && claim.epsilon <= Number(whole) * 2 ** -24 * (1 + 2 ** -50),
        );
        const exact = epsilon * 2 ** 24 / Number(whole);
        assertAlmostEquals(temper, Math.min(1, exact), 1e-12);
        const [zcdp] = alsoKeeps!;
        assert(zcdp!.kind === "zcdp");
        // ρ·8·samples against the square of the claim, in fractions.
        const rho = rational(zcdp!.rho);
        const left = rho.numerator * 8n * BigInt(samples) * own.denominator ** 2n;
        const right = own.numerator ** 2n * rho.denominator;
        assert(left >= right && left * 10n ** 14n <= right * (10n ** 14n + 1n));
      },
    ),
    { seed: 2105, numRuns: 500 },
  );
});

// Mutants: the likelihood is raised to another power; rows beyond the range count whole.
Deno.test("posteriorSampling() weighs each row by its log-likelihood, held to the range, times the temper", () => {
  const options = { epsilon: 3, relation: replaceOne };
  // C = 4: untempered 8-DP, so the power is 3/8.
  assertAlmostEquals(oddsOf(scales(4), { ...options, data: [1, 1, 2] }), 4 * 3 / 8, 1e-9);
  assertAlmostEquals(oddsOf(scales(4), { ...options, data: [1, -3] }), -2 * 3 / 8, 1e-9);
  assertAlmostEquals(oddsOf(scales(4), { ...options, data: [50] }), 4 * 3 / 8, 1e-9);
  // Not finite: impossible for one parameter, held to the range; for both: no word on either.
  assertAlmostEquals(oddsOf(scales(4), { ...options, data: [-Infinity] }), -4 * 3 / 8, 1e-9);
  const silent = { ...scales(4), logLikelihood: () => -Infinity };
  assertEquals(oddsOf(silent, { ...options, data: [1, 2] }), 0);
  for (const value of [NaN, Infinity]) {
    const odd = {
      ...scales(4),
      logLikelihood: (_: number, parameter: number) => parameter < 0 ? value : 0,
    };
    assertAlmostEquals(oddsOf(odd, { ...options, data: [1] }), 4 * 3 / 8, 1e-9);
  }
  // Just private enough: the posterior itself.
  assertAlmostEquals(oddsOf(scales(4), { epsilon: 8, relation: replaceOne, data: [2] }), 2, 1e-9);
  assertAlmostEquals(oddsOf(scales(4), { epsilon: 100, relation: replaceOne, data: [2] }), 2, 1e-9);
  assertAlmostEquals(oddsOf(scales(4), { epsilon: 2, relation: addRemoveOne, data: [2] }), 1, 1e-9);
  const prior = { ...scales(4), logPrior: (parameter: number) => parameter };
  assertAlmostEquals(oddsOf(prior, { ...options, data: [1] }), 2 + 3 / 8, 1e-9);
});

// 2⁵² steps of 2⁻²⁴ nats are 2²⁸ nats: 300 rows of a million nats each pass that.
// Mutants: what is beyond 2⁵² steps is lost, counted once, or added to doubles that round it off.
Deno.test("posteriorSampling() adds log-likelihoods beyond 2^52 steps exactly", () => {
  for (const [ups, downs] of [[300, 299], [1000, 700], [268, 269], [2, 1]] as const) {
    const family = scales(1e6), options = { epsilon: 1e-3, relation: addRemoveOne };
    // Rows that differ are looked at one by one, equal ones once.
    for (const spread of [0, 1]) {
      const up = Array.from({ length: ups }, (_, i) => 999_000 + spread * i);
      const down = Array.from({ length: downs }, (_, i) => -999_000 - spread * i);
      const sum = [...up, ...down].reduce((a, b) => a + b, 0);
      const odds = oddsOf(family, { ...options, data: [...up, ...down] });
      assertAlmostEquals(odds, sum * 1e-9, 1e-9 * Math.max(1, Math.abs(sum * 1e-9)));
    }
  }
});

// Sums of doubles beyond 2⁵³ steps would round 7 steps off at each of thousands of rows, always in the same direction.
Deno.test("posteriorSampling() loses no steps of 2^-24 nats among 2^58", () => {
  const family = scales(1e6), step = 2 ** -24;
  const up = Array.from({ length: 20_000 }, (_, i) => 999_000 + (16 * i + 7) * step);
  const down = up.map((row) => -(row - 7 * step));
  const odds = oddsOf(family, { epsilon: 1e9, relation: addRemoveOne, data: [...up, ...down] });
  // The distribution itself is of doubles: ten billion nats are known to 4e-6.
  assertAlmostEquals(odds, 7 * 20_000 * step, 1e-5);
});

// Equal rows are added at once, to a sum that is a double until then. Mutants: that sum or its rows forgotten where doubles end.
Deno.test("posteriorSampling() adds 4,096 equal rows of 2^45 steps to 15 steps, and loses none", () => {
  const step = 2 ** -24, parameters = [0, 1], rows = new Array<number>(4096).fill(-(2 ** 21));
  // The prior of the other parameter is what the equal rows take from it, so that the odds are those of the first row.
  const { distribution } = posteriorSampling({
    parameters,
    logPrior: (parameter) => parameter * 2 ** 33,
    logLikelihood: (row: number, parameter) => parameter * row,
    range: 2 ** 21,
  }, { epsilon: 2 ** 22, relation: addRemoveOne });
  const [without, with1] = distribution!([-15 * step, ...rows]);
  const odds = Math.log(with1!.probability / without!.probability);
  assertAlmostEquals(odds, -15 * step, 1e-12);
});

Deno.test("posteriorSampling() draws as many samples as it says, in blocks too where parameters are numbers", () => {
  const family = scales(4), source = new SeededSource(1);
  for (const samples of [1, 2, 3]) {
    const sampling = posteriorSampling(family, { epsilon: 1, relation: replaceOne, samples });
    assertEquals(sampling.sample([1], source).length, samples);
    assertEquals(sampling.width, samples);
    assertEquals(sampling.sampleMany!([1], 5, source).length, 5 * samples);
    assertEquals(sampling.distribution === undefined, samples > 1);
  }
  const named = { ...family, parameters: ["a", "b"] } as unknown as PosteriorFamily<number, string>;
  const sampling = posteriorSampling(named, { epsilon: 1, relation: replaceOne });
  assertEquals([sampling.width, sampling.sampleMany], [undefined, undefined]);
  const domain = { rows: { type: "number", min: -1, max: 1 }, size: { min: 1, max: 2 } } as const;
  assertEquals("domain" in sampling, false);
  assertEquals(
    posteriorSampling(named, { epsilon: 1, relation: replaceOne, domain }).domain,
    domain,
  );
});
