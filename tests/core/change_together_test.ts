import { assert, assertEquals, assertThrows } from "@std/assert";
import { changeTogether } from "../../lib/core/relations/relation.ts";

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

// Mutants: an answer that stays the same counts as one that falls, or that rises.
Deno.test("changeTogether() lets some answers rise, or fall, while others stay the same", () => {
  const { violation } = changeTogether({ by: 1 });
  for (const [left, right] of [[[0, 0], [1, 0]], [[2, 2], [2, 1]], [[3, 3], [3, 3]]] as const) {
    assertEquals(violation(left, right), undefined);
    assertEquals(violation(right, left), undefined);
  }
});
