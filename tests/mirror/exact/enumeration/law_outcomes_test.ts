import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { DiscreteLaw } from "../../../../lib/core/discrete_law.ts";
import { FactorProducts } from "../../../../lib/exact/enumeration/factor_products.ts";
import { OtherScale, outcomesOf } from "../../../../lib/exact/enumeration/law_outcomes.ts";
import { rational } from "../../../../lib/numeric/rational.ts";

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
Deno.test("outcomesOf() gives lower bounds whose sum is 1 but for rounding", () => {
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
