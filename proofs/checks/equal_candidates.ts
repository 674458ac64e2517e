import { pure } from "../../lib/core/claim.ts";
import type { Real } from "../../lib/core/continuous_draws.ts";
import { pairCases } from "../../lib/exact/alignment/neighbour_cases.ts";
import type { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import { leavesOf } from "../../lib/exact/alignment/prove_case.ts";
import type { TracedProgram } from "../../lib/exact/alignment/trace_program.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { changedAnswers, eachByOne as relation } from "./changed_answers.ts";

/** Of equal values the first is the largest: no path is lost there, and what is lost by the others is told. */
export async function requireEqualCandidates(prove: typeof proveAlignment): Promise<void> {
  const cases = changedAnswers(1, { min: -4, max: 6 });
  for (
    const [name, places, outputs] of [
      ["the same twice", [0, 0], [0]],
      ["the same twice, before another", [0, 0, 2], [0, 2]],
      ["the same twice, after another", [2, 0, 0], [0, 1]],
      ["the same twice, about another", [0, 2, 0], [0, 1]],
      ["one that is less by 1", [1, 0], [1]],
      ["one that is less by 1, and another", [1, 0, 2], [1, 2]],
      ["one that is less by 1, last", [2, 0, 1], [0, 1]],
    ] as const
  ) {
    const program: TracedProgram = (data, source) => {
      const value = source.sum((data as Real[])[0]!, source.laplace({ scale: 1 }));
      const other = source.laplace({ scale: 1 });
      const values = [value, source.difference(value, 1), other];
      return [source.indexOfLargest(places.map((place) => values[place]!)), value];
    };
    for (const [epsilon, verdict] of [[1, "holds"], [0.9, "open"]] as const) {
      const { report, details } = await prove({ name, run: program }, {
        claim: pure({ epsilon, relation }),
        cases,
      });
      requireThat(
        (report.verdict === "holds") === (verdict === "holds"),
        () => `${name} is ${epsilon}-private: ${report.verdict}`,
      );
      if (verdict !== "holds") continue;
      for (const { proof } of details) {
        for (const { alignment } of leavesOf(proof)) {
          const found = alignment.classes.map(({ left }) => (left.output.shown as number[])[0]!);
          requireEqual(found.toSorted((a, b) => a - b), outputs, `outputs of ${name}`);
        }
      }
    }
  }
}

/** A path that only one dataset has takes its output to those that the other has, or is left open. */
export async function requireLonelyPaths(prove: typeof proveAlignment): Promise<void> {
  const run: TracedProgram = (data, source) => {
    const [a, b] = data as [Real, Real];
    const noises = [0, 1].map(() => source.exponential({ scale: 1 }));
    return source.less(noises[0]!, a) || source.less(noises[1]!, b);
  };
  // P(no draw is below its limit) is e^−2 on the left, and e^−1 on the right.
  for (const [left, right] of [[[1, 1], [0, 1]], [[1, 1], [1, 0]], [[0, 1], [1, 1]]] as const) {
    const { report } = await prove({ name: "below a limit", run }, {
      claim: pure({ epsilon: 0.9, relation }),
      cases: pairCases(left, right),
    });
    requireEqual(report.verdict, "not proved", "a loss of 1");
  }
}
