import { assert, assertEquals, assertThrows } from "@std/assert";
import { changeTogether } from "../../../lib/core/relation.ts";

// Mutants: answers that rise and fall; only one of them; a bound that is not kept.
Deno.test("changeTogether() lets all answers rise or all fall by at most `by`", () => {
  const { name, violation } = changeTogether({ by: 1 });
  assertEquals(name, "change-together-by-1");
  for (const right of [[1, 2, 3], [2, 3, 3.5], [0, 1.5, 3], [1, 2, 2]]) {
    assertEquals(violation([1, 2, 3], right), undefined, String(right));
  }
  assert(violation([1, 2], [2, 1])?.includes("all rise or all fall"));
  assert(violation([1, 2], [1, 3.5])?.includes("answer 2"));
  assert(violation([1, 2], [1])?.includes("same number"));
  assertThrows(() => changeTogether({ by: 0 }), RangeError, "by must be positive");
});
