import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { estimatedChoice, exactChoice } from "../../../lib/core/random/exact_choice.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquarePValue } from "./chi_square.ts";
import { withExactly } from "./exact_words.ts";
import { scripted } from "./integer_noise_laws.ts";

// False-alarm rate 1e-6 a check; seeds were fixed before the first run.
Deno.test("exactChoice() chooses with the stated probabilities", () => {
  const cases = [
    { exponents: [0, 1, 2, 0.5, 3], multiplicities: [1, 1, 1, 1, 1] },
    { exponents: [-5, -4, 1e6, -5.25], multiplicities: [1, 2, 1, 1] },
    { exponents: [0, -1, 2, 2], multiplicities: [0, 10, 3, 0] },
    { exponents: [7], multiplicities: [4] },
  ];
  const draws = 100_000;
  for (const { exponents, multiplicities } of cases) {
    const choose = exactChoice(
      exponents.map((x, i) => ({
        exponent: rational(x),
        multiplicity: BigInt(multiplicities[i]!),
      })),
    );
    const source = new SeededSource(61);
    const counts = new Float64Array(exponents.length);
    for (let i = 0; i < draws; i++) counts[choose(source)]!++;
    const least = Math.min(...exponents);
    const weights = exponents.map((x, i) => multiplicities[i]! * Math.exp(least - x));
    const total = weights.reduce((a, b) => a + b);
    weights.forEach((weight, i) => assert(weight > 0 || counts[i] === 0));
    if (exponents.length > 1) {
      assert(chiSquarePValue(counts, weights.map((w) => w / total * draws)) > 1e-6);
    }
  }
});

Deno.test("exactChoice() settles an undecided word by further digits in the right proportion", () => {
  const scaled = 2 ** 32 / (1 + Math.exp(-1));
  const word = Math.floor(scaled), share = scaled - word, draws = 20_000;
  const choose = exactChoice([{ exponent: rational(0) }, { exponent: rational(1) }]);
  const rest = new SeededSource(62);
  let first = 0;
  for (let i = 0; i < draws; i++) if (choose(scripted([word], rest)) === 0) first++;
  // Five standard deviations: false-alarm rate 6e-7.
  assert(Math.abs(first - draws * share) < 5 * Math.sqrt(draws * share * (1 - share)));
  assertEquals(choose(scripted([word - 1], rest)), 0);
  assertEquals(choose(scripted([word + 1], rest)), 1);
});

Deno.test("exactChoice() splits equal weights of a power of two exactly", () => {
  const choose = exactChoice(Array.from({ length: 4 }, () => ({ exponent: rational(1, 3) })));
  for (let i = 0; i < 4; i++) {
    assertEquals(choose(scripted([i * 2 ** 30, 5], new SeededSource(63))), i);
    assertEquals(choose(scripted([(i + 1) * 2 ** 30 - 1, 5], new SeededSource(63))), i);
  }
});

Deno.test("exactChoice() refuses nothing to choose from", () => {
  assertThrows(() => exactChoice([]), RangeError, "must not be empty");
  assertThrows(
    () => exactChoice([{ exponent: rational(1), multiplicity: 0n }]),
    RangeError,
    "must not be empty",
  );
});

Deno.test("exactChoice() chooses the last one up to the last word of all", () => {
  const ones = 2 ** 32 - 1;
  const choose = exactChoice([0, 30].map((x) => ({ exponent: rational(x) })));
  assertEquals(withExactly([ones, ones], choose), 1);
  assertEquals(withExactly([ones, 0], choose), 0);
  assertEquals(withExactly([ones], exactChoice([{ exponent: rational(3) }])), 0);
});

Deno.test("exactChoice() counts a choice without multiplicity once, and skips those of none", () => {
  const choose = exactChoice([
    { exponent: rational(5), multiplicity: 0n },
    { exponent: rational(2) },
    { exponent: rational(-9), multiplicity: 0n },
    { exponent: rational(2), multiplicity: 3n },
    { exponent: rational(2), multiplicity: 0n },
  ]);
  assertEquals(withExactly([2 ** 30 - 2], choose), 1);
  assertEquals(withExactly([2 ** 30 + 1], choose), 3);
  const far = exactChoice([0, 1000, 1000].map((x) => ({
    exponent: rational(x),
    multiplicity: BigInt(Math.sign(x)),
  })));
  assertEquals(withExactly([2 ** 31 + 1], far), 2);
});

Deno.test("estimatedChoice() takes the same words for the same index as exactChoice(), at every boundary", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.double({ min: 0, max: 800, noNaN: true }),
          fc.integer({ min: 1, max: 2 ** 40 }),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      // Shares that are multiples of 2^−32 too.
      fc.boolean(),
      fc.array(fc.nat(2 ** 32 - 1), { minLength: 8, maxLength: 8 }),
      fc.constantFrom(2 ** -50, 2 ** -30, 0.1, 10),
      (drawn, equal, words, relativeError) => {
        const weights = [[0, 1] as const, ...drawn].map(([exponent, multiplicity]) =>
          equal ? { exponent: 0, multiplicity: 1 } : { exponent, multiplicity }
        );
        const choices = weights.map(({ exponent, multiplicity }) => ({
          exponent: rational(exponent),
          multiplicity: BigInt(multiplicity),
        }));
        const estimates = Float64Array.from(
          weights,
          ({ exponent, multiplicity }, i) =>
            Math.exp(-exponent) * multiplicity *
            (1 + (i % 2 === 0 ? 1 : -1) * Math.min(relativeError, 2 ** -30) / 2),
        );
        const total = estimates.reduce((a, b) => a + b);
        let sum = 0;
        const boundaries = Array.from(
          estimates,
          (estimate) => Math.floor((sum += estimate) / total * 2 ** 32),
        )
          .flatMap((word) => [-2, -1, 0, 1, 2].map((k) => word + k))
          .filter((word) => word >= 0 && word < 2 ** 32);
        const asked = () => choices;
        const choosers = [
          exactChoice(choices),
          estimatedChoice({
            estimates,
            relativeError: Math.max(relativeError, 2 ** -30),
            choices: asked,
          }),
        ];
        for (const word of [0, 2 ** 32 - 1, ...boundaries, ...words]) {
          const [a, b] = choosers.map((choose) => {
            const rest = new SeededSource(64), index = choose(scripted([word], rest));
            return [index, rest.uint32()];
          });
          assertEquals(a, b);
        }
      },
    ),
    { seed: 4305, numRuns: 500 },
  );
});
