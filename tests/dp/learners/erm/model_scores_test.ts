import { assertEquals, assertThrows } from "@std/assert";
import { pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { Model } from "../../../../lib/dp/learners/erm/model.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";

function modelOf(weights: number[][], classes: (number | string)[]): Model {
  return new Model({
    classes,
    weights: weights.map((each) => Float64Array.from(each)),
    claim: pure({ epsilon: 1, relation: replaceOne }),
    statement: "",
    preparation: { normBound: 10 },
    training: {
      loss: "logistic",
      regulariser: "squared-norm",
      lambda: 1,
      perturbation: "objective",
      rowCount: 1,
    },
  });
}

// Mutants: the first row or class left out, a tie that goes the other way, a score per row that is scaled.
Deno.test("a model scores every row by every weight vector, and ties go to the positive or the first class", () => {
  const rows = denseRows([[1, 2], [0, 0], [-1, 0], [0, -3]]);
  const two = modelOf([[2, 1]], ["no", "yes"]);
  assertEquals([...two.decisionValues(rows)], [4, 0, -2, -3]);
  assertEquals(two.predict(rows), ["yes", "yes", "no", "no"]);
  const three = modelOf([[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"]);
  assertEquals([...three.decisionValues(rows)], [1, 2, -3, 0, 0, 0, -1, 0, 1, 0, -3, 3]);
  assertEquals(three.predict(rows), ["b", "a", "c", "c"]);
  assertEquals([...three.predictIndices(rows)], [1, 0, 2, 2]);
  assertEquals(two.score(rows, ["yes", "no", "no", "no"]), 0.75);
  assertEquals(two.score(denseRows([[1, 1]]), ["yes"]), 1);
  assertThrows(() => two.score(denseRows([], { columnCount: 2 }), []), RangeError, "at least one");
  assertThrows(() => two.score(rows, ["yes"]), RangeError, "one a row");
});
