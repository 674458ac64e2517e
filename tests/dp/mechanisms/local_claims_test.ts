import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { keepOrReplace, perturbedDatabase } from "../../../lib/dp/mechanisms/input_perturbation.ts";
import { rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../lib/core/numeric/rational.ts";
import { exactLog, isJustAbove } from "./exact_log.ts";

const one = rational(1);

Deno.test("exactLog() has the digits of tables", () => {
  // ln 3, OEIS A002391; ln 10, OEIS A002392.
  const digits = (value: number): string =>
    (exactLog(rational(value)).numerator * 10n ** 40n / exactLog(rational(value)).denominator)
      .toString();
  assertEquals(digits(3), "10986122886681096913952452369225257046474");
  assertEquals(digits(10), "23025850929940456840179914546843642076011");
  assertEquals(toNumber(exactLog(rational(1))), 0);
});

// Mutants: no margin for rounding in the logarithm; none in the chances.
Deno.test("perturbedDatabase() claims no less than the logarithm of the exact ratio of its chances", () => {
  for (const size of [2, 3, 10, 1001, 2 ** 16]) {
    for (let keep = 0.05; keep < 0.99; keep += 0.057) {
      for (const kept of [keep, 1 / size + 1e-9 * keep, 1 / size + 1e-13 * keep]) {
        const mechanism = perturbedDatabase(keepOrReplace({ size, keep: kept }));
        assert(mechanism.claim.kind === "pure");
        const other = divide(subtract(one, rational(kept)), rational(size - 1));
        const [more, less] = subtract(rational(kept), other).numerator >= 0n
          ? [rational(kept), other]
          : [other, rational(kept)];
        const exact = exactLog(divide(more, less));
        assert(
          isJustAbove(mechanism.claim.epsilon, exact, { share: 1e-14, slack: 1e-14 }),
          `size ${size}, keep ${kept}`,
        );
      }
    }
  }
});

// Mutants: ε to the nearest double; hashes that are left out.
Deno.test("rappor() claims no less than the logarithm of the exact odds, times the hashes", () => {
  for (const hashes of [1, 2, 5]) {
    for (const forget of [1e-9, 0.01, 0.1, 0.3, 0.5, 0.77, 0.99, 1 - 1e-9]) {
      for (const instantaneous of [undefined, { one: 0.75, zero: 0.5 }, { one: 0.9, zero: 0.1 }]) {
        const options = instantaneous === undefined ? {} : { instantaneous };
        const { claim, name } = rappor({ bits: 8, hashes, forget, ...options });
        assertEquals(name, instantaneous === undefined ? "one-time RAPPOR" : "RAPPOR");
        assert(claim.kind === "pure");
        const half = divide(rational(forget), rational(2));
        const { one: q, zero: p } = instantaneous ?? { one: 1, zero: 0 };
        // The chance of a 1 for a set bit and for one that is not (Erlingsson and others 2014, Lemma 1).
        const mixed = (set: Rational): Rational =>
          subtract(
            multiply(set, rational(q)),
            multiply(subtract(set, one), rational(p)),
          );
        const set = mixed(subtract(one, half)), unset = mixed(half);
        const odds = divide(
          multiply(set, subtract(one, unset)),
          multiply(unset, subtract(one, set)),
        );
        // Two words may share no bit: each hash is then such a pair of bits.
        const exact = multiply(exactLog(odds), rational(hashes));
        assert(isJustAbove(claim.epsilon, exact, { share: 1e-13, slack: 1e-300 }));
      }
    }
  }
});

// Mutants: a report on two rows; one of another length; a bit that is neither 0 nor 1.
Deno.test("reports in bits are about one row, and give other outputs no chance", () => {
  const categories = ["a", "b", "c"];
  const encoding = unaryEncoding({ epsilon: 1, categories, variant: "symmetric" });
  for (const mechanism of [encoding, rappor({ bits: 3, hashes: 1, forget: 0.5 })]) {
    for (const data of [[], ["a", "b"]]) {
      assertThrows(() => mechanism.check!(data), RangeError, "about one row");
    }
    let total = 0;
    for (let bits = 0; bits < 8; bits++) {
      total += Math.exp(mechanism.logDensity!([bits & 1, (bits >> 1) & 1, bits >> 2], ["a"]));
    }
    assertAlmostEquals(total, 1, 1e-12);
    for (const none of [[], [0, 0], [0, 0, 0, 0], [0, 2, 0], [-1, 0, 0], [0.5, 0, 0]]) {
      assertEquals(mechanism.logDensity!(none, ["a"]), -Infinity);
    }
  }
  for (const wrong of [[], ["a"], ["a", "b", "a"]]) {
    assertThrows(
      () => unaryEncoding({ epsilon: 1, categories: wrong, variant: "symmetric" }),
      RangeError,
      "categories must be at least 2 and all different",
    );
  }
});
