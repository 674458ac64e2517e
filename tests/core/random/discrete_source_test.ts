import { assert, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteSource } from "../../../lib/core/random/discrete_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const count = 20_000;

/** Draws against the probabilities of some values. */
function compare(draw: () => number, probabilityOf: (value: number) => number): void {
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const value = draw();
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  let seen = 0;
  for (const [value, times] of counts) {
    const p = probabilityOf(value);
    seen += p;
    // Six standard deviations: by Bernstein's inequality less than 1e-7 for each value.
    assert(
      Math.abs(times - count * p) < 6 * Math.sqrt(count * p * (1 - p)) + 12,
      `${value}: ${times}`,
    );
  }
  assert(seen > 0.995);
}

// Mutants: the scale for the rate; both signs of a geometric draw; a weight that is not over the common denominator.
Deno.test("discreteSource() draws each law", () => {
  const source = discreteSource(new SeededSource(1));
  const q = Math.exp(-0.5);
  compare(() => source.geometric({ rate: 0.5 }), (x) => x >= 0 ? (1 - q) * q ** x : 0);
  compare(() => source.geometric({ rate: rational(1, 2) }), (x) => x >= 0 ? (1 - q) * q ** x : 0);
  compare(() => source.discreteLaplace({ rate: 0.5 }), (x) => (1 - q) / (1 + q) * q ** Math.abs(x));
  let total = 0;
  for (let x = -50; x <= 50; x++) total += Math.exp(-x * x / 8);
  compare(() => source.discreteGaussian({ variance: 4 }), (x) => Math.exp(-x * x / 8) / total);
  compare(() => Number(source.bernoulli({ probability: 0.3 })), (x) => x === 1 ? 0.3 : 0.7);
  compare(() => source.integer({ below: 5 }), () => 0.2);
  compare(
    () => source.choice({ weights: [0.5, rational(3, 2), 2] }),
    (i) => [1 / 8, 3 / 8, 1 / 2][i]!,
  );
  compare(
    () => source.choice({ exponents: [0, 1] }),
    (i) => [1, Math.exp(-1)][i]! / (1 + Math.exp(-1)),
  );
  source.merge("a source that draws has no states");
});

// Mutant: a stream of its own.
Deno.test("discreteSource() goes on in the stream of its source", () => {
  const plain = new SeededSource(2), source = discreteSource(new SeededSource(2));
  assertEquals([source.uint32(), source.uniform()], [plain.uint32(), plain.uniform()]);
  assertEquals(source.split("a").uint32(), plain.split("a").uint32());
  const [a, b] = [new Uint32Array(3), new Uint32Array(3)];
  source.fillUint32(a);
  plain.fillUint32(b);
  assertEquals(a, b);
});

Deno.test("discreteSource() refuses what is out of range", () => {
  const source = discreteSource(new SeededSource(3));
  assertThrows(() => source.bernoulli({ probability: 1.5 }), RangeError);
  assertThrows(() => source.discreteLaplace({ rate: 0 }), RangeError);
  assertThrows(() => source.geometric({ rate: -1 }), RangeError);
  assertThrows(() => source.choice({ weights: [1, -1] }), RangeError, "at least 0");
  assertThrows(() => source.choice({ weights: [] }), RangeError);
});
