import { assert, assertEquals, assertThrows } from "@std/assert";
import type { DiscreteSource } from "../../../../lib/core/mechanism/discrete_source.ts";
import {
  KnownLaws,
  NotEnumerable,
} from "../../../../lib/judge/exact/enumeration/branching_source.ts";
import {
  enumerateOutputs,
  GivenUp,
  type OutputLaw,
} from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { discreteSource } from "../../../../lib/core/random/discrete_source.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import { shuffle } from "../../../../lib/core/random/shuffle.ts";

const bits = 256;

function lawOf(
  run: (source: DiscreteSource) => unknown,
  { cut = 0, maxBranches = 100_000 }: { cut?: number; maxBranches?: number } = {},
): OutputLaw {
  const laws = new KnownLaws({ scale: 12n, bits, products: new FactorProducts() });
  return enumerateOutputs((source) => run(discreteSource(source)), {
    laws,
    cut: cut === 0 ? 0n : BigInt(Math.round(cut * 2 ** 40)) << BigInt(bits - 40),
    maxBranches,
  });
}

const chances = (law: OutputLaw): Record<string, number> =>
  Object.fromEntries(
    [...law.outputs].map(([key, { lower }]) => [key, Number(lower) / 2 ** bits] as const)
      .sort(([a], [b]) => a < b ? -1 : 1),
  );

// Mutants: the last value of a law not tried; a path counted twice; choices not replayed in their order.
Deno.test("enumerateOutputs() runs every path once and adds up equal outputs", () => {
  const dice = lawOf((source) => source.integer({ below: 6 }) + source.integer({ below: 6 }));
  assertEquals(dice.branches, 36);
  assert(dice.complete && dice.remainder < 1n << 20n);
  assert(Math.abs(chances(dice)["5"]! - 6 / 36) < 1e-15);
  const orders = lawOf((source) => shuffle(source, [1, 2, 3, 4]));
  assertEquals([orders.outputs.size, orders.branches], [24, 24]);
  // The length of a path may depend on what was drawn.
  const first = lawOf((source) => {
    for (let i = 0; i < 3; i++) if (source.bernoulli({ probability: 0.25 })) return i;
    return "none";
  });
  assertEquals(first.branches, 4);
  assert(Math.abs(chances(first)["2"]! - 9 / 64) < 1e-15);
});

// Mutant: mass of a cut path not carried; a complete law that was cut.
Deno.test("enumerateOutputs() leaves what was cut to the remainder", () => {
  const law = lawOf((source) => source.geometric({ rate: 1 / 2 }), { cut: 0.01 });
  const shown = chances(law), sum = Object.values(shown).reduce((a, b) => a + b);
  assert(!law.complete);
  assert(law.outputs.size > 5 && Object.values(shown).every((chance) => chance >= 0.01));
  assert(Math.abs(Number(law.remainder) / 2 ** bits - (1 - sum)) < 1e-15);
  assert(Math.abs(shown["3"]! - (1 - Math.exp(-0.5)) * Math.exp(-1.5)) < 1e-15);
  // What comes after a rare value of a finite law is run.
  const rare = lawOf((source) => source.choice({ weights: [500, 400, 1, 1, 1, 1, 300] }), {
    cut: 0.01,
  });
  assertEquals([...rare.outputs.keys()], ["0", "1", "6"]);
});

// Mutants: states merged across layers; the mass of one representative alone; the wrong exponents after a merge.
Deno.test("enumerateOutputs() gives the same law with merged states, in fewer runs", () => {
  const walk = (merging: boolean) => (source: DiscreteSource): number => {
    let at = 0;
    for (let i = 0; i < 8; i++) {
      at += source.choice({ exponents: [0, rational(1, 4), rational(1, 3)] }) - 1;
      if (merging) source.merge([i, at]);
    }
    return at;
  };
  const plain = lawOf(walk(false)), merged = lawOf(walk(true));
  assertEquals(plain.branches, 3 ** 8);
  assert(merged.branches < 600, `${merged.branches} runs`);
  const [a, b] = [chances(plain), chances(merged)];
  assertEquals(Object.keys(a), Object.keys(b));
  for (const key of Object.keys(a)) assert(Math.abs(a[key]! / b[key]! - 1) < 1e-14);
  for (const [key, { terms }] of plain.outputs) {
    const [sum] = [...terms.values()], [other] = [...merged.outputs.get(key)!.terms.values()];
    assertEquals(
      [...sum!].sort(([x], [y]) => Number(x - y)),
      [...other!].sort(([x], [y]) => Number(x - y)),
    );
  }
});

