import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import golden from "../../../../fixtures/core/golden/accounting.json" with { type: "json" };
import { advancedComposition } from "../../../../lib/dp/accounting/composition/advanced_composition.ts";
import { basicComposition } from "../../../../lib/dp/accounting/composition/basic_composition.ts";
import { kairouzComposition } from "../../../../lib/dp/accounting/composition/kairouz_composition.ts";
import {
  optimalDelta,
  optimalEpsilon,
} from "../../../../lib/dp/accounting/composition/optimal_composition.ts";
import { approximate, deltaAt, pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { nextDown, nextUp } from "../../../../lib/core/numeric/round_outward.ts";
import { type BigNumber, bigNumber as big } from "../../../core/numeric/big_number.ts";
import { epsilons, parameters, slacks } from "../arbitraries.ts";

// Mutants: leaving out e^(ε − loss); counting lies from 1; dropping the binomial coefficient.
Deno.test("optimalDelta() agrees with sums in 30 digits", () => {
  for (
    const [{ delta, epsilon, count }, epsilon0] of [
      [golden.response[0]!, 1 / 801],
      [golden.response[1]!, 0.1],
    ] as const
  ) {
    const computed = optimalDelta([{ epsilon: epsilon0, count }], { epsilon });
    assert(computed >= delta * (1 - 1e-15) && computed <= delta * (1 + 2e-11));
  }
});

// Mutant: adding δ twice, or composing it as 1 − (1 − δ)(answered).
Deno.test("optimalDelta() is the claim's own trade-off when there is one mechanism", () => {
  fc.assert(
    fc.property(parameters, epsilons, ({ epsilon, delta }, at) => {
      const claim = delta === 0
        ? pure({ epsilon, relation: replaceOne })
        : approximate({ epsilon, delta, relation: replaceOne });
      const computed = optimalDelta([{ epsilon, delta, count: 1 }], { epsilon: at });
      assertAlmostEquals(computed, deltaAt(claim, at), 1e-10);
    }),
    { seed: 31 },
  );
});

// Mutant: pairing the groups' losses without their probabilities.
Deno.test("optimalDelta() does not care how mechanisms are grouped", () => {
  fc.assert(
    fc.property(parameters, fc.integer({ min: 1, max: 6 }), epsilons, (part, count, epsilon) => {
      const together = optimalDelta([{ ...part, count }], { epsilon });
      const apart = optimalDelta(
        Array.from({ length: count }, () => ({ ...part, count: 1 })),
        { epsilon },
      );
      assertAlmostEquals(apart, together, 1e-10 * together + 1e-300);
      const padded = optimalDelta([{ ...part, count }, { epsilon: 0, count: 1 }], { epsilon });
      assertAlmostEquals(padded, together, 1e-10 * together + 1e-300);
    }),
    { seed: 32, numRuns: 50 },
  );
  assertEquals(optimalDelta([], { epsilon: 0 }), 0);
});

// Mutant: any δ smaller than the truth makes optimal composition beat what is possible, and larger makes
// it lose to its own bounds: both show here.
Deno.test("optimalEpsilon() is at most advanced, and that at most basic, where each applies", () => {
  fc.assert(
    fc.property(epsilons, fc.integer({ min: 1, max: 300 }), slacks, (epsilon, count, slack) => {
      const optimal = optimalEpsilon([{ epsilon, count }], { delta: slack })!;
      const allowed = 1 + 1e-11;
      const parts = Array.from({ length: count }, () => ({ epsilon }));
      const kairouz = kairouzComposition(parts, { slack }).epsilon;
      const advanced = advancedComposition({ epsilon }, { count, slack, form: "tanh" }).epsilon;
      const basic = basicComposition(parts).epsilon;
      assert(optimal <= kairouz * allowed);
      assert(optimal <= advanced * allowed);
      assert(optimal <= basic * allowed);
      assert(kairouz <= basic * allowed && kairouz <= advanced * allowed);
    }),
    { seed: 33, numRuns: 40 },
  );
});

// Mutant: bisecting towards the wrong end.
Deno.test("optimalEpsilon() is the least ε for its δ, and undefined when δ is given away outright", () => {
  const groups = [{ epsilon: 0.1, delta: 1e-8, count: 100 }];
  const epsilon = optimalEpsilon(groups, { delta: 1e-5 })!;
  assert(optimalDelta(groups, { epsilon }) <= 1e-5);
  assert(optimalDelta(groups, { epsilon: epsilon * (1 - 1e-6) }) > 1e-5);
  assertEquals(optimalEpsilon(groups, { delta: 5e-7 }), undefined);
  assertEquals(optimalEpsilon([{ epsilon: 0.1, count: 1 }], { delta: 0.5 }), 0);
});

Deno.test("optimalDelta() throws when there are too many combinations", () => {
  const groups = [0.1, 0.2, 0.3].map((epsilon) => ({ epsilon, count: 200 }));
  assertThrows(
    () => optimalDelta(groups, { epsilon: 1 }),
    RangeError,
    "the number of combinations of losses must be at most",
  );
});

Deno.test("optimalDelta() is 1 and no more once everything is given away", () => {
  assertEquals(optimalDelta([{ epsilon: 1, delta: 0.9, count: 60 }], { epsilon: 1 }), 1);
});

// Mutants: a range of ε that ends below the sum, or begins at 1.
Deno.test("optimalEpsilon() is the sum rounded up for a δ of 0, and above 0 below 1", () => {
  const value = fc.double({ min: 1e-3, max: 1, noNaN: true }),
    count = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, count), { minLength: 1, maxLength: 4 }), (pairs) => {
      const groups = pairs.map(([epsilon, count]) => ({ epsilon, count }));
      const exact = groups.reduce(
        (sum, { epsilon, count }) => sum.plus(big(epsilon).times(count)),
        big(0),
      );
      const found = optimalEpsilon(groups, { delta: 0 })!;
      assert(exact.lte(big(found)) && exact.times(1 + 1e-13).gte(found), `${found}`);
    }),
    { seed: 34, numRuns: 60 },
  );
  const below = optimalEpsilon([{ epsilon: 0.5, count: 1 }], { delta: 0.1 })!;
  assert(below > 0.1 && below < 0.5);
});

