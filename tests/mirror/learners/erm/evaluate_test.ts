import { assertEquals } from "@std/assert";
import {
  allocateEvaluation,
  evaluate,
  type Problem,
} from "../../../../lib/learners/erm/problem.ts";
import { squaredNorm } from "../../../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";

// Certificates of minima rest on it. Mutant: what sums of blocks have lost left out at the end.
Deno.test("evaluate() sums gradients with compensation: ones are kept beside 2⁵³", () => {
  const blocks = 12, values = new Float64Array(128 * blocks);
  values[0] = 2 ** 53;
  for (let block = 1; block < blocks - 1; block++) values[128 * block] = 1;
  values[128 * (blocks - 1)] = -(2 ** 53);
  const problem: Problem = {
    rows: denseRows(values, { columnCount: 1 }),
    signs: new Float64Array(values.length).fill(1),
    loss: {
      name: "falling",
      value: (margin) => -margin,
      slope: () => -1,
      curvature: () => 0,
      curvatureBound: 1,
    },
    regulariser: squaredNorm,
    lambda: 1,
    quadratic: 0,
  };
  const at = allocateEvaluation(problem);
  evaluate(problem, { at, scratch: new Float64Array(values.length) });
  assertEquals([...at.gradient], [-(blocks - 2) / values.length]);
});
