import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { approximateEpsilon } from "../../../../lib/judge/exact/enumeration/approximate_epsilon.ts";
import type { OutputLaw } from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";

const BITS = 200, MOST = 700;

/** A law of these probabilities, multiples of 2^-53; outputs of 0 are not in it. */
function lawOf(probabilities: readonly number[], remainder: number): OutputLaw {
  const units = (x: number): bigint => BigInt(Math.round(x * 2 ** 53)) << BigInt(BITS - 53);
  return {
    outputs: new Map(
      probabilities.map((p, i) =>
        [String(i), { output: i, lower: units(p), terms: new Map() }] as const
      ).filter(([, { lower }]) => lower > 0n),
    ),
    remainder: units(remainder),
    complete: remainder === 0,
    cut: 0n,
    branches: 0,
  };
}

/** Σ (p − e^ε·q)⁺ − e^ε·r − δ. */
function excess(
  p: readonly number[],
  { q, remainder, delta, epsilon }: {
    q: readonly number[];
    remainder: number;
    delta: number;
    epsilon: number;
  },
): number {
  const factor = Math.exp(epsilon);
  return p.reduce((sum, each, i) => sum + Math.max(0, each - factor * q[i]!), 0) -
    factor * remainder - delta;
}

// Mutants: the probabilities of one law for those of the other, the remainder or δ left out, an end that is not moved, a middle that lies
// elsewhere, too few steps, an output of one law only left out.
Deno.test("approximateEpsilon() lies where the excess over δ ends, whatever the laws are", () => {
  const mass = fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.double({ min: 2 ** -30, max: 0.15, noNaN: true }) },
  ).map((x) => Math.round(x * 2 ** 53) / 2 ** 53);
  const masses = fc.array(mass, { minLength: 6, maxLength: 6 });
  const small = fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1e-3, noNaN: true }));
  let inside = 0;
  fc.assert(
    fc.property(
      masses,
      masses,
      small,
      small,
      fc.constantFrom(0, 0.5, 2),
      (p, q, r, delta, from) => {
        const remainder = Math.round(r * 2 ** 53) / 2 ** 53;
        const laws = { left: lawOf(p, 0), right: lawOf(q, remainder) };
        const found = approximateEpsilon(laws, { delta, bits: BITS, from, most: MOST });
        const at = (epsilon: number): number => excess(p, { q, remainder, delta, epsilon });
        const near = 1e-11 * (1 + found);
        assert(found >= from && found <= MOST, `${found}`);
        if (found - near > from) assert(at(found - near) > -1e-15, `refuted below ${found}`);
        if (found + near < MOST) assert(at(found + near) <= 1e-15, `not refuted above ${found}`);
        if (at(from) <= -1e-15) assert(found <= from + near, "not refuted where it begins");
        inside += Number(found - near > from && found + near < MOST);
      },
    ),
    { seed: 2611, numRuns: 1000 },
  );
  assert(inside > 500, `${inside} inside`);
});

Deno.test("approximateEpsilon() is the logarithm of a ratio where nothing is left out, up to the limit", () => {
  for (const epsilon of [1e-6, 0.3, 1, 3.9, 4.1, 9, 30]) {
    const p = 0.5, q = 0.5 * Math.exp(-epsilon);
    const laws = { left: lawOf([p], 0), right: lawOf([q], 0) };
    const exact = Math.log(p / (Math.round(q * 2 ** 53) / 2 ** 53));
    const found = approximateEpsilon(laws, { delta: 0, bits: BITS, from: 0, most: MOST });
    assert(Math.abs(found - exact) <= 1e-13 * (1 + exact), `${found} for ${exact}`);
  }
  const apart = { left: lawOf([0.5], 0), right: lawOf([0], 0) };
  assertEquals(approximateEpsilon(apart, { delta: 0, bits: BITS, from: 0, most: MOST }), MOST);
});
