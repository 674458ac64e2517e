import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import {
  keyOf,
  mutatePair,
  randomPair,
  type SearchSpace,
  tryPair,
} from "../../../../lib/audit/search/mutate_pairs.ts";
import { complexity, smallerPairs } from "../../../../lib/audit/counterexample/smaller_pairs.ts";
import type { Pair } from "../../../../lib/core/relation.ts";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  replaceOne,
  sameRow,
} from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { isRowOf, rowSpec } from "../row_specs.ts";

const relations = [replaceOne, addRemoveOne, changeEach({ by: 1 }), changeOne({ by: 1 })];

const space: fc.Arbitrary<SearchSpace> = fc.record({
  relation: fc.constantFrom(...relations),
  rows: rowSpec,
  min: fc.nat(3),
  more: fc.nat(6),
}).map(({ relation, rows, min, more }) => ({
  relation,
  domain: { rows, size: { min, max: min + more } },
}));

/** Checks the relation and the domain by independent code. */
function assertProper({ relation, domain }: SearchSpace, pair: Pair): void {
  assertEquals(relation.violation(pair.left, pair.right), undefined);
  assertEquals(pair.relation, relation);
  for (const side of [pair.left, pair.right]) {
    assert(side.length >= domain.size.min && side.length <= domain.size.max);
    for (const row of side) {
      assert(isRowOf(domain.rows, row), `${JSON.stringify(row)} of ${JSON.stringify(domain.rows)}`);
    }
  }
  assert(!sameRow(pair.left, pair.right), "two equal sides");
}

Deno.test("seedPairs(), randomPair() and mutatePair() give neighbours inside the domain", () => {
  let mutated = 0;
  fc.assert(
    fc.property(space, fc.nat(1000), (own, seed) => {
      const source = new SeededSource(seed);
      const pairs = seedPairs(own);
      const random = randomPair(own, source);
      if (random !== undefined) pairs.push(random);
      for (const pair of pairs) assertProper(own, pair);
      let pair = pairs.at(-1);
      for (let step = 0; step < 6 && pair !== undefined; step++) {
        const next = mutatePair(own, pair, source);
        if (next === undefined) break;
        assertProper(own, next);
        assert(keyOf(next) !== keyOf(pair), "a mutation that changes nothing");
        mutated++;
        pair = next;
      }
    }),
    { seed: 31, numRuns: 400 },
  );
  assert(mutated > 500, `${mutated} mutations tried`);
});

// Mutant: complexity not compared, so that shrinking could go on for ever.
Deno.test("smallerPairs() gives neighbours inside the domain, each strictly simpler", () => {
  let smaller = 0;
  fc.assert(
    fc.property(space, fc.nat(1000), (own, seed) => {
      const pair = randomPair(own, new SeededSource(seed)) ?? seedPairs(own)[0];
      if (pair === undefined) return;
      for (const simpler of smallerPairs(own, pair)) {
        assertProper(own, simpler);
        assert(complexity(simpler) < complexity(pair));
        smaller++;
      }
    }),
    { seed: 32, numRuns: 300 },
  );
  assert(smaller > 500, `${smaller} smaller pairs`);
});

Deno.test("smallerPairs() leads from any pair of numbers to the smallest one", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "number", min: -5, max: 5 }, size: { min: 1, max: 8 } },
  };
  let pair = tryPair(own, [0.123, -4.5, 2, 3, 5], [0.123, 4.75, 2, 3, 5])!;
  for (;;) {
    const { value } = smallerPairs(own, pair).next();
    if (value === undefined) break;
    pair = value as Pair;
  }
  assertEquals(keyOf(pair), keyOf(tryPair(own, [0], [1])!));
});

Deno.test("tryPair() refuses equal sides, rows outside the domain and datasets that are not neighbours", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "integer", min: 0, max: 3 }, size: { min: 1, max: 2 } },
  };
  assert(tryPair(own, [1], [2]) !== undefined);
  for (
    const [left, right] of [
      [[1], [1]],
      [[1], [4]],
      [[1], [0.5]],
      [[], [1]],
      [[1, 2], [2, 1]],
      [[1, 2, 3], [1, 2, 0]],
      [[1], ["2"]],
      [[1], [NaN]],
    ]
  ) assertEquals(tryPair(own, left!, right!), undefined);
});

Deno.test("keyOf() is the same for a pair and its mirror image", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "boolean" }, size: { min: 1, max: 2 } },
  };
  assertEquals(keyOf(tryPair(own, [true], [false])!), keyOf(tryPair(own, [false], [true])!));
  assert(
    keyOf(tryPair(own, [true], [false])!) !== keyOf(tryPair(own, [true, true], [false, true])!),
  );
});
