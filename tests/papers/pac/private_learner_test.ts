import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  addRemoveOne,
  type Pair,
  pairOf,
  replaceOne,
} from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { privateLearnerRows } from "../../../lib/papers/pac/private_learner_rows.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

interface Point {
  readonly x: number;
  readonly positive: boolean;
}

/** Whether the threshold is wrong about the point. */
function errs(threshold: number, { x, positive }: Point): boolean {
  return (x >= threshold) !== positive;
}

const thresholds = Array.from({ length: 65 }, (_, i) => i / 64);

/** Points uniform in [0, 1), positive from 0.4 on, each label turned with the given probability. */
function points(source: Source, { count, turned }: { count: number; turned: number }): Point[] {
  return Array.from({ length: count }, () => {
    const x = source.uniform();
    return { x, positive: (x >= 0.4) !== (source.uniform() < turned) };
  });
}

/** The error of a threshold on that population. */
function risk(threshold: number, turned: number): number {
  return turned + (1 - 2 * turned) * Math.abs(threshold - 0.4);
}

Deno.test("privateLearner() chooses within α of the best when rows are as many as the bound", () => {
  const source = new SeededSource(670), runs = 60, failure = 0.1;
  for (
    const { epsilon, excess, turned } of [
      { epsilon: 0.05, excess: 0.1, turned: 0 },
      { epsilon: 1, excess: 0.15, turned: 0.2 },
    ]
  ) {
    const goal = { hypotheses: thresholds.length, epsilon, excess, failure };
    const count = privateLearnerRows(goal);
    const learner = privateLearner<Point, number>({
      hypotheses: thresholds,
      errs,
      epsilon,
      relation: replaceOne,
    });
    const best = Math.min(...thresholds.map((threshold) => risk(threshold, turned)));
    let within = 0;
    for (let run = 0; run < runs; run++) {
      const chosen = learner.sample(points(source, { count, turned }), source);
      if (risk(chosen, turned) <= best + excess) within++;
    }
    // At least 1 − β: fewer than 46 of 60 have probability 1e-3 at the bound itself.
    assert(within >= 46);
  }
});

Deno.test("privateLearner() misses α when rows are too few for its ε", () => {
  // The hundredth part of what choosing needs: weights from 1 to e^(−0.95), little more than a guess,
  // and 13 of 65 thresholds are good enough. (Sampling alone would need no more rows for thresholds.)
  const source = new SeededSource(673), runs = 60, count = 63;
  const learner = privateLearner<Point, number>({
    hypotheses: thresholds,
    errs,
    epsilon: 0.05,
    relation: replaceOne,
  });
  let within = 0;
  for (let run = 0; run < runs; run++) {
    if (risk(learner.sample(points(source, { count, turned: 0 }), source), 0) <= 0.1) within++;
  }
  // 17 of 60 are expected at most.
  assert(within < 46);
});

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
