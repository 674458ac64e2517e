import { assert } from "@std/assert";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  replaceOne,
  sameRelation,
} from "../../../lib/core/relations/relation.ts";

// Mutants: relations compared by name alone, or by identity alone; one of the two may be anyone's.
Deno.test("sameRelation() knows relations of the library by name, and your own by identity", () => {
  assert(sameRelation(replaceOne, replaceOne));
  assert(sameRelation(changeEach({ by: 2 }), changeEach({ by: 2 })));
  const own = { ...replaceOne };
  assert(sameRelation(own, own));
  for (
    const [left, right] of [
      [replaceOne, addRemoveOne],
      [changeEach({ by: 1 }), changeEach({ by: 2 })],
      [changeEach({ by: 1 }), changeOne({ by: 1 })],
      [own, replaceOne],
      [own, { ...own }],
    ] as const
  ) {
    assert(!sameRelation(left, right) && !sameRelation(right, left));
  }
});
