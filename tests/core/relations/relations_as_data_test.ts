import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  addRemoveOne,
  pairOf,
  type Relation,
  sameRelation,
} from "../../../lib/core/relations/relation.ts";
import {
  RELATION_NAMES,
  relationNamed,
  relationOf,
} from "../../../lib/core/relations/relation_named.ts";
import { neighbours } from "../../../lib/judge/testing/arbitraries.ts";
import { NEIGHBOUR_CASES } from "../../../fixtures/judge/neighbours/noisy_counts.ts";

// Mutants: a name without its parameter; a maker of neighbours that drops a row of another user; a bound of rows off by one.
Deno.test("relations with a name make neighbours that they accept, either way round, and are known by their name", () => {
  const kinds = RELATION_NAMES.map((name) => name.split(":")[0]!)
    .filter((kind) => !/-one$|^change-|^asserted$/.test(kind));
  const cases = new Set(NEIGHBOUR_CASES.map(({ relation }) => relation.split(":")[0]!));
  assertEquals([...cases].sort(), kinds.sort());
  for (const { relation: name, domain } of NEIGHBOUR_CASES) {
    const relation = relationOf(name);
    assertEquals(relation.name, name);
    assert(sameRelation(relation, relationOf(name)) && relation !== addRemoveOne);
    let most = 0;
    fc.assert(
      fc.property(neighbours(domain, name), ({ left, right }) => {
        assertEquals(relation.violation(left, right), undefined, name);
        assertEquals(relation.violation(right, left), undefined, name);
        assert(relation.violation(left, left) !== undefined, `${name}: nothing differs`);
        const distance = relation.distance?.(left, right) ?? 1;
        assert(distance > 0, name);
        most = Math.max(most, distance);
      }),
      { seed: 59, numRuns: 100 },
    );
    // The farthest neighbours are among them.
    const farthest = {
      "user:id": 3,
      "household:id": 3,
      "rows:2": 2,
      "event:2": 2,
      "within:2": 2,
      node: 2,
    };
    assertEquals(most, (farthest as Record<string, number>)[name] ?? most, name);
  }
});

/** Two datasets that are not neighbours, and a part of the rule that they break. */
const REFUSED: readonly [string, unknown[], unknown[], string][] = [
  ["user:id", [{ id: 1 }, { id: 1 }], [{ id: 1 }], "no row of the user"],
  ["user:id", [{ id: 1 }, { id: 2 }], [], "all others"],
  ["user:id", [{ id: null }], [], "is null"],
  ["user:id", [{ name: 1 }], [], "must have id"],
  ["user", [{ id: 1 }], [], "must have user"],
  ["household:home", [{ home: 1 }], [{ home: 2 }], "more rows"],
  ["rows:2", [1, 2, 3], [], "1 to 2"],
  ["rows:2", [1, 2, 3], [3, 2], "in order"],
  ["label:y", [{ x: 1, y: 1 }], [{ x: 2, y: 2 }], "only y"],
  ["label:y", [{ x: 1 }], [{ x: 2 }], "must have y"],
  ["label:y", [{ y: 1 }, { y: 1 }], [{ y: 2 }, { y: 2 }], "exactly one row"],
  ["one-sided:ill=true", [{ ill: false }], [], "ill = true"],
  ["one-sided:ill=true", [{ ill: "true" }], [], "ill = true"],
  ["swap:x", [{ x: 1, y: 1 }, { x: 2, y: 2 }], [{ x: 2, y: 2 }, { x: 1, y: 1 }], "exchange x"],
  ["swap", [1, 2, 3], [2, 3, 1], "exactly two"],
  ["swap", [1, 2], [2, 2], "exactly two"],
  ["event:2", [0, 0, 0], [1, 0, 1], "within 2"],
  ["event", [0, 0], [1, 1], "within 1"],
  ["within:2", [0], [2.001], "by at most 2"],
  ["within:2", [[0, 0]], [[2, 2]], "by at most 2"],
  ["within:2", [[0, 0]], [[1]], "must be numbers"],
  ["within:2", [NaN], [0], "must be numbers"],
  ["within:2", [{ x: 0, y: 4 }], [{ y: 0, x: 4 }], "by at most 2"],
  ["within:2", [{ x: 0, y: 4 }], [{ x: 0, z: 4 }], "must be numbers"],
  ["geo:1", [[0, 0, 0]], [[0, 0, 1]], "two coordinates"],
  ["edge", [[1, 2], [2, 1]], [[1, 2]], "twice"],
  ["edge", [[1, 1]], [], "itself"],
  ["edge", [[1, 2, 3]], [], "pair of nodes"],
  ["edge", [[1, 2], [2, 3]], [], "exactly one"],
  ["node", [[1, 2], [1, 3], [2, 3]], [[1, 2], [1, 3]], "all edges of one node"],
  ["node", [[1, 2], [3, 4]], [], "all edges of one node"],
];

Deno.test("relations with a name refuse what is not near, and name the rule", () => {
  for (const [name, left, right, rule] of REFUSED) {
    for (const [l, r] of [[left, right], [right, left]] as const) {
      const broken = relationOf(name).violation(l, r);
      assert(broken?.includes(rule), `${name}: ${broken}`);
      assertThrows(() => pairOf(relationOf(name), { left: l, right: r }), RangeError, name);
    }
  }
});

Deno.test("names of relations with a parameter that is missing or wrong are refused", () => {
  for (
    const name of [
      "user:",
      "rows",
      "rows:0",
      "rows:1.5",
      "event:0",
      "within:0",
      "within:-1",
      "geo:x",
    ]
      .concat(
        "one-sided",
        "one-sided:ill",
        "one-sided:=1",
        "edge:1",
        "node:",
        "near",
        "swap:",
        "label:",
      )
  ) assertEquals(relationNamed(name), undefined, name);
  assertThrows(() => relationOf("users"), RangeError, "user:FIELD");
  const values = (name: string): Relation => relationOf(`one-sided:${name}`);
  assertEquals(values('ill="true"').violation([{ ill: "true" }], []), undefined);
  assertEquals(values('ill="true"').name, 'one-sided:ill="true"');
  assertEquals(values("cause=hiv=1").violation([{ cause: "hiv=1" }], []), undefined);
});
