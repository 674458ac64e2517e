import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { privacyOdometer } from "../../../../lib/dp/accounting/budget/privacy_odometer.ts";
import { approximate, pure, renyi, zcdp } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { exactOf } from "../../../../lib/core/numeric/amount.ts";
import { add, compare, multiply, rational } from "../../../../lib/core/numeric/rational.ts";
import { type BigNumber, bigNumber as big } from "../../../core/numeric/big_number.ts";
import { epsilons, slacks } from "../arbitraries.ts";

// Mutants: slope for 2R₀; the whole slack for each of several lines.
Deno.test("privacyOdometer() reads a filter's price when it is where it was tuned for", () => {
  const half = zcdp({ rho: 0.25, relation });
  const one = privacyOdometer({ slack: 1e-6, tunedFor: [0.5] }).after(half).after(half);
  assertAlmostEquals(one.epsilon, 0.5 + 2 * Math.sqrt(0.5 * Math.log(1e6)), 1e-12);
  assertEquals(one.delta, 1e-6);
  const two = privacyOdometer({ slack: 1e-6, tunedFor: [0.5, 5] }).after(half).after(half);
  assertAlmostEquals(two.epsilon, 0.5 + 2 * Math.sqrt(0.5 * Math.log(2e6)), 1e-12);
});

// Mutant: the bound at one time only, √(2R ln(1/δ)) at every reading, which is not uniform in time.
Deno.test("privacyOdometer() never reads below what Chernoff's bound gives, and only goes up", () => {
  fc.assert(
    fc.property(fc.array(epsilons, { maxLength: 20 }), slacks, (steps, slack) => {
      let odometer = privacyOdometer({ slack, tunedFor: [0.01, 0.1, 1, 10] });
      for (const epsilon of steps) {
        const next = odometer.after(pure({ epsilon, relation }));
        assert(next.epsilon > odometer.epsilon && next.rho > odometer.rho);
        assert(next.epsilon >= next.rho + 2 * Math.sqrt(next.rho * Math.log(1 / slack)));
        odometer = next;
      }
    }),
    { seed: 131 },
  );
  assertEquals(privacyOdometer({ slack: 0.1, tunedFor: [1] }).epsilon, 0);
});

// Mutant: sums of doubles as they come, some of which are below the exact sum.
Deno.test("privacyOdometer() holds at least the exact sum of the decimals of ρ, and of δ", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(epsilons, fc.double({ min: 1e-12, max: 1e-3, noNaN: true })), {
        minLength: 2,
        maxLength: 40,
      }),
      (parts) => {
        let odometer = privacyOdometer({ slack: 1e-6, tunedFor: [1] });
        let [rho, delta] = [rational(0), exactOf(1e-6)];
        for (const [value, more] of parts) {
          odometer = odometer.after(zcdp({ rho: value, relation }));
          odometer = odometer.after(approximate({ epsilon: value, delta: more, relation }));
          // zCDP of ε is ε²/2 (Bun, Steinke 2016, Proposition 1.4).
          const half = multiply(rational(0.5), multiply(exactOf(value), exactOf(value)));
          rho = add(add(rho, exactOf(value)), half);
          delta = add(delta, exactOf(more));
        }
        assert(compare(exactOf(odometer.rho), rho) >= 0);
        assert(compare(exactOf(odometer.delta), delta) >= 0);
      },
    ),
    { seed: 2107, numRuns: 300 },
  );
});

/**
 * The loss of randomised responses run one after the other, stopped at the worst moment: the chance that
 * it was ever above the reading, exactly, by the distribution of the walk that has not crossed yet.
 */
function everAbove(epsilon: number, { slack, steps }: { slack: number; steps: number }): number {
  let odometer = privacyOdometer({ slack, tunedFor: [0.5] });
  const truth = 1 / (1 + Math.exp(-epsilon));
  let walk = new Map([[0, 1]]), crossed = 0;
  for (let step = 0; step < steps; step++) {
    odometer = odometer.after(pure({ epsilon, relation }));
    const next = new Map<number, number>();
    for (const [at, probability] of walk) {
      for (const [move, chance] of [[1, truth], [-1, 1 - truth]] as const) {
        if ((at + move) * epsilon > odometer.epsilon) crossed += probability * chance;
        else next.set(at + move, (next.get(at + move) ?? 0) + probability * chance);
      }
    }
    walk = next;
  }
  return crossed;
}

