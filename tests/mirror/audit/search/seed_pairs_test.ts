import { assert, assertEquals } from "@std/assert";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import {
  keyOf,
  randomPair,
  type SearchSpace,
  tryPair,
} from "../../../../lib/audit/search/mutate_pairs.ts";
import type { Domain, RowSpec } from "../../../../lib/core/dataset.ts";
import type { Pair, Relation } from "../../../../lib/core/relation.ts";
import { addRemoveOne, changeEach, changeOne, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Where a pair of numbers stands among the first ones; −1 if it is not among them. */
function placeOf(
  [left, right]: readonly (readonly number[])[],
  { relation, size, max }: { relation: Relation; size: Domain["size"]; max: number },
): number {
  const space: SearchSpace = { relation, domain: { rows: { type: "number", min: 0, max }, size } };
  return seedPairs(space).map(keyOf).indexOf(keyOf(tryPair(space, left!, right!)!));
}

// Mutants: the first and the last answer only; as many pairs as answers, however many; these pairs where all may move.
Deno.test("seedPairs() moves each of some answers, where one at a time may move", () => {
  const domain: Domain = { rows: { type: "number", min: -10, max: 10 }, size: { min: 5, max: 5 } };
  const moved = ({ left, right }: Pair): number[] =>
    [...left.keys()].filter((i) => left[i] !== right[i]);
  const pairs = seedPairs({ domain, relation: changeOne({ by: 1 }) });
  // The first and the last, then the others: all of them are on trial from the beginning.
  assertEquals(pairs.slice(0, 5).map(moved), [[0], [4], [1], [2], [3]]);
  const free = seedPairs({ domain, relation: changeEach({ by: 1 }) });
  assert(free.slice(0, 5).every((pair) => moved(pair).length > 1 || moved(pair)[0] === 0));
  assert(free.length < 20);
  const many = { ...domain, size: { min: 40, max: 40 } };
  assert(seedPairs({ domain: many, relation: changeOne({ by: 1 }) }).length < 30);
});

// Mutants: one size after the other; the first row only; no row left out.
Deno.test("seedPairs() tries all sizes by turns, and the first and the last of rows", () => {
  const rows: RowSpec = { type: "category", values: ["a", "b", "c"] };
  const pairs = seedPairs({ domain: { rows, size: { min: 1, max: 20 } }, relation: replaceOne })
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
  const without = seedPairs({
    domain: { rows, size: { min: 1, max: 20 } },
    relation: addRemoveOne,
  });
  assertEquals(
    without.slice(0, 3).map(({ left, right }) => [left.length, right.length]),
    [[2, 1], [5, 4], [20, 19]],
  );
});

// Mutants: the last answer never against the rest, or the one before it.
Deno.test("seedPairs() holds the patterns of the published benchmarks for answers", () => {
  const own: SearchSpace = {
    relation: changeEach({ by: 1 }),
    domain: { rows: { type: "number", min: -10, max: 10 }, size: { min: 4, max: 4 } },
  };
  const keys = new Set(seedPairs(own).map(keyOf));
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

// Mutants: nothing that goes down where the middle is the bottom; the shortest vectors only, the longest only, or one
// after the other.
Deno.test("seedPairs() holds these patterns where answers lie in [0, 1] and are of any number", () => {
  const relation = changeEach({ by: 1 });
  const placed = (pair: number[][], size: Domain["size"]): number =>
    placeOf(pair, { relation, size, max: 1 });
  const halves = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0]];
  const last = [[0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 0]];
  assertEquals(placed(halves, { min: 6, max: 6 }), 0);
  for (const pair of [halves, [[0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]], last, [[0], [1]]]) {
    const place = placed(pair, { min: 1, max: 6 });
    assert(place >= 0 && place < 12, `${JSON.stringify(pair)}: ${place}`);
  }
  assert(placed([Array(10).fill(0), Array(10).fill(1)], { min: 1, max: 1000 }) >= 0);
});

// Mutants: the row in the middle not moved, or among equal ones only, or late; no size but a few.
Deno.test("seedPairs() moves a row in the middle, among equal rows and where a median jumps", () => {
  const placed = (pair: number[][], max = 1): number =>
    placeOf(pair, { relation: replaceOne, size: { min: 1, max: 9 }, max });
  for (
    const pair of [
      [[0, 0, 1], [0, 1, 1]],
      [[0, 0, 0], [0, 1, 0]],
      [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]],
      [[0, 0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1, 1]],
    ]
  ) assert(placed(pair) >= 0 && placed(pair) < 24, `${JSON.stringify(pair)}: ${placed(pair)}`);
  const wide = [[0, 0, 100], [0, 100, 100]];
  assert(placed(wide, 100) >= 0 && placed(wide, 100) < 24);
  for (let n = 1; n <= 9; n++) {
    const rest = Array(n - 1).fill(0);
    assert(placed([[0, ...rest], [1, ...rest]]) >= 0, `no pair of ${n} rows`);
    const options = { relation: addRemoveOne, size: { min: 0, max: 9 }, max: 1 };
    assert(placeOf([[1, ...rest], rest], options) >= 0, `no row added to ${n - 1}`);
  }
});

Deno.test("seedPairs() gives no pair where there are no neighbours", () => {
  const own: SearchSpace = {
    relation: replaceOne,
    domain: { rows: { type: "boolean" }, size: { min: 0, max: 0 } },
  };
  assertEquals(seedPairs(own), []);
  assertEquals(randomPair(own, new SeededSource(1)), undefined);
});
