import { changeEach } from "../../../lib/core/relations/relation.ts";
import { aboveThreshold, numericSparseVector } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { type Run, worstRuns } from "./checks/sparse_vector_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** The ε that the mechanisms are made with; the claim is 1. */
interface Strength {
  readonly plain: number;
  readonly numeric: number;
}

function answers(runs: readonly Run[], side: "left" | "right"): number[] {
  return runs.flatMap((run) => new Array<number>(run.times).fill(run[side]));
}

/** The shipped sparse vectors by their own exact law, at the pairs that are worst for them. */
export const shippedSparseVector = theorem<Strength>({
  id: "mechanisms/shipped_sparse_vector",
  statement:
    "The shipped sparse vector, and the one that releases fresh noisy values (shares of a third " +
    "each), keep their claim for one, two and three answers above, and lose nearly all of it.",
  citation: "Lyu, Su, Li 2017, Algorithm 7; Dwork, Roth 2014, Theorem 3.25, for discrete noise",
  source: "lib/dp/mechanisms/sparse_vector.ts",
  remember: () =>
    `The form that releases values spends its ε in three equal shares: threshold, comparisons, values.`,
  kind: "sampled",
  checked:
    "ε = 1, one, two and three answers above, and the streams of up to 40 answers below that lose most",
  subject: { plain: 1, numeric: 1 },
  check: ({ plain, numeric }) => {
    const common = {
      answers: (rows: readonly number[]) => rows,
      sensitivity: 1,
      threshold: 0,
      granularity: 1,
      relation: changeEach({ by: 1 }),
    };
    const losses = [1, 2, 3].flatMap((count) => {
      const sparse = aboveThreshold<number>({ ...common, count, epsilon: plain });
      const values = numericSparseVector<number>({ ...common, count, epsilon: numeric });
      let [first, second] = [0, 0];
      for (const runs of worstRuns(count)) {
        const [left, right] = [answers(runs, "left"), answers(runs, "right")];
        const said = runs.flatMap((run) => new Array<boolean>(run.times).fill(run.above));
        // A value above the true one is likelier on the left, whose answers above are the larger.
        const told = said.map((above, i) => above ? left[i]! + 5 : null);
        first = Math.max(
          first,
          Math.abs(sparse.logDensity!(said, left) - sparse.logDensity!(said, right)),
        );
        second = Math.max(
          second,
          Math.abs(values.logDensity!(told, left) - values.logDensity!(told, right)),
        );
      }
      return [first, second];
    });
    const worst = Math.max(...losses);
    return atMost(1, {
      value: worst,
      detail: `sparse vector and its numeric form at c = 1, 2, 3: ${losses.map(short).join(", ")}`,
      witness: `loses ${short(worst)}`,
    });
  },
  mutants: {
    "sparse vector, noise at 0.87": { plain: 1 / 0.87, numeric: 1 },
    "numeric sparse vector, noise at 0.87": { plain: 1, numeric: 1 / 0.87 },
  },
});
