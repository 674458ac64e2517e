import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  pairOf,
  replaceOne,
  sameRow,
} from "../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../lib/core/relations/relation_named.ts";

const row = fc.oneof(
  fc.double(),
  fc.string(),
  fc.array(fc.integer()),
  fc.record({ age: fc.nat() }),
);
const dataset = fc.array(row, { maxLength: 6 });

Deno.test("sameRow() compares by value, and tells NaN, the infinities and -0 apart", () => {
  assert(sameRow({ a: [1, "x"], b: null }, { b: null, a: [1, "x"] }));
  assert(sameRow(NaN, NaN));
  for (
    const [left, right] of [
      [0, -0],
      [Infinity, -Infinity],
      [NaN, null],
      [[1], { 0: 1 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: undefined }, { b: undefined }],
      [[1, 2], [1]],
      ["1", 1],
    ]
  ) {
    assert(!sameRow(left, right) && !sameRow(right, left));
  }
});

Deno.test("replaceOne accepts any one row replaced, and refuses two", () => {
  fc.assert(
    fc.property(dataset, row, fc.nat(), (left, other, position) => {
      const right = left.slice();
      if (left.length > 0) right[position % left.length] = other;
      assertEquals(replaceOne.violation(left, right), undefined);
      assert(replaceOne.violation(left, [...right, other]) !== undefined);
      assert(replaceOne.violation([...left, 1, 2], [...left, 3, 4])?.includes("2 do"));
    }),
    { seed: 14 },
  );
});

Deno.test("addRemoveOne accepts a row added at any place, both ways round, and nothing else", () => {
  fc.assert(
    fc.property(dataset, row, fc.nat(), (short, other, position) => {
      const long = short.toSpliced(position % (short.length + 1), 0, other);
      assertEquals(addRemoveOne.violation(short, long), undefined);
      assertEquals(addRemoveOne.violation(long, short), undefined);
      assert(addRemoveOne.violation(short, short) !== undefined);
      assert(addRemoveOne.violation(short, [...long, other]) !== undefined);
      assert(addRemoveOne.violation([...short, "a", "b"], [...short, "b", "a", "c"]) !== undefined);
    }),
    { seed: 15 },
  );
});

Deno.test("changeEach() accepts answers moved by at most its bound, and refuses more and NaN", () => {
  const relation = changeEach({ by: 1 });
  assertEquals(relation.violation([0, 5], [1, 4]), undefined);
  assert(relation.violation([0, 5], [1.001, 4])?.includes("answer 1"));
  assert(relation.violation([0], [NaN]) !== undefined);
  assertEquals(relation.violation([0], ["0"]), "answer 1 must be a number");
  assertEquals(relation.violation([[]], [0]), "answer 1 must be a number");
  assert(relation.violation([0], [0, 0]) !== undefined);
  for (const by of [0, NaN, Infinity]) {
    assertThrows(() => changeEach({ by }), RangeError, "by must be");
  }
});

Deno.test("pairOf() makes a pair of neighbours and refuses others without showing their rows", () => {
  const pair = pairOf(replaceOne, { left: ["secret", 1], right: ["other", 1] });
  assertEquals([pair.left, pair.right, pair.relation], [["secret", 1], ["other", 1], replaceOne]);
  const error = assertThrows(
    () => pairOf(replaceOne, { left: ["secret", 1], right: ["other", 2] }),
    RangeError,
  );
  assert(!error.message.includes("secret"));
  assertEquals(pairOf(asserted, { left: [1], right: [2, 3] }).relation, asserted);
});

Deno.test("every relation is symmetric", () => {
  for (const relation of [replaceOne, addRemoveOne, changeEach({ by: 2 }), asserted]) {
    fc.assert(
      fc.property(dataset, dataset, (left, right) => {
        assertEquals(
          relation.violation(left, right) === undefined,
          relation.violation(right, left) === undefined,
        );
      }),
      { seed: 16 },
    );
  }
});

