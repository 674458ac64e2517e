import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { LawsOfPair } from "../../../../lib/judge/exact/enumeration/compare_laws.ts";
import type { OutputLaw } from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";
import {
  largestLoss,
  leastEpsilon,
} from "../../../../lib/judge/exact/enumeration/least_epsilon.ts";
import { type BigNumber, bigNumber as big } from "../../../core/numeric/big_number.ts";

const bits = 200, unit = 1n << 200n;
const units = { scale: 1n, bits, products: new FactorProducts() };

/** A law of these lower bounds, in units of 2^-200; outputs of 0 are not in it. */
function lawOf(
  lower: readonly bigint[],
  { remainder, complete }: { remainder: bigint; complete: boolean },
): OutputLaw {
  return {
    outputs: new Map(
      lower.map((p, i) => [String(i), { output: i, lower: p, terms: new Map() }] as const)
        .filter(([, { lower }]) => lower > 0n),
    ),
    remainder,
    complete,
    cut: 0n,
    branches: 0,
  };
}

/** Masses from a fraction of all down to a few units, some of them 0. */
const mass = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: 1n, max: unit >> 3n }),
  fc.tuple(fc.bigInt({ min: 1n, max: 1n << 60n }), fc.nat(130)).map(([x, k]) => x << BigInt(k)),
);
const masses = fc.array(mass, { minLength: 6, maxLength: 6 });

// Mutants: the output of another loss; a remainder left out, or of the other law; rounding inward; logarithms of numbers that doubles
// do not hold; ties that doubles cannot tell.
Deno.test("largestLoss() encloses the largest logarithm of a ratio, whatever the size of probabilities", () => {
  fc.assert(
    fc.property(masses, masses, fc.nat(3), fc.nat(3), fc.boolean(), (p, q, r, s, complete) => {
      const left = lawOf(p, { remainder: BigInt(r), complete });
      const right = lawOf(q, { remainder: BigInt(s), complete });
      const found = largestLoss({ left, right }, { bits });
      const against = q.map((value) => value + (complete ? 0n : BigInt(s)));
      // The largest ratio, by cross products.
      let best: number | undefined;
      p.forEach((value, i) => {
        if (value === 0n) return;
        if (best === undefined || value * against[best]! > p[best]! * against[i]!) best = i;
      });
      if (best === undefined) return assertEquals(found, undefined);
      const place = Number(found!.key), { loss } = found!;
      const share = (value: bigint): number => Number(value >> 100n) / 2 ** 100;
      assert(
        found!.left.lower <= share(p[place]!) + 1e-15 &&
          found!.left.upper >= share(p[place]!) - 1e-15,
      );
      assert(
        found!.right.lower <= share(q[place]!) + 1e-15 &&
          found!.right.upper >= share(q[place]!) - 1e-15,
      );
      if (against[place] === 0n) return assertEquals(loss, { lower: Infinity, upper: Infinity });
      if (p.some((value, i) => value > 0n && against[i] === 0n)) {
        return assert(false, "an infinite loss was not found");
      }
      // The same ratio, or one equal to it.
      assertEquals(p[place]! * against[best]!, p[best]! * against[place]!);
      const log = (a: bigint, b: bigint): BigNumber => big(a).div(big(b)).ln();
      const least = log(p[place]!, against[place]! + (complete ? BigInt(s) : 0n));
      assert(
        least.gte(big(loss.lower)) && least.minus(big(loss.lower)).abs().lte(1e-12),
        `${least} ${loss.lower}`,
      );
      if (!complete) return assertEquals(loss.upper, Infinity);
      const most = log(p[place]! + BigInt(r), q[place]!);
      assert(
        most.lte(big(loss.upper)) && most.minus(big(loss.upper)).abs().lte(1e-12),
        `${most} ${loss.upper}`,
      );
    }),
    { seed: 2609, numRuns: 600 },
  );
});

// Mutants: powers of two beyond the doubles left out, or counted twice.
Deno.test("largestLoss() is k·ln 2 for ratios of 2^k, in the doubles and beyond them", () => {
  const complete = { remainder: 0n, complete: true };
  for (const k of [0, 1, 2, 63, 64, 65, 500, 835, 836, 837, 900, 1000, 1100, 2000, 2900, 4000]) {
    const left = lawOf([1n << BigInt(k)], complete), right = lawOf([1n], complete);
    const { lower, upper } = largestLoss({ left, right }, { bits: 4096 })!.loss;
    const loss = k * Math.LN2, near = 2e-14 * (1 + loss);
    assert(lower <= loss && loss <= upper && upper - lower < near, `2^${k}: ${lower} to ${upper}`);
  }
});

Deno.test("largestLoss() tells apart ratios that doubles do not", () => {
  const third = unit / 3n;
  for (const way of [1n, -1n]) {
    const left = lawOf([third, third + way, third], { remainder: 0n, complete: true });
    const right = lawOf([third, third, third], { remainder: 0n, complete: true });
    assertEquals(largestLoss({ left, right }, { bits })!.key, way > 0n ? "1" : "0");
  }
});

