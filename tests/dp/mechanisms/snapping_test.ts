import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { snapping, snappingScale } from "../../../lib/dp/mechanisms/snapping.ts";
import { divide, multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { breachOfDraws } from "../../../lib/judge/testing/laws/stated_laws.ts";

const options = {
  query: (rows: readonly number[]) => rows[0]!,
  epsilon: 0.5,
  sensitivity: 1,
  bound: 21,
  relation: replaceOne,
};

/** The words of a uniform and of a sign, in this order, and none besides. */
function wordsOf(words: readonly number[]): Source {
  const left = [...words];
  const none = (): never => {
    throw new Error("nothing else may be drawn");
  };
  return {
    kind: "seeded",
    uint32: () => left.shift() ?? none(),
    uniform: none,
    fillUint32: none,
    split: none,
  };
}

// Mutants: no margin for the bound; no margin for rounding.
Deno.test("snappingScale() is (1 + 2⁻⁴⁹·B)/ε and never below it, in exact fractions", () => {
  for (const epsilon of [1e-3, 0.1, 0.3, 0.7, 1, Math.PI, 10]) {
    for (let most = 1.7; most < 2 ** 46; most *= 9.1) {
      const exact = divide(
        subtract(rational(1), multiply(rational(-most), rational(1, 2n ** 49n))),
        rational(epsilon),
      );
      const scale = rational(snappingScale({ epsilon, most }));
      assert(subtract(scale, exact).numerator >= 0n, `below it at ${epsilon} and ${most}`);
      const over = multiply(exact, rational(2n ** 49n + 1n, 2n ** 49n));
      assert(subtract(over, scale).numerator > 0n);
    }
  }
});

/** P(X ≤ x) of the Laplace law. */
function laplaceBelow(x: number, scale: number): number {
  return x < 0 ? 0.5 * Math.exp(x / scale) : 1 - 0.5 * Math.exp(-x / scale);
}

// Mutants: cells at the ends that end; steps of the bound; values in other units than outputs.
Deno.test("snapping() states the law of its definition, and draws it, in units of any sensitivity", () => {
  for (
    const [sensitivity, epsilon, bound] of [[1, 0.6, 21], [2.5, 0.8, 11], [0.25, 1.9, 2]] as const
  ) {
    const mechanism = snapping({ ...options, sensitivity, epsilon, bound });
    const most = bound / sensitivity, scale = 1 / epsilon;
    const step = 2 ** Math.ceil(Math.log2(scale));
    for (const value of [0, 0.3 * bound, -bound, 0.99 * bound, 3 * bound, -3 * bound]) {
      const at = Math.min(most, Math.max(-most, value / sensitivity));
      const expected = new Map<number, number>();
      for (let cell = -400; cell <= 400; cell++) {
        const output = Math.min(most, Math.max(-most, cell * step)) * sensitivity;
        const mass = laplaceBelow((cell + 0.5) * step - at, scale) -
          laplaceBelow((cell - 0.5) * step - at, scale);
        expected.set(output, (expected.get(output) ?? 0) + mass);
      }
      const law = mechanism.distribution!([value]);
      assertEquals(law.map(({ output }) => output), [...expected.keys()]);
      for (const { output, probability } of law) {
        assertAlmostEquals(probability, expected.get(output)!, 1e-12);
      }
      const source = new SeededSource(1602).split(Math.abs(Math.round(value)));
      const outputs = Array.from({ length: 4000 }, () => mechanism.sample([value], source));
      assertEquals(
        breachOfDraws(mechanism as Mechanism, { data: [value], drawn: outputs }),
        undefined,
      );
      assert(!outputs.some((output) => Object.is(output, -0)));
    }
  }
});

// Mutants: digits of the uniform that are left out or in the wrong place; a word of zeros that ends it.
Deno.test("snapping() takes the logarithm of all 52 digits of its uniform", () => {
  const epsilon = 0.6, bound = 1000, step = 2;
  const scale = snappingScale({ epsilon, most: bound });
  const mechanism = snapping({ ...options, epsilon, bound });
  const cases: [number[], number][] = [
    // The first word says how many halvings, the next two the digits after them.
    [[2 ** 31, 0x12345678, 2 ** 31], 0.5 * (1 + 0x12345678 * 2 ** -32 + 2 ** -33)],
    [[2 ** 31, 0x12345678, 2 ** 30], 0.5 * (1 + 0x12345678 * 2 ** -32 + 2 ** -34)],
    [[0, 2 ** 30, 2 ** 31, 0], 2 ** -34 * 1.5],
    [[1, 0, 0], 2 ** -32],
  ];
  for (const [words, uniform] of cases) {
    for (const sign of [0, 2 ** 31]) {
      const noise = (sign === 0 ? -1 : 1) * scale * Math.log(uniform);
      // Half a step from a multiple, a little below and above: 2⁻³⁵ of the uniform moves it over.
      const edge = (Math.round(noise / step) + 0.5) * step - noise;
      for (const [by, cell] of [[-1, 0], [1, 1]] as const) {
        const output = mechanism.sample([edge + by * 2 ** -36], wordsOf([...words, sign]));
        assertEquals(output, (Math.round(noise / step) + cell) * step);
      }
    }
  }
});
