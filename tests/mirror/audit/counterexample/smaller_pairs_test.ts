import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { SearchSpace } from "../../../../lib/audit/search/mutate_pairs.ts";
import { complexity, smallerPairs } from "../../../../lib/audit/counterexample/smaller_pairs.ts";
import type { RowSpec } from "../../../../lib/core/dataset.ts";
import {
  addRemoveOne,
  asserted,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "../../../../lib/core/relation.ts";

const number: RowSpec = { type: "number", min: 0, max: 1 };

function spaceOf(relation: Relation, rows: RowSpec = number, min = 0): SearchSpace {
  return { relation, domain: { rows, size: { min, max: 8 } } };
}

/** The first simpler pairs that still have the leak, until there is none. */
function shrinkWhile(space: SearchSpace, pair: Pair, shows: (pair: Pair) => boolean): Pair {
  for (const simpler of smallerPairs(space, pair)) {
    if (shows(simpler)) return shrinkWhile(space, simpler, shows);
  }
  return pair;
}

function sum(data: readonly unknown[]): number {
  return (data as readonly number[]).reduce((a, b) => a + b, 0);
}

const rows = fc.array(fc.double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true }), {
  maxLength: 6,
});

// Mutants: rows matched by their place; rows removed from the end alone; a row of one side alone left unchanged.
Deno.test("smallerPairs() leads to the one row that makes the difference, wherever it is", () => {
  const moves = ({ left, right }: Pair): boolean => Math.abs(sum(left) - sum(right)) > 0.9;
  fc.assert(
    fc.property(rows, fc.nat(6), fc.boolean(), (common, place, swapped) => {
      const longer = common.toSpliced(place, 0, 0.97);
      const [left, right] = swapped ? [longer, common] : [common, longer];
      const pair = pairOf(addRemoveOne, { left, right });
      const least = shrinkWhile(spaceOf(addRemoveOne), pair, moves);
      assertEquals([least.left, least.right], swapped ? [[1], []] : [[], [1]]);

      const replaced = pairOf(replaceOne, {
        left: longer,
        right: longer.with(Math.min(place, common.length), 0.02),
      });
      const one = shrinkWhile(spaceOf(replaceOne, number, 1), replaced, moves);
      assertEquals([...one.left, ...one.right].toSorted(), [0, 1]);
      assertEquals(one.left.length, 1);
    }),
    { seed: 11 },
  );
});

// Mutants: no pair whose sides keep their least length; common rows that are not made simpler together; numbers that are not
// moved together; a needless difference left unchanged.
Deno.test("smallerPairs() keeps the rows that the domain or the leak needs, and makes them simple", () => {
  const three = ({ left, right }: Pair): boolean =>
    left.length >= 3 && Math.abs(sum(left) - sum(right)) > 0.9;
  const pair = pairOf(replaceOne, {
    left: [0.3, 0.99, 0.5, 0.25, 1],
    right: [0.3, 0.99, 0.5, 0.25, 0],
  });
  const least = shrinkWhile(spaceOf(replaceOne), pair, three);
  assertEquals([...least.left, ...least.right].toSorted(), [0, 0, 0, 0, 0, 1]);

  const vectors = pairOf(replaceOne, {
    left: [[0.5, 0.25], [1, 0]],
    right: [[0.5, 0.25], [0, 0]],
  });
  const two = shrinkWhile(
    spaceOf(replaceOne, { type: "vector", length: 2, of: number }),
    vectors,
    ({ left }) => left.length === 2,
  );
  assertEquals([two.left[0], two.right[0]], [[0, 0], [0, 0]]);

  const words: RowSpec = { type: "category", values: ["a", "b", "c", "d"] };
  const changed = shrinkWhile(
    spaceOf(asserted, words, 2),
    pairOf(asserted, { left: ["a", "c"], right: ["b", "d"] }),
    ({ left, right }) => left[0] === "a" && right[0] === "b",
  );
  assertEquals(changed.left[1], changed.right[1]);

  const steps = ({ left: [a, b, c], right: [d, e, f] }: Pair): boolean =>
    sum([b, c]) - 2 * sum([a]) === 3 && sum([e, f]) - 2 * sum([d]) === 4 && sum([c]) > sum([b]);
  const risen = pairOf(replaceOne, { left: [5, 6, 7], right: [5, 6, 8] });
  const fallen = shrinkWhile(
    spaceOf(replaceOne, { type: "integer", min: 0, max: 9 }, 3),
    risen,
    steps,
  );
  assertEquals([fallen.left, fallen.right], [[0, 1, 2], [0, 1, 3]]);
});

// Mutant: the simplest of all pairs not the first that is tried.
Deno.test("smallerPairs() begins with the pair without common rows", () => {
  const pair = pairOf(addRemoveOne, { left: [0.5, 0.2, 0.5], right: [0.5, 0.5] });
  const [first] = smallerPairs(spaceOf(addRemoveOne), pair);
  assertEquals([first!.left, first!.right], [[0.2], []]);
});

// Mutants: pairs of another relation or size; pairs that are not simpler.
Deno.test("smallerPairs() are neighbours inside the space, and simpler", () => {
  const vector: RowSpec = { type: "vector", length: 2, of: number };
  const space = spaceOf(addRemoveOne, vector, 1);
  const pair = pairOf(addRemoveOne, { left: [[0.5, 1], [0, 0.25]], right: [[0, 0.25]] });
  const simpler = [...smallerPairs(space, pair)];
  assert(simpler.length > 3, `${simpler.length}`);
  for (const { left, right } of simpler) {
    assertEquals(addRemoveOne.violation(left, right), undefined);
    assert(
      Math.min(left.length, right.length) === 1 && complexity({ left, right }) < complexity(pair),
    );
    for (const row of [...left, ...right]) assertEquals((row as number[]).length, 2);
  }
});

// Mutants: a row that moved up counts as one that differs; more rows cost nothing;
// rows that differ no more than others.
Deno.test("complexity() counts the rows that differ, wherever they are", () => {
  const inserted = complexity({ left: [0, 1, 0, 0], right: [0, 0, 0] });
  assertEquals(inserted, complexity({ left: [1, 0, 0, 0], right: [0, 0, 0] }));
  assert(inserted < complexity({ left: [0, 1, 0, 1], right: [0, 0, 0] }));
  assert(complexity({ left: [1, 0], right: [0] }) < inserted);
  assert(complexity({ left: [1], right: [] }) < complexity({ left: [1, 0], right: [0] }));
  assert(complexity({ left: [1, 0], right: [1, 1] }) < complexity({ left: [0, 0], right: [1, 1] }));
});