/** Σ (p − e^ε·q)⁺ less what a remainder may explain, and δ, in 80 digits. */
function excess({ left, right }: LawsOfPair, epsilon: number, delta: number): BigNumber {
  const factor = big(epsilon).exp();
  let sum = big(0).minus(factor.times(big(right.remainder)));
  for (const [key, { lower }] of left.outputs) {
    const each = big(lower).minus(factor.times(big(right.outputs.get(key)?.lower ?? 0n)));
    if (each.gt(0)) sum = sum.plus(each);
  }
  return sum.div(big(unit)).minus(big(delta));
}

// Mutants: a lower bound of 0 taken for an output that the other law lacks, or that this one has with probability 0.
Deno.test("largestLoss() of outputs too rare for a digit is bounded by what rounding took away", () => {
  const rare = (p: bigint): OutputLaw => ({
    ...lawOf([unit - 9n], { remainder: 4n, complete: true }),
    outputs: new Map([["0", { output: 0, lower: p, terms: new Map() }]]),
  });
  const [one, none] = [rare(unit - 9n), rare(0n)];
  const { loss } = largestLoss({ left: one, right: none }, { bits })!;
  // 2^200 − 9 against 4 at most.
  assert(loss.lower <= 198 * Math.LN2 && loss.lower > 198 * Math.LN2 - 1e-9);
  assertEquals(loss.upper, Infinity);
  assertEquals(largestLoss({ left: none, right: one }, { bits }), undefined);
  const two = (first: bigint): OutputLaw => ({
    ...one,
    outputs: new Map([first, unit / 2n].map((lower, i) => [
      `${i}`,
      { output: i, lower, terms: new Map() },
    ])),
  });
  // The rare one may lose more than the other.
  for (const [left, right] of [[two(0n), two(5n)], [two(5n), two(5n)]] as const) {
    assertEquals(
      largestLoss({ left, right }, { bits })!.loss.upper === Infinity,
      left.outputs.get("0")!.lower === 0n,
    );
  }
});

// Mutants: ends that are not looked at; the least of some pairs in place of the largest; δ or a remainder left out; a search that ends far from
// the edge.
Deno.test("leastEpsilon() has an end that is refuted and one that is not, near each other, over all pairs", () => {
  const common = fc.bigInt({ min: unit >> 40n, max: unit >> 3n });
  const row = fc.array(common, { minLength: 5, maxLength: 5 });
  let large = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(row, row, fc.nat(5)), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 0, 1e-6, 0.01, 0.2),
      (laws, delta) => {
        const pairs = laws.map(([p, q, s]): LawsOfPair => ({
          left: lawOf(p, { remainder: 0n, complete: false }),
          right: lawOf(q, { remainder: BigInt(s) << 60n, complete: false }),
        }));
        const { lower, upper } = leastEpsilon(pairs, { delta, units });
        assert(upper >= lower && upper - lower <= 4e-11 * (1 + lower), `${lower} ${upper}`);
        assert(pairs.every((pair) => excess(pair, upper, delta).lte(1e-15)));
        if (lower > 0) assert(pairs.some((pair) => excess(pair, lower, delta).gte(-1e-15)));
        if (lower > 5) large++;
      },
    ),
    { seed: 2610, numRuns: 150 },
  );
  assert(large > 10, `${large}`);
});

Deno.test("leastEpsilon() is 0 for equal laws, and infinite where more than δ has no counterpart", () => {
  const half = unit / 2n, whole = { remainder: 0n, complete: false };
  const even = lawOf([half, half], whole),
    one = lawOf([unit - (unit >> 10n), 0n, unit >> 10n], whole);
  assertEquals(leastEpsilon([{ left: even, right: even }], { delta: 0, units }), {
    lower: 0,
    upper: 0,
  });
  assertEquals(leastEpsilon([{ left: one, right: even }], { delta: 0, units }), {
    lower: 700,
    upper: Infinity,
  });
  const { lower, upper } = leastEpsilon([{ left: one, right: even }], { delta: 2 ** -9, units });
  // 1 − 2^-10 − e^ε/2 + 2^-10 = 2^-9.
  const edge = Math.log(2 * (1 - 2 ** -9));
  assert(lower <= edge && upper >= edge - 1e-10 && upper - lower < 1e-10);
});

Deno.test("leastEpsilon() counts a loss above 700 as infinite, and no other", () => {
  const bits = 1100, wide = { ...units, bits };
  const law = (power: bigint): OutputLaw => lawOf([1n << power], { remainder: 0n, complete: true });
  const of = (power: bigint): { lower: number; upper: number } =>
    leastEpsilon([{ left: law(1099n), right: law(1099n - power) }], { delta: 0, units: wide });
  assertEquals(of(1010n), { lower: 700, upper: Infinity });
  const { lower, upper } = of(1009n), exact = 1009 * Math.LN2;
  assert(lower <= exact && exact <= upper && upper - lower < 1e-7, `${lower} ${upper}`);
});
