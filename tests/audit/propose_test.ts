import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  firstPairs,
  keyOf,
  mutatePair,
  randomPair,
  type SearchSpace,
  tryPair,
} from "../../lib/audit/propose.ts";
import { complexity, simplerPairs } from "../../lib/audit/simplify.ts";
import type { Domain, RowSpec } from "../../lib/core/dataset.ts";
import type { Pair } from "../../lib/core/relation.ts";
import { addRemoveOne, changeEach, changeOne, replaceOne } from "../../lib/core/relation.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { isRowOf, rowSpec } from "./row_specs.ts";

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

/** Asks the relation and the domain again, by code of our own. */
function assertProper({ relation, domain }: SearchSpace, pair: Pair): void {
  assertEquals(relation.violation(pair.left, pair.right), undefined);
  assertEquals(pair.relation, relation);
  for (const side of [pair.left, pair.right]) {
    assert(side.length >= domain.size.min && side.length <= domain.size.max);
    for (const row of side) {
      assert(isRowOf(domain.rows, row), `${JSON.stringify(row)} of ${JSON.stringify(domain.rows)}`);
    }
  }
  assert(JSON.stringify(pair.left) !== JSON.stringify(pair.right), "two equal sides");
}

Deno.test("firstPairs(), randomPair() and mutatePair() give neighbours inside the domain", () => {
  let mutated = 0;
  fc.assert(
    fc.property(space, fc.nat(1000), (own, seed) => {
      const source = new SeededSource(seed);
      const pairs = firstPairs(own);
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

// Mutants: the first and the last answer only; as many pairs as answers, however many; these pairs where all may move.
Deno.test("firstPairs() moves each of some answers, where one at a time may move", () => {
  const domain: Domain = { rows: { type: "number", min: -10, max: 10 }, size: { min: 5, max: 5 } };
  const moved = ({ left, right }: Pair): number[] =>
    [...left.keys()].filter((i) => left[i] !== right[i]);
  const pairs = firstPairs({ domain, relation: changeOne({ by: 1 }) });
  // The first and the last, then the others: all of them are on trial from the beginning.
  assertEquals(pairs.slice(0, 5).map(moved), [[0], [4], [1], [2], [3]]);
  const free = firstPairs({ domain, relation: changeEach({ by: 1 }) });
  assert(free.slice(0, 5).every((pair) => moved(pair).length > 1 || moved(pair)[0] === 0));
  assert(free.length < 20);
  const many = { ...domain, size: { min: 40, max: 40 } };
  assert(firstPairs({ domain: many, relation: changeOne({ by: 1 }) }).length < 30);
});

// Mutants: one size after the other; the first row only; no row left out.
Deno.test("firstPairs() tries all sizes by turns, and the first and the last of rows", () => {
  const rows: RowSpec = { type: "category", values: ["a", "b", "c"] };
  const pairs = firstPairs({ domain: { rows, size: { min: 1, max: 20 } }, relation: replaceOne })
    .slice(0, 7);
  assertEquals(pairs.map(({ left }) => left.length), [1, 2, 2, 5, 5, 20, 20]);
  for (const { left, right } of pairs.slice(1)) {
    const moved = [...left.keys()].filter((i) => left[i] !== right[i]);
    assert(moved.length === 1 && (moved[0] === 0 || moved[0] === left.length - 1));
  }
  const ends = new Set(
    pairs.map(({ left, right }) => left.findIndex((row, i) => row !== right[i])),
  );
  assertEquals(ends, new Set([0, 1, 4, 19]));
  const without = firstPairs({
    domain: { rows, size: { min: 1, max: 20 } },
    relation: addRemoveOne,
  });
  assertEquals(
    without.slice(0, 3).map(({ left, right }) => [left.length, right.length]),
    [[2, 1], [5, 4], [20, 19]],
  );
});

// Mutant: complexity not compared, so that shrinking could go on for ever.
Deno.test("simplerPairs() gives neighbours inside the domain, each strictly simpler", () => {
  let simplified = 0;
  fc.assert(
    fc.property(space, fc.nat(1000), (own, seed) => {
      const pair = randomPair(own, new SeededSource(seed)) ?? firstPairs(own)[0];
      if (pair === undefined) return;
      for (const simpler of simplerPairs(own, pair)) {
        assertProper(own, simpler);
        assert(complexity(simpler) < complexity(pair));
        simplified++;
      }
    }),
    { seed: 32, numRuns: 300 },
  );
  assert(simplified > 500, `${simplified} pairs simplified`);
});

Deno.test("simplerPairs() leads from any pair of numbers to the smallest one", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "number", min: -5, max: 5 }, size: { min: 1, max: 8 } },
  };
  let pair = tryPair(own, [0.123, -4.5, 2, 3, 5], [0.123, 4.75, 2, 3, 5])!;
  for (;;) {
    const { value } = simplerPairs(own, pair).next();
    if (value === undefined) break;
    pair = value as Pair;
  }
  assertEquals(keyOf(pair), keyOf(tryPair(own, [0], [1])!));
});

// Mutants: the last answer never against the rest, or the one before it.
Deno.test("firstPairs() holds the patterns of the published benchmarks for answers", () => {
  const own: SearchSpace = {
    relation: changeEach({ by: 1 }),
    domain: { rows: { type: "number", min: -10, max: 10 }, size: { min: 4, max: 4 } },
  };
  const keys = new Set(firstPairs(own).map(keyOf));
  for (
    const [left, right] of [
      [[1, 1, 1, 1], [0, 1, 1, 1]],
      [[1, 1, 1, 1], [0, 2, 2, 2]],
      [[1, 1, 1, 1], [2, 2, 2, 0]],
      [[1, 1, 1, 1], [2, 2, 0, 0]],
      [[1, 1, 1, 1], [2, 2, 2, 2]],
      [[1, 1, 0, 0], [0, 0, 1, 1]],
      [[10, -10, -10, -10], [9, -10, -10, -10]],
    ] as const
  ) assert(keys.has(keyOf(tryPair(own, left, right)!)), `${left} and ${right}`);
});

Deno.test("firstPairs() finds none where there are no neighbours", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "boolean" }, size: { min: 0, max: 0 } },
  };
  assertEquals(firstPairs(own), []);
  assertEquals(randomPair(own, new SeededSource(1)), undefined);
});

Deno.test("tryPair() refuses equal sides, rows outside the domain and what are no neighbours", () => {
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