/** δ of mechanisms that are answered by randomised response, each once, in 80 digits. */
function exactDelta(epsilons: readonly number[], at: BigNumber): BigNumber {
  const one = big(1);
  let laws = [{ loss: big(0), chance: one }];
  for (const epsilon of epsilons.map((value) => big(value))) {
    const truth = one.div(one.plus(epsilon.negated().exp()));
    laws = laws.flatMap(({ loss, chance }) => [
      { loss: loss.plus(epsilon), chance: chance.times(truth) },
      { loss: loss.minus(epsilon), chance: chance.times(one.minus(truth)) },
    ]);
  }
  return laws.reduce((sum, { loss, chance }) => {
    const excess = loss.minus(at);
    return excess.gt(0) ? sum.plus(chance.times(one.minus(excess.negated().exp()))) : sum;
  }, big(0));
}

/** Doubles that are multiples of 2⁻³⁰⁰, and their sums, as whole numbers. */
const wholes = (value: number): bigint => BigInt(value * 2 ** 300);

// Mutants: units of losses for which a sum is rounded, or that are those of sums near 1; a part of a loss left out, or taken twice.
Deno.test("optimalDelta() next to the sum of all ε is what the last outcome tells above ε, which is exact", () => {
  const mantissa = fc.double({ min: 0.5, max: 1, noNaN: true }),
    exponent = fc.integer({ max: 0, min: -30 });
  const part = fc.record({ mantissa, exponent, count: fc.integer({ min: 1, max: 5 }) });
  const inputs = fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    scale: fc.integer({ min: -60, max: 3 }),
    steps: fc.integer({ min: -3, max: 1 }),
  });
  fc.assert(
    fc.property(inputs, ({ parts, scale, steps }) => {
      const groups = parts.map(({ mantissa, exponent, count }) => ({
        epsilon: mantissa * 2 ** (exponent + scale),
        count,
      }));
      let at = 0, sum = 0n, log = 0;
      for (const { epsilon, count } of groups) {
        at += epsilon * count;
        sum += BigInt(count) * wholes(epsilon);
        log -= count * Math.log1p(Math.exp(-epsilon));
      }
      for (let step = 0; step < Math.abs(steps); step++) at = steps < 0 ? nextDown(at) : nextUp(at);
      const excess = Number(sum - wholes(at)) / 2 ** 300;
      const exact = excess > 0 ? -Math.exp(log) * Math.expm1(-excess) : 0;
      const found = optimalDelta(groups, { epsilon: at });
      assert(found >= exact * (1 + 9e-12) && found <= exact * (1 + 12e-12), `${found}, ${exact}`);
    }),
    { seed: 35, numRuns: 300 },
  );
});

