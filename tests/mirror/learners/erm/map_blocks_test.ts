import { assertEquals } from "@std/assert";
import { mapBlocks, type RowBlocks } from "../../../../lib/learners/erm/row_blocks.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";

const two: RowBlocks = {
  kind: "blocks",
  rowCount: 2,
  columnCount: 1,
  valueCount: 2,
  rowsAtOnce: 1,
  visit: (each) => [0, 1].forEach((first) => each(denseRows([[first]]), first)),
};

// Mutants: a map of its own for every visit; one map for visits that run at the same time.
Deno.test("mapBlocks() begins one map for visits one after the other, and one more for a visit inside a visit", () => {
  let begun = 0;
  const mapped = mapBlocks(two, {
    columnCount: 1,
    valueCount: 2,
    begin: () => {
      const own = begun++;
      return () => denseRows([[own]]);
    },
  });
  const seen = (): number[] => {
    const maps: number[] = [];
    mapped.visit(({ values }) => maps.push(values[0]!));
    return maps;
  };
  assertEquals([seen(), seen(), begun], [[0, 0], [0, 0], 1]);
  mapped.visit(({ values }) => assertEquals([values[0], seen()], [0, [1, 1]]));
  assertEquals([seen().length, begun], [2, 2]);
});
