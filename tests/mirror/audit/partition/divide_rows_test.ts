import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { divideRows } from "../../../../lib/audit/partition/divide_rows.ts";

// Mutants: the bin of the threshold on the other side, a category compared in order, rows outside of the range moved, order lost.
Deno.test("divideRows() moves rows up to a threshold, or in its bin, before the others, and keeps their order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 200 }),
      fc.nat({ max: 255 }),
      fc.boolean(),
      fc.nat(),
      fc.nat(),
      (numbers, threshold, categorical, a, b) => {
        const bins = Uint8Array.from(numbers), n = bins.length;
        const [from, to] = [a % (n + 1), b % (n + 1)].sort((x, y) => x - y) as [number, number];
        const order = Int32Array.from(bins.keys()).reverse(), before = [...order];
        const scratch = new Int32Array(n);
        const middle = divideRows(order, { from, to, bins, threshold, categorical, scratch });
        const isLeft = (row: number): boolean =>
          categorical ? bins[row] === threshold : bins[row]! <= threshold;
        const part = before.slice(from, to);
        const left = part.filter(isLeft), right = part.filter((row) => !isLeft(row));
        assertEquals([...order], [
          ...before.slice(0, from),
          ...left,
          ...right,
          ...before.slice(to),
        ]);
        assertEquals(middle, from + left.length);
      },
    ),
    { seed: 72, numRuns: 300 },
  );
});
