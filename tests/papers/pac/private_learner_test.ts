import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  addRemoveOne,
  type Pair,
  pairOf,
  replaceOne,
} from "../../../lib/core/relations/relation.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { privateLearnerRows } from "../../../lib/papers/pac/private_learner_rows.ts";

interface Point {
  readonly x: number;
  readonly positive: boolean;
}

/** Whether the threshold is wrong about the point. */
function errs(threshold: number, { x, positive }: Point): boolean {
  return (x >= threshold) !== positive;
}

Deno.test("privateLearnerRows() is the larger of what sampling and what choosing need", () => {
  const goal = { hypotheses: 100, epsilon: 0.1, excess: 0.1, failure: 0.05 };
  assertEquals(privateLearnerRows(goal), Math.ceil(800 * Math.log(8000)));
  assertEquals(
    privateLearnerRows({ ...goal, epsilon: 0.01 }),
    Math.ceil(4000 * Math.log(4000)),
  );
  // The two steps of the proof, at the number of rows that it gives.
  const n = privateLearnerRows({ ...goal, epsilon: 0.04 });
  assert(2 * 100 * Math.exp(-n * 0.01 / 8) <= 0.025);
  assert(100 * Math.exp(-0.04 * 0.1 * n / 4) <= 0.025);
  assert(100 * Math.exp(-0.04 * 0.1 * (n - 1) / 4) > 0.025);
  for (const wrong of [{ hypotheses: 0 }, { excess: 0 }, { failure: 1 }, { epsilon: 0 }]) {
    assertThrows(() => privateLearnerRows({ ...goal, ...wrong }), RangeError);
  }
});

/** One hypothesis is right about everything, or about all but one. */
const few = [0, 0.5, 1];
const positive = { x: 0.7, positive: true }, negative = { x: 0.7, positive: false };
const replaced = pairOf(replaceOne, {
  left: [positive, positive, negative],
  right: [positive, negative, negative],
});
const added = pairOf(addRemoveOne, { left: [positive], right: [positive, negative] });

function learnerFor(pair: Pair<Point>, epsilon: number): Mechanism<Point, number> {
  return privateLearner<Point, number>({
    hypotheses: few,
    errs,
    epsilon,
    relation: pair.relation,
  });
}

Deno.test("privateLearner() loses at most ε on neighbours, exactly, and chooses as it says", () => {
  for (const pair of [replaced, added]) {
    const learner = learnerFor(pair, 1.5);
    const left = learner.distribution!(pair.left), right = learner.distribution!(pair.right);
    left.forEach(({ probability }, i) =>
      assert(Math.abs(Math.log(probability / right[i]!.probability)) <= 1.5 + 1e-12)
    );
    // 0 and 0.5 call 0.7 positive, 1 does not.
    const wrong = pair === replaced ? [1, 1, 2] : [0, 0, 1];
    const rate = pair === replaced ? 0.75 : 1.5;
    const weights = wrong.map((count) => Math.exp(-rate * count));
    const total = weights.reduce((sum, weight) => sum + weight);
    left.forEach(({ probability }, i) =>
      assertAlmostEquals(probability, weights[i]! / total, 1e-12)
    );
  }
});
