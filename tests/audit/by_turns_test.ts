import { assertEquals } from "@std/assert";
import { byTurns } from "../../lib/audit/by_turns.ts";

// Mutants: one ranking after the other, the second one first, things twice.
Deno.test("byTurns() takes the first of each ranking, then the second of each, everything once", () => {
  assertEquals(byTurns([1, 2, 3, 4], [3, 1, 4, 2]), [1, 3, 2, 4]);
  assertEquals(byTurns(["a", "b", "c"], ["c", "b", "a"]), ["a", "c", "b"]);
  assertEquals(byTurns(["a", "b"], ["a", "b"]), ["a", "b"]);
  assertEquals(byTurns([], []), []);
});