// Mutant: less than two roundings of a term that underflows.
Deno.test("optimalDelta() counts an outcome whose probability underflows as twice the least double", () => {
  for (const outcomes of [1, 2, 5, 40]) {
    const epsilon = 0.1 * (20_000 - 2 * outcomes + 1);
    const found = optimalDelta([{ epsilon: 0.1, count: 20_000 }], { epsilon }) / Number.MIN_VALUE;
    assert(found >= 2 * outcomes && found <= 2 * outcomes + 2, `${found} for ${outcomes}`);
  }
});

// Mutants: a sum of ε in doubles (9 times 0.1 is more than 0.9, and was not); what sums lose left out.
Deno.test("optimalDelta() is above 0 next below the sum of ε, and at most 1e-30 of the sum there", () => {
  const half = 2 ** -53,
    cases = [
      new Array(9).fill(0.1),
      new Array(13).fill(0.1),
      [0.1, 0.7, 0.1],
      [1, half, half],
      [1, half, half, 2 ** -110],
      [1, half, half, 2 ** -108, 2 ** -110],
      [1, -1, 3, 7].map((step) => 0.3 + step * half),
      [1024, 0.75 * 2 ** -43, 2 ** -44, 2 ** -103],
    ];
  for (const epsilons of cases) {
    const sum = epsilons.reduce((total, epsilon) => total + epsilon, 0);
    const groups = [...Map.groupBy(epsilons, (epsilon) => epsilon)].map((
      [epsilon, { length }],
    ) => ({
      epsilon,
      count: length,
    }));
    for (const at of [nextDown(nextDown(sum)), nextDown(sum), sum, nextUp(sum)]) {
      const found = optimalDelta(groups, { epsilon: at }), exact = exactDelta(epsilons, big(at));
      assert(exact.lte(big(found)), `${epsilons} at ${at}: ${found}, not ${exact}`);
      assert(
        exact.times(1 + 1e-10).plus(1e-30 * sum).gte(big(found)),
        `${epsilons} at ${at}: ${found}`,
      );
    }
  }
});

// Mutant: probabilities below the least double counted as 0 (then 20,000 answers of ε = 0.1 were (637, 0)-DP).
Deno.test("optimalEpsilon() for a δ of 0 is the sum of ε, however small the probability of its last outcomes", () => {
  for (const [epsilon, count] of [[0.1, 20_000], [1, 10_000], [30, 1000], [1e300, 3]] as const) {
    assert(optimalDelta([{ epsilon, count }], { epsilon: (count - 0.5) * epsilon }) > 0);
    const found = optimalEpsilon([{ epsilon, count }], { delta: 0 })!;
    const exact = big(epsilon).times(count);
    assert(exact.lte(big(found)) && exact.times(1 + 1e-11).gte(big(found)), `${found}`);
  }
  // Ten thousand outcomes that underflow are above the least double together.
  const many = optimalDelta([{ epsilon: 1e-3, count: 999 }, { epsilon: 0.997, count: 999 }], {
    epsilon: 990,
  });
  assert(many > 0);
});
