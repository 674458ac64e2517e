import { assertEquals } from "@std/assert";
import { distanceFromMiddle } from "../../../../lib/audit/encoding/distance_from_middle.ts";

function medianOf(values: readonly number[]): number {
  const rows = Float64Array.from(values.flatMap((x) => [x, 100]));
  const feature = distanceFromMiddle({ rows, labels: new Uint8Array(values.length), width: 2 });
  return feature.kind === "distance" && feature.index === 0 ? feature.value : NaN;
}

// Mutants: the mean for the median, missing values among the numbers, another column.
Deno.test("distanceFromMiddle() is the distance of the first number from the median of those that are there", () => {
  assertEquals(medianOf([5, -1e9, 3, 4, 1e6]), 4);
  assertEquals(medianOf([NaN, NaN, NaN, NaN, 7, -2, 9]), 7);
  assertEquals(medianOf([-Infinity, 2, Infinity]), 2);
  assertEquals(medianOf([NaN]), 0);
  assertEquals(medianOf([]), 0);
});
