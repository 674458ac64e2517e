import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { DiscreteLaw } from "../../../../lib/core/mechanism/discrete_law.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";
import { OtherScale, outcomesOf } from "../../../../lib/judge/exact/enumeration/law_outcomes.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { type BigNumber, bigNumber as big } from "../../../core/numeric/big_number.ts";
import { longTest } from "../../../long.ts";

const bits = 200;
const one = 2n ** BigInt(bits);

function chancesOf(law: DiscreteLaw, most: number): { value: number; lower: bigint }[] {
  const outcomes = outcomesOf(law, { scale: 60n, bits, products: new FactorProducts() });
  const chances = [];
  for (let i = 0; i < most; i++) {
    const outcome = outcomes.at(i);
    if (outcome === undefined) break;
    chances.push(outcome);
  }
  return chances;
}

/** What is missing to 1 when all but what is rarer than 2^−100 are added up. */
const missing = (chances: readonly { lower: bigint }[]): bigint =>
  one - chances.reduce((sum, { lower }) => sum + lower, 0n);

const rate = fc.integer({ min: 10, max: 200 }).map((n) => rational(n, 60));
const laws: fc.Arbitrary<DiscreteLaw> = fc.oneof(
  rate.map((rate) => ({ kind: "geometric", rate }) as const),
  rate.map((rate) => ({ kind: "discrete laplace", rate }) as const),
  rate.map((variance) => ({ kind: "discrete gaussian", variance }) as const),
  rate.map((exponent) => ({ kind: "exponential coin", exponent }) as const),
  fc.integer({ min: 1, max: 40 }).map((n) => ({ kind: "uniform", below: BigInt(n) }) as const),
  fc.array(fc.tuple(rate, fc.bigInt({ min: 0n, max: 9n })), { minLength: 1, maxLength: 5 })
    .filter((list) => list.some(([, multiplicity]) => multiplicity > 0n))
    .map((list) => ({
      kind: "choice",
      weights: list.map(([exponent, multiplicity]) => ({ exponent, multiplicity })),
    } as const)),
);

// Mutants: a lower bound rounded up (more than 1 in all); Laplace noise over (1 + q)² or one side of it; the Gaussian's tail
// not in its sum, or its variance without 2.
longTest("outcomesOf() gives lower bounds whose sum is 1 but for rounding", () => {
  fc.assert(
    fc.property(laws, (law) => {
      const rest = missing(chancesOf(law, 2000));
      assert(rest >= 0n, "more than 1");
      assert(rest < one >> 90n, `${law.kind} lacks ${Number(rest) / Number(one)}`);
    }),
    { seed: 1, numRuns: 60 },
  );
});

// Mutants: exp(−x) for exp(−2x); the variance for the deviation; a coin turned round.
Deno.test("outcomesOf() gives each value its probability", () => {
  const q = Math.exp(-0.5);
  const cases: [DiscreteLaw, value: number, probability: number][] = [
    [{ kind: "geometric", rate: rational(1, 2) }, 3, (1 - q) * q ** 3],
    [{ kind: "discrete laplace", rate: rational(1, 2) }, -2, (1 - q) / (1 + q) * q ** 2],
    [{ kind: "exponential coin", exponent: rational(1, 2) }, 1, q],
    [{ kind: "exponential coin", exponent: rational(1, 2) }, 0, 1 - q],
    [{ kind: "uniform", below: 7n }, 6, 1 / 7],
    [
      {
        kind: "choice",
        weights: [{ exponent: rational(-1, 2) }, { exponent: rational(0), multiplicity: 3n }],
      },
      1,
      3 / (3 + 1 / q),
    ],
  ];
  let total = 0;
  for (let k = -40; k <= 40; k++) total += Math.exp(-k * k / 6);
  cases.push([{ kind: "discrete gaussian", variance: rational(3) }, 2, Math.exp(-4 / 6) / total]);
  for (const [law, value, probability] of cases) {
    const { lower } = chancesOf(law, 50).find((outcome) => outcome.value === value)!;
    assert(Math.abs(Number(lower) / Number(one) / probability - 1) < 1e-13, law.kind);
  }
});