// Mutants: change-one taken for change-each; a number that is none; a name that only begins well.
Deno.test("relationNamed() finds every shipped relation by its name, and nothing else", () => {
  const shipped = [
    replaceOne,
    addRemoveOne,
    asserted,
    changeEach({ by: 0.5 }),
    changeOne({ by: 2 }),
  ];
  for (const { name, description } of shipped) {
    assertEquals(relationNamed(name)?.name, name);
    assertEquals(relationNamed(name)?.description, description);
  }
  const none = [
    "",
    "near",
    "replace-one ",
    "change-each-by-",
    "change-one-by-0",
    "change-each-by--1",
  ];
  for (const name of [...none, "change-one-by-Infinity", "change-two-by-1", "xchange-one-by-1"]) {
    assertEquals(relationNamed(name), undefined, name);
  }
});

// Mutants: keys compared without their values; one of the four questions about the types not asked.
Deno.test("sameRow() sees a change at any depth, and tells texts and numbers from lists and records", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, fc.string(), (a, b, key) => {
      assert(sameRow(structuredClone(a), a));
      const same = canonicalText(a) === canonicalText(b);
      for (
        const wrap of [(x: unknown) => x, (x: unknown) => [1, x], (x: unknown) => ({ [key]: x })]
      ) {
        assert(sameRow(wrap(a), wrap(b)) === same, `${canonicalText(a)} ${canonicalText(b)}`);
      }
    }),
    { seed: 1508, numRuns: 500 },
  );
  for (const plain of [0, 1, "", "a", true, null, undefined]) {
    for (const empty of [[], {}]) assert(!sameRow(plain, empty) && !sameRow(empty, plain));
  }
});

/** JSON with the keys of records in order, which tells -0 from 0. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
    return `{${fields.map(([key, field]) => JSON.stringify(key) + canonicalText(field)).join()}}`;
  }
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

// Mutants: the first row is not looked at; the search for the row added runs past the end.
Deno.test("addRemoveOne refuses a row replaced beside the one that is removed, wherever it is", () => {
  for (let at = 0; at < 3; at++) {
    const long = [1, 2, 3, 4], short = long.slice(0, 3).with(at, 9);
    assert(addRemoveOne.violation(long, short) !== undefined);
    assert(addRemoveOne.violation(short, long) !== undefined);
  }
  assertEquals(addRemoveOne.violation([], [undefined]), undefined);
});

// Mutants: a tolerance that is absolute, which allows twice 1e-12 and refuses 0.1 more at 1e9; one of the size of the answers.
Deno.test("changeEach() allows what rounding adds, a share of the change at every scale, and no more", () => {
  for (const by of [1e-12, 1e-9, 0.1, 1, 1e9]) {
    const { violation } = changeEach({ by });
    for (const answer of [0, 2 * by, 10 * by]) {
      assertEquals(violation([answer], [answer + by]), undefined, `${by} at ${answer}`);
    }
    for (const answer of [0, 1e3 * by]) {
      assert(violation([answer], [answer + by * (1 + 2e-12)]) !== undefined, `${by} at ${answer}`);
    }
  }
});

Deno.test("addRemoveOne has for neighbours what is left when one row is taken out, and nothing else", () => {
  const letters = fc.array(fc.constantFrom("a", "b"), { maxLength: 5 });
  let neighbours = 0;
  fc.assert(
    fc.property(letters, letters, (left, right) => {
      const [short, long] = left.length < right.length ? [left, right] : [right, left];
      const isNeighbour = long.some((_, i) => long.toSpliced(i, 1).join() === short.join()) &&
        long.length === short.length + 1;
      neighbours += Number(isNeighbour);
      assertEquals(addRemoveOne.violation(left, right) === undefined, isNeighbour);
      assertEquals(addRemoveOne.violation(right, left) === undefined, isNeighbour);
    }),
    { seed: 1516, numRuns: 2000 },
  );
  assert(neighbours > 50, `${neighbours} neighbours`);
});
