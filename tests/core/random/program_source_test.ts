import { assert, assertEquals, assertThrows } from "@std/assert";
import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { programSource } from "../../../lib/core/random/program_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const count = 20_000;

/** The largest distance of the empirical distribution from the law. */
function distance(draw: () => unknown, distribution: (x: number) => number): number {
  const values = Float64Array.from({ length: count }, () => draw() as number).sort();
  return values.reduce(
    (most, x, i) =>
      Math.max(
        most,
        Math.abs(distribution(x) - i / count),
        Math.abs(distribution(x) - (i + 1) / count),
      ),
    0,
  );
}

// Seed 1. By the inequality of Dvoretzky, Kiefer, Wolfowitz (Massart 1990) a distance of 0.02 has probability at most 2·e^(−16).
// Mutants: the scale for the rate, the variance for the deviation, one side of Laplace noise, the sign of Gumbel noise.
Deno.test("programSource() draws each law", () => {
  const source = programSource(new SeededSource(1));
  const laplace = (scale: number) => (x: number) =>
    x < 0 ? Math.exp(x / scale) / 2 : 1 - Math.exp(-x / scale) / 2;
  const cases: [() => unknown, (x: number) => number][] = [
    [() => source.laplace({ scale: 3 }), laplace(3)],
    [() => source.laplace({ rate: rational(1, 3) }), laplace(3)],
    [() => source.exponential({ rate: 2 }), (x) => x < 0 ? 0 : 1 - Math.exp(-2 * x)],
    [() => source.gumbel({ scale: 2 }), (x) => Math.exp(-Math.exp(-x / 2))],
    [() => source.gaussian({ variance: 9 }), (x) => normalTail(-x / 3)],
  ];
  for (const [draw, distribution] of cases) assert(distance(draw, distribution) < 0.02);
  // Seed 1: squares of standard normal draws have mean 1 and variance 2; six deviations.
  for (const width of [{ deviation: 3 }, { variance: 9 }]) {
    let sum = 0, squares = 0;
    for (let i = 0; i < count; i++) {
      const x = source.gaussian(width) as number / 3;
      sum += x;
      squares += x * x;
    }
    assert(Math.abs(sum) < 6 * Math.sqrt(count), `${sum}`);
    assert(Math.abs(squares - count) < 6 * Math.sqrt(2 * count), `${squares}`);
  }
});

Deno.test("programSource() computes with numbers", () => {
  const source = programSource(new SeededSource(2));
  assertEquals(source.sum(1, 2, 4), 7);
  assertEquals(source.sum(), 0);
  assertEquals(source.difference(1, 3), -2);
  assertEquals(source.multiple(rational(1, 4), 6), 1.5);
  assertEquals([source.less(1, 2), source.less(2, 2)], [true, false]);
  assertEquals(source.indexOfLargest([1, 5, 5, 2]), 1);
  assertEquals([source.indexOfLargest([5, 1]), source.indexOfLargest([5])], [0, 0]);
  assertEquals(
    source.split("a").uint32(),
    new SeededSource(2).split("a").uint32(),
  );
});

Deno.test("programSource() refuses what is out of range", () => {
  const source = programSource(new SeededSource(3));
  assertThrows(() => source.laplace({ scale: 0 }), RangeError, "scale must be positive");
  assertThrows(() => source.gumbel({ rate: Infinity }), RangeError, "rate must be positive");
  assertThrows(() => source.gaussian({ variance: -1 }), RangeError, "variance must be positive");
  assertThrows(() => source.indexOfLargest([]), RangeError, "at least one");
  assertThrows(() => source.sum("1" as unknown as number), TypeError, "must be a number");
});