Deno.test("outcomesOf() refuses exponents off its scale, and draws with too many values", () => {
  const units = { scale: 60n, bits, products: new FactorProducts() };
  assertThrows(
    () => outcomesOf({ kind: "exponential coin", exponent: rational(1, 7) }, units),
    OtherScale,
  );
  assertThrows(
    () => outcomesOf({ kind: "uniform", below: 2n ** 40n }, units),
    RangeError,
    "at most 16777216",
  );
  assertEquals(outcomesOf({ kind: "uniform", below: 1n }, units).at(1), undefined);
});

/** The probability of an outcome, in 80 digits. */
function probabilityOf(law: DiscreteLaw): (value: number) => BigNumber {
  const ratio = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
    big(numerator).div(big(denominator));
  switch (law.kind) {
    case "uniform":
      return () => big(1).div(big(law.below));
    case "exponential coin": {
      const chance = ratio(law.exponent).neg().exp();
      return (value) => value === 1 ? chance : big(1).minus(chance);
    }
    case "geometric": {
      const q = ratio(law.rate).neg().exp();
      return (value) => big(1).minus(q).times(q.pow(value));
    }
    case "discrete laplace": {
      const q = ratio(law.rate).neg().exp();
      return (value) => big(1).minus(q).div(q.plus(1)).times(q.pow(Math.abs(value)));
    }
    case "discrete gaussian": {
      const twice = ratio(law.variance).times(2);
      const weight = (k: number): BigNumber => big(k * k).neg().div(twice).exp();
      let total = big(1);
      for (let k = 1; k < 80; k++) total = total.plus(weight(k).times(2));
      return (value) => weight(value).div(total);
    }
    case "choice": {
      const weights = law.weights.map(({ exponent, multiplicity = 1n }) =>
        ratio(exponent).neg().exp().times(big(multiplicity))
      );
      const total = weights.reduce((sum, weight) => sum.plus(weight));
      return (value) => weights[value]!.div(total);
    }
  }
}

// With few bits every rounding counts. Mutants: a bound rounded up; a sum that is rounded down, or without what lies beyond its last term.
Deno.test("outcomesOf() gives lower bounds with few bits too, and near", () => {
  fc.assert(
    fc.property(laws, fc.integer({ min: 3, max: 20 }).map((half) => 2 * half), (law, few) => {
      const units = { scale: 60n, bits: few, products: new FactorProducts() };
      const outcomes = outcomesOf(law, units), probability = probabilityOf(law);
      for (let i = 0; i < 24; i++) {
        const outcome = outcomes.at(i);
        if (outcome === undefined) break;
        const exact = probability(outcome.value).times(big(2n ** BigInt(few)));
        assert(exact.gte(big(outcome.lower)), `${law.kind}: ${outcome.lower} above ${exact}`);
        const share = law.kind === "discrete gaussian" ? exact.times(2 ** (1 - few / 2)) : big(0);
        assert(
          exact.minus(big(outcome.lower)).lte(share.plus(12)),
          `${law.kind}: ${outcome.lower} far below ${exact}`,
        );
      }
    }),
    { seed: 2613, numRuns: 150 },
  );
});

// Mutants: −0 for 0, a limit elsewhere, a coin that is certain with a bound below 1, impossible values, multiplicities that are not in lowest terms.
Deno.test("outcomesOf() of what is certain, impossible or as large as can be", () => {
  const units = { scale: 60n, bits, products: new FactorProducts() };
  for (const kind of ["geometric", "discrete laplace"] as const) {
    assert(Object.is(outcomesOf({ kind, rate: rational(1) }, units).at(0)!.value, 0));
  }
  assertEquals(outcomesOf({ kind: "uniform", below: 2n ** 24n }, units).at(2 ** 24), undefined);
  assertThrows(() => outcomesOf({ kind: "uniform", below: 2n ** 24n + 1n }, units), RangeError);
  assertEquals(outcomesOf({ kind: "uniform", below: 1n }, units).at(0)!.product, 0);
  const certain = outcomesOf({ kind: "exponential coin", exponent: rational(0) }, units);
  assertEquals([certain.at(0)!.value, certain.at(0)!.lower, certain.at(1)], [1, one, undefined]);
  const weights = [4n, 0n, 6n].map((multiplicity) => ({ exponent: rational(1), multiplicity }));
  const choice = outcomesOf({ kind: "choice", weights }, units);
  assertEquals([0, 1, 2].map((i) => choice.at(i)?.value), [0, 2, undefined]);
  assertEquals([0, 1].map((i) => choice.at(i)!.coefficient), [2n, 3n]);
});
