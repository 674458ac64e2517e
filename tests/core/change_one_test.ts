import { assert, assertEquals, assertThrows } from "@std/assert";
import { changeOne } from "../../lib/core/relations/relation.ts";

Deno.test("changeOne() lets one answer move by at most `by`", () => {
  const { name, violation } = changeOne({ by: 1 });
  assertEquals(name, "change-one-by-1");
  assertEquals(violation([1, 2], [1, 2]), undefined);
  assertEquals(violation([1, 2], [1, 3]), undefined);
  assertEquals(violation([1, 2], [0.5, 2]), undefined);
  assert(violation([1, 2], [1, 3.5])?.includes("answer 2"));
  assert(violation([1, 2], [2, 3])?.includes("at most one row may differ"));
  assert(violation([1, 2], [1])?.includes("same number"));
  assertThrows(() => changeOne({ by: 0 }), RangeError, "by must be positive");
});
