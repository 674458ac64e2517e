import { assertEquals } from "@std/assert";
import { datasetDifferenceOf } from "../../../../lib/audit/location_shift/dataset_difference.ts";

/** The direction between two datasets, in plain numbers. */
function direction(left: unknown, right: unknown): { total: number; each: number[] | undefined } {
  const { total, each } = datasetDifferenceOf({ left, right });
  return { total, each: each && [...each] };
}

// Mutants: the way of the first number, the sign of a move for the move, left and right exchanged, the number of
// data before their total, data that are no numbers taken for zeros.
Deno.test("datasetDifferenceOf() is how far the total moves, else the number of the data, and how far each", () => {
  assertEquals(direction([1], [2]), { total: 1, each: [1] });
  assertEquals(direction([5, 1, 0], [2, 1, 1]), { total: -2, each: [-3, 0, 1] });
  assertEquals(direction([1, 1], [0, 2]), { total: 0, each: [-1, 1] });
  assertEquals(direction([false], [true]), { total: 1, each: [1] });
  assertEquals(direction([1, 2], [1, 2, 3]), { total: 3, each: undefined });
  assertEquals(direction([-3], []), { total: 3, each: undefined });
  assertEquals(direction([1, 0], [1]), { total: -1, each: undefined });
  assertEquals(direction([{ age: 3 }], [{ age: 3 }, { age: 4 }]), { total: 1, each: undefined });
  assertEquals(direction([{ age: 3 }], [{ age: 4 }]), { total: 0, each: undefined });
  assertEquals(direction({ rows: 3 }, { rows: 4 }), { total: 0, each: [] });
});
