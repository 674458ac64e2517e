import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { groupPrivacy } from "../../../../lib/dp/accounting/composition/group_privacy.ts";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../../../../lib/core/mod.ts";
import {
  addRemoveOne,
  asserted,
  changeEach,
  replaceOne,
} from "../../../../lib/core/relations/relation.ts";

const relation = replaceOne;
const claims: Claim[] = [
  pure({ epsilon: 0.1, relation }),
  approximate({ epsilon: 0.1, delta: 1e-6, relation }),
  zcdp({ rho: 0.1, relation }),
  gaussian({ mu: 0.1, relation }),
  renyi({ order: 64, epsilon: 0.1, relation }),
];

Deno.test("groupPrivacy() keeps the claim when the group is of one", () => {
  for (const claim of claims) assertStrictEquals(groupPrivacy(claim, { size: 1 }), claim);
});

// Mutant: counting a replaced row as one insertion.
Deno.test("groupPrivacy() knows the group's neighbours when the relation is replace-one or add-remove", () => {
  const replaced = groupPrivacy(pure({ epsilon: 1, relation: replaceOne }), { size: 2 }).relation;
  assertEquals(replaced.violation([1, 2, 3], [9, 2, 8]), undefined);
  assert(replaced.violation([1, 2, 3], [9, 7, 8]) !== undefined);
  assert(replaced.violation([1, 2], [1, 2, 3]) !== undefined);
  const edited = groupPrivacy(pure({ epsilon: 1, relation: addRemoveOne }), { size: 3 }).relation;
  assertEquals(edited.violation([1, 2, 3, 4], [2, 3, 4, 5]), undefined);
  assertEquals(edited.violation([], [1, 2, 3]), undefined);
  assert(edited.violation([1, 2, 3, 4], [2, 3, 9, 5]) !== undefined);
  assert(edited.violation([], [1, 2, 3, 4]) !== undefined);
  const trusted = groupPrivacy(pure({ epsilon: 1, relation: asserted }), { size: 3 }).relation;
  assertStrictEquals(trusted, asserted);
});

Deno.test("groupPrivacy() throws when nothing can be claimed", () => {
  assertThrows(() => groupPrivacy(claims[4]!, { size: 64 }), RangeError, "order must be at least");
  assertThrows(
    () => groupPrivacy(approximate({ epsilon: 1, delta: 0.1, relation }), { size: 9 }),
    RangeError,
    "delta must be below 1",
  );
  const other = changeEach({ by: 1 });
  assertThrows(
    () => groupPrivacy(pure({ epsilon: 1, relation: other }), { size: 2 }),
    RangeError,
    "relation must be given",
  );
  const given = groupPrivacy(pure({ epsilon: 1, relation: other }), {
    size: 2,
    relation: changeEach({ by: 2 }),
  });
  assertEquals(given.relation.name, "change-each-by-2");
});

/** How many rows must be inserted and deleted: by the longest common subsequence. */
function edits(left: readonly number[], right: readonly number[]): number {
  const table = [...left, 0].map(() => [...right, 0].map(() => 0));
  left.forEach((row, i) =>
    right.forEach((other, j) => {
      table[i + 1]![j + 1] = row === other
        ? table[i]![j]! + 1
        : Math.max(table[i]![j + 1]!, table[i + 1]![j]!);
    })
  );
  return left.length + right.length - 2 * table[left.length]![right.length]!;
}

// Mutants: a path that may not turn, or begins off its diagonal; one edit too many or too few.
Deno.test("groupPrivacy() counts insertions and deletions as the longest common subsequence does", () => {
  const rows = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 7 });
  fc.assert(
    fc.property(rows, rows, fc.integer({ min: 2, max: 6 }), (left, right, size) => {
      const { relation } = groupPrivacy(pure({ epsilon: 1, relation: addRemoveOne }), { size });
      assertEquals(relation.violation(left, right) === undefined, edits(left, right) <= size);
    }),
    { seed: 52, numRuns: 500 },
  );
});

// Mutants: size rounded down to a power of two; the largest order that is refused, allowed.
Deno.test("groupPrivacy() doubles Rényi claims as often as the size needs", () => {
  for (const [size, doublings] of [[2, 1], [3, 2], [4, 2], [5, 3], [8, 3]] as const) {
    const least = 2 ** (doublings + 1);
    const group = groupPrivacy(renyi({ order: least, epsilon: 0.1, relation }), { size });
    assert(group.kind === "renyi");
    assertEquals(group.order, 2);
    assertAlmostEquals(group.epsilon, 0.1 * 3 ** doublings, 1e-12);
    const small = renyi({ order: least * (1 - 1e-12), epsilon: 0.1, relation });
    assertThrows(
      () => groupPrivacy(small, { size }),
      RangeError,
      `order must be at least ${least}`,
    );
  }
});

Deno.test("groupPrivacy() makes no groups of a relation that only bears a known name", () => {
  for (const known of [replaceOne, addRemoveOne]) {
    const claim = pure({ epsilon: 1, relation: { ...known } });
    assertThrows(() => groupPrivacy(claim, { size: 2 }), RangeError, "relation must be given");
  }
});

Deno.test("groupPrivacy() refuses a group whose δ is 1, and takes one just below", () => {
  const at = (delta: number): Claim =>
    groupPrivacy(approximate({ epsilon: Math.LN2, delta, relation }), { size: 2 });
  assertThrows(() => at(1 / 3), RangeError, "delta must be below 1");
  assert(at((1 - 1e-12) / 3).kind === "approximate");
});
