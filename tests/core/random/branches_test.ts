import { assert, assertEquals, assertThrows } from "@std/assert";
import type { DiscreteLaw, WeightedIndex } from "../../../lib/core/mechanism/discrete_law.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { drawDiscreteGaussian } from "../../../lib/core/random/discrete_gaussian.ts";
import { drawDiscreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { discreteSource } from "../../../lib/core/random/discrete_source.ts";
import { drawGeometric } from "../../../lib/core/random/draw_geometric.ts";
import {
  exactBernoulli,
  exponentialBernoulli,
  fairBit,
  randomBigInteger,
} from "../../../lib/core/random/exact_bernoulli.ts";
import { exactChoice } from "../../../lib/core/random/exact_choice.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { weightedIndex } from "../../../lib/core/random/weighted_index.ts";

/** A source that enumerates: it answers with `answers`, one after the other, keeps the laws asked for, and has no words. */
function answering(...answers: number[]): { source: Source; laws: DiscreteLaw[] } {
  const laws: DiscreteLaw[] = [];
  const none = (): never => {
    throw new Error("an exact sampler drew a word from a source that enumerates");
  };
  const source: Source = {
    kind: "seeded",
    uint32: none,
    uniform: none,
    fillUint32: none,
    split: none,
    branch: (law) => {
      laws.push(law);
      return answers[laws.length - 1]!;
    },
  };
  return { source, laws };
}

/** A source of these words. */
function wordsOf(...words: number[]): Source {
  const left = [...words];
  return { ...new SeededSource(0), kind: "seeded", uint32: () => left.shift()! } as Source;
}

const zero = rational(0);
const coin = (numerator: bigint, denominator: bigint): DiscreteLaw => ({
  kind: "choice",
  weights: [
    { exponent: zero, multiplicity: numerator },
    { exponent: zero, multiplicity: denominator - numerator },
  ],
});

// Mutants: each sampler drawing although the source enumerates; the rate for the scale; coins turned over.
Deno.test("every exact sampler asks a source that enumerates for its law, and gives what it answers", () => {
  const third = rational(1, 3), half = rational(1, 2);
  const choices: WeightedIndex[] = [{ exponent: half }, { exponent: third, multiplicity: 2n }];
  const cases: [(source: Source) => unknown, DiscreteLaw, number, unknown][] = [
    [exactBernoulli(third), coin(1n, 3n), 0, true],
    [exactBernoulli(third), coin(1n, 3n), 1, false],
    [
      (source) => exponentialBernoulli(source, { exponent: third }),
      { kind: "exponential coin", exponent: third },
      1,
      true,
    ],
    [
      (source) => exponentialBernoulli(source, { exponent: third }),
      { kind: "exponential coin", exponent: third },
      0,
      false,
    ],
    [fairBit, { kind: "uniform", below: 2n }, 1, 1],
    [
      (source) => randomBigInteger(source, { below: 7n }),
      { kind: "uniform", below: 7n },
      5,
      5n,
    ],
    [(source) => randomInteger(source, { below: 7 }), { kind: "uniform", below: 7n }, 5, 5],
    [exactChoice(choices), { kind: "choice", weights: choices }, 1, 1],
    [
      weightedIndex([2n, 0n, 3n]),
      {
        kind: "choice",
        weights: [2n, 0n, 3n].map((multiplicity) => ({ exponent: zero, multiplicity })),
      },
      2,
      2,
    ],
    [
      (source) => drawGeometric(source, { rate: third }),
      { kind: "geometric", rate: third },
      4,
      4n,
    ],
    [
      (source) => drawDiscreteLaplace(source, { scale: third }),
      { kind: "discrete laplace", rate: rational(3) },
      -4,
      -4n,
    ],
    [
      (source) => drawDiscreteGaussian(source, { variance: third }),
      { kind: "discrete gaussian", variance: third },
      -4,
      -4n,
    ],
  ];
  for (const [draw, law, answer, value] of cases) {
    const { source, laws } = answering(answer);
    assertEquals(draw(source), value);
    assertEquals(laws, [law]);
  }
});

// Mutants: a bit that is not the first; an index whose share is off by one; weights of 0 that are drawn.
Deno.test("fairBit() and weightedIndex() give each word its share", () => {
  assertEquals([0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((word) => fairBit(wordsOf(word))), [
    0,
    0,
    1,
    1,
  ]);
  // The first three bits of a word are a number below 8: each of the eight falls to the index of its share.
  const places = (weights: bigint[]): number[] => {
    const draw = weightedIndex(weights);
    return Array.from({ length: 8 }, (_, i) => draw(wordsOf(i * 2 ** 29, 0)));
  };
  assertEquals(places([3n, 0n, 1n, 4n]), [0, 0, 0, 2, 3, 3, 3, 3]);
  // 5, 6 and 7 are drawn again: the next word is 0.
  assertEquals(places([0n, 2n, 3n]), [1, 1, 2, 2, 2, 1, 1, 1]);
  assertEquals(weightedIndex([1n])(wordsOf(2 ** 32 - 1)), 0);
});

Deno.test("weightedIndex() refuses weights below 0 and nothing but zeros", () => {
  assertThrows(() => weightedIndex([1n, -1n]), RangeError, "weights must be at least 0");
  for (const weights of [[], [0n], [0n, 0n]]) {
    assertThrows(() => weightedIndex(weights), RangeError, "some weight must be positive");
  }
});

// Mutants: draws where it should ask, a law that is not the one of the options, fractions mistaken for one another.
Deno.test("discreteSource() asks a source that enumerates for each law", () => {
  const third = rational(1, 3);
  const { source, laws } = answering(0, 3, 1, 1, 1, 4, -4, 5, 2);
  const draws = discreteSource(source);
  assertEquals(draws.bernoulli({ probability: third }), true);
  assertEquals(draws.integer({ below: 4 }), 3);
  assertEquals(draws.choice({ weights: [0.5, rational(3, 2), 0] }), 1);
  assertEquals(draws.choice({ exponents: [0, third] }), 1);
  assertEquals(draws.bernoulli({ probability: 0.25 }), false);
  assertEquals(draws.geometric({ rate: 0.5 }), 4);
  assertEquals(draws.discreteLaplace({ rate: third }), -4);
  assertEquals(draws.discreteGaussian({ variance: 2 }), 5);
  assertEquals(draws.branch!({ kind: "uniform", below: 3n }), 2);
  const weight = (multiplicity: bigint): WeightedIndex => ({ exponent: zero, multiplicity });
  assertEquals(laws, [
    coin(1n, 3n),
    { kind: "uniform", below: 4n },
    // Over the product of the denominators, 4.
    { kind: "choice", weights: [weight(2n), weight(6n), weight(0n)] },
    { kind: "choice", weights: [{ exponent: zero }, { exponent: third }] },
    coin(1n, 4n),
    { kind: "geometric", rate: rational(1, 2) },
    { kind: "discrete laplace", rate: third },
    { kind: "discrete gaussian", variance: rational(2) },
    { kind: "uniform", below: 3n },
  ]);
  assert(!("branch" in discreteSource(new SeededSource(1))));
});

// Mutants: a kind of noise that is refused by another's name, 0 that passes.
Deno.test("discreteSource() refuses noise of no width, on a source that enumerates as on one that draws", () => {
  const { source } = answering(1, 1, 1, 1, 1, 1);
  for (const value of [0, -1, zero, rational(-1, 3)]) {
    for (const draws of [discreteSource(source), discreteSource(new SeededSource(1))]) {
      assertThrows(() => draws.geometric({ rate: value }), RangeError, "positive");
      assertThrows(() => draws.discreteLaplace({ rate: value }), RangeError, "positive");
      assertThrows(() => draws.discreteGaussian({ variance: value }), RangeError, "positive");
      assertThrows(() => draws.choice({ weights: [1, rational(-1)] }), RangeError, "at least 0");
    }
    const draws = discreteSource(source);
    assertThrows(() => draws.geometric({ rate: value }), RangeError, "rate must");
    assertThrows(() => draws.discreteGaussian({ variance: value }), RangeError, "variance must");
  }
});

// Mutants: weights and exponents kept under one key, fractions under one key.
Deno.test("discreteSource() keeps apart choices whose numbers look alike", () => {
  const { source, laws } = answering(0, 0, 0, 0, 0, 0);
  const draws = discreteSource(source);
  draws.choice({ exponents: [1, 2] });
  draws.choice({ weights: [1, 2] });
  draws.choice({ weights: [rational(1, 3), rational(1, 2)] });
  draws.choice({ weights: [rational(1, 2), rational(1, 3)] });
  draws.choice({ exponents: [rational(1, 2), 1] });
  draws.choice({ exponents: [rational(1, 3), 1] });
  const weight = (multiplicity: bigint): WeightedIndex => ({ exponent: zero, multiplicity });
  assertEquals(laws, [
    { kind: "choice", weights: [{ exponent: rational(1) }, { exponent: rational(2) }] },
    { kind: "choice", weights: [weight(1n), weight(2n)] },
    { kind: "choice", weights: [weight(2n), weight(3n)] },
    { kind: "choice", weights: [weight(3n), weight(2n)] },
    { kind: "choice", weights: [{ exponent: rational(1, 2) }, { exponent: rational(1) }] },
    { kind: "choice", weights: [{ exponent: rational(1, 3) }, { exponent: rational(1) }] },
  ]);
});
