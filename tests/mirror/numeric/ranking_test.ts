import { assertEquals } from "@std/assert";
import { byTurns, largestFirst } from "../../../lib/numeric/ranking.ts";

// Mutants: one ranking after the other, the second one first, things twice.
Deno.test("byTurns() takes the first of each ranking, then the second of each, everything once", () => {
  assertEquals(byTurns([1, 2, 3, 4], [3, 1, 4, 2]), [1, 3, 2, 4]);
  assertEquals(byTurns(["a", "b", "c"], ["c", "b", "a"]), ["a", "c", "b"]);
  assertEquals(byTurns(["a", "b"], ["a", "b"]), ["a", "b"]);
  assertEquals(byTurns([], []), []);
  assertEquals(byTurns([1, 2, 3], [2, 1, 3], [5]), [1, 2, 5, 3]);
  assertEquals(byTurns([7, 8], [1, 2, 3, 4]), [7, 1, 8, 2, 3, 4]);
});

// Mutants: the smallest first, equal ones turned round, the argument sorted itself, a value asked for twice.
Deno.test("largestFirst() sorts by a value asked for once each, equal ones as they came", () => {
  const words = ["of", "three", "is", "a", "four"];
  let asked = 0;
  const sorted = largestFirst(words, ({ length }) => (asked++, length));
  assertEquals(sorted, ["three", "four", "of", "is", "a"]);
  assertEquals([words, asked], [["of", "three", "is", "a", "four"], 5]);
});