// Mutant: a reading of R + √(2R·ln(1/slack)), which is crossed far more often than the slack allows.
Deno.test("privacyOdometer() is exceeded with probability at most the slack at any time", () => {
  for (const slack of [0.3, 0.05, 0.001]) {
    const probability = everAbove(0.1, { slack, steps: 400 });
    assert(probability <= slack, `${probability}`);
    assert(probability > 0.05 * slack, `${probability}: a bound this loose is no test`);
  }
});

Deno.test("privacyOdometer() adds the claims' own δ and refuses Rényi claims", () => {
  const odometer = privacyOdometer({ slack: 1e-6, tunedFor: [1] });
  const { delta } = odometer.after(approximate({ epsilon: 0.1, delta: 1e-6, relation }));
  assert(delta >= 2e-6 && delta < 2.0001e-6);
  assertThrows(() => odometer.after(renyi({ order: 2, epsilon: 1, relation })), TypeError, "renyi");
  assertThrows(() => privacyOdometer({ slack: 0.1, tunedFor: [] }), RangeError, "at least one");
});

// Mutants: a reading, a sum of ρ or of δ rounded to nearest; δ beyond 1.
Deno.test("privacyOdometer() rounds ρ, δ and its readings up", () => {
  const amount = fc.double({ min: 1e-3, max: 0.3, noNaN: true });
  const decimal = (value: number): BigNumber => {
    const { numerator, denominator } = exactOf(value);
    return big(numerator).div(big(denominator));
  };
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), slacks, (amounts, slack) => {
      let odometer = privacyOdometer({ slack, tunedFor: [1] }), rho = big(0);
      let delta = decimal(slack);
      for (const each of amounts) {
        odometer = odometer.after(approximate({ epsilon: each, delta: each / 40, relation }));
        rho = rho.plus(decimal(each).times(decimal(each)).div(2));
        delta = delta.plus(decimal(each / 40));
        assert(rho.lte(decimal(odometer.rho)) && delta.lte(decimal(odometer.delta)));
        const read = big(odometer.rho), slope = big(slack).ln().negated().sqrt();
        const exact = read.plus(slope.times(read)).plus(slope);
        assert(exact.lte(odometer.epsilon));
        assert(exact.times(1 + 1e-13).gte(odometer.epsilon));
      }
      assert(rho.times(1 + 1e-12).gte(odometer.rho));
      assert(delta.times(1 + 1e-12).gte(odometer.delta));
    }),
    { seed: 132, numRuns: 60 },
  );
  let odometer = privacyOdometer({ slack: 0.5, tunedFor: [1] });
  for (let i = 0; i < 3; i++) {
    odometer = odometer.after(approximate({ epsilon: 1, delta: 0.3, relation }));
  }
  assertEquals(odometer.delta, 1);
});

// Mutants: the first claim; the largest of them; the least ρ whatever its δ.
Deno.test("privacyOdometer() counts the claim of least δ, and of these the one of least ρ", () => {
  const odometer = privacyOdometer({ slack: 1e-6, tunedFor: [1] });
  const forms = [
    approximate({ epsilon: 0.1, delta: 1e-3, relation }),
    approximate({ epsilon: 0.2, delta: 1e-9, relation }),
    zcdp({ rho: 0.5, relation }),
    pure({ epsilon: 0.5, relation }),
    renyi({ order: 2, epsilon: 0.01, relation }),
  ];
  for (let first = 0; first < forms.length; first++) {
    const others = forms.filter((_, i) => i !== first);
    const { rho, delta } = odometer.after(forms[first]!, others);
    assertAlmostEquals(rho, 0.125, 1e-15);
    assertEquals(delta, 1e-6);
  }
});