// Mutants: no comparison; one that looks at states alone, or at what was not cut.
Deno.test("enumerateOutputs() notices a declared state that is not all", () => {
  const forgetful = (state: (i: number, at: number, first: number) => unknown, cut: number) =>
    lawOf((source) => {
      const first = source.integer({ below: 2 });
      let at = 0;
      for (let i = 0; i < 4; i++) {
        at += source.discreteLaplace({ rate: 1 });
        if (i > 0) source.merge(state(i, at, first));
      }
      return [at > 2, first];
    }, { cut });
  assert(forgetful((i, at, first) => [i, at, first], 1e-6).outputs.size === 4);
  for (const state of [(i: number, at: number) => [i, at], () => 0]) {
    assertThrows(() => forgetful(state, 1e-6), NotEnumerable, "after merge()");
  }
  const exactly = (source: DiscreteSource): number => {
    const bit = source.integer({ below: 2 });
    source.merge("nothing");
    return bit + source.integer({ below: 3 });
  };
  assertThrows(() => lawOf(exactly), NotEnumerable, "after merge()");
});

Deno.test("enumerateOutputs() takes an error of the program for an output", () => {
  const law = lawOf((source) => {
    if (source.bernoulli({ probability: 0.5 })) throw new Error("too bad");
    return 1;
  });
  assertEquals([...law.outputs.values()].map(({ output }) => String(output)).sort(), [
    "1",
    "Error: too bad",
  ]);
});

// Mutants: what was drawn in floats taken for an output of a program that catches it; no check of what is drawn again.
Deno.test("enumerateOutputs() refuses what it cannot enumerate, whatever the program catches", () => {
  let calls = 0, starts = 0;
  const cases: [(source: DiscreteSource) => unknown, words: string][] = [
    [(source) => source.uniform(), "uses uniform(): audit it"],
    [(source) => floatNormal(source, new Float64Array(2)), "samplers in floating point"],
    [(source) => {
      try {
        return source.uniform();
      } catch {
        return 0;
      }
    }, "uses uniform()"],
    [(source) => Promise.resolve(source.integer({ below: 2 })), "asynchronous"],
    [
      (source) => source.integer({ below: 2 + calls++ % 2 }) + source.integer({ below: 2 }),
      "keeps state",
    ],
    [(source) => {
      const draws = starts++ === 0 ? 2 : 1;
      return Array.from({ length: draws }, () => source.integer({ below: 2 }));
    }, "draws less"],
    [(source) => source.integer({ below: 2 ** 30 }), "at most 16777216"],
  ];
  for (const [run, words] of cases) assertThrows(() => lawOf(run), NotEnumerable, words);
  assertThrows(() => lawOf(() => () => 0), TypeError, "JSON");
});

// Mutant: a program that goes on after its run was ended.
Deno.test("enumerateOutputs() ends a run for good, whatever the program catches", () => {
  const law = lawOf((source) => {
    try {
      return source.geometric({ rate: 1 / 2 });
    } catch {
      return source.integer({ below: 2 }) + source.integer({ below: 2 });
    }
  }, { cut: 0.05 });
  assert(Math.abs(chances(law)["0"]! - (1 - Math.exp(-0.5))) < 1e-15);
  const walk = lawOf((source) => {
    let at = 0;
    for (let i = 0; i < 4; i++) {
      try {
        at += source.integer({ below: 10 }) < 9 ? 0 : 1;
      } catch {
        at += 100;
      }
    }
    return at;
  }, { cut: 0.002 });
  assert([...walk.outputs.values()].every(({ output }) => (output as number) < 100));
});

Deno.test("enumerateOutputs() gives up at its limits", () => {
  assertThrows(() => lawOf((source) => source.integer({ below: 9 }), { maxBranches: 8 }), GivenUp);
  assertThrows(() => lawOf((source) => source.discreteLaplace({ rate: 1 })), GivenUp, "infinite");
  assertThrows(
    () =>
      lawOf((source) => {
        while (source.bernoulli({ probability: 0.5 }));
        return 0;
      }),
    GivenUp,
    "deep",
  );
});
