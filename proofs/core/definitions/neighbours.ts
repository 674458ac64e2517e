import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { integerVectors } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Bounded and unbounded neighbours: one replacement is at most so many additions and removals. */
export const neighbours = theorem<{ readonly steps: number }>({
  id: "definitions/neighbours",
  statement:
    "Datasets that differ in one entry changed are two steps of adding or removing apart, so " +
    "unbounded ε-DP implies bounded 2ε-DP; no number of changes makes sizes differ, so bounded DP " +
    "implies nothing unbounded.",
  citation: "Kifer, Machanavajjhala 2011, section 2; Dwork, Roth 2014, section 2.3",
  source: "Haußmann’s slides, neighbouring database?",
  remember: () =>
    `From one row to another it is ${
      distance([0], [1])
    } steps: the one is removed, the other added.`,
  kind: "exact",
  checked: "all datasets of one to three rows with three values",
  subject: { steps: 2 },
  check: ({ steps }) => {
    let pairs = 0, most = 0;
    for (const size of [1, 2, 3]) {
      const datasets = [...integerVectors(size, { min: 0, max: 2 })];
      for (const left of datasets) {
        for (const right of datasets) {
          if (replaceOne.violation(left, right) !== undefined) continue;
          pairs++;
          most = Math.max(most, distance(left, right));
        }
        // Never neighbours of another size.
        if (replaceOne.violation(left, left.slice(1)) === undefined) {
          return { holds: false, margin: NaN, witness: "sizes differ", detail: "bounded" };
        }
      }
    }
    return {
      holds: most <= steps,
      margin: most / steps,
      detail: `${pairs} pairs of up to three rows`,
      ...(most <= steps ? {} : { witness: `a pair ${most} steps apart` }),
    };
  },
  mutants: { "one step": { steps: 1 } },
});

/** The fewest steps of the add-remove relation between two small datasets. */
function distance(left: readonly number[], right: readonly number[]): number {
  let reached = [left];
  for (let steps = 0; steps <= 4; steps++) {
    if (reached.some((data) => `${data}` === `${right}` && data.length === right.length)) {
      return steps;
    }
    reached = reached.flatMap((data) => {
      const near: number[][] = [];
      for (let i = 0; i < data.length; i++) near.push(data.toSpliced(i, 1));
      for (let i = 0; i <= data.length; i++) {
        for (let value = 0; value <= 2; value++) near.push(data.toSpliced(i, 0, value));
      }
      return near.filter((other) => addRemoveOne.violation(data, other) === undefined);
    });
  }
  return Infinity;
}
