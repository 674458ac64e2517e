import { replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type DecisionTreeOptions,
  treeCalibration,
} from "../../../lib/papers/sulq/decision_tree.ts";
import { treeGainBound } from "../../../lib/papers/sulq/tree_gain_bound.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

const OPTIONS: DecisionTreeOptions = {
  attributes: [2, 3],
  classes: 2,
  depth: 1,
  rho: 0.5,
  relation: replaceOne,
};

/** What is at stake at a node of so many rows, as a share of what is allowed. */
type Stake = (rows: number) => number;

/** ρ of the counts that a tree asks for at its root, when one of `rows` rows is replaced by each other one. */
const privacyLost: Stake = (rows) => {
  const { variance } = treeCalibration(OPTIONS);
  const all = [0, 1].flatMap((a) =>
    [0, 1, 2].flatMap((b) => [0, 1].map((label) => ({ a, b, label })))
  );
  const counts = (data: typeof all): number[] => {
    const cells = new Array<number>(16).fill(0);
    for (const { a, b, label } of data) {
      // Classes at the root, a table for each attribute, classes at the leaf that the first attribute leads to.
      cells[label]! += 1;
      cells[2 + 2 * a + label]! += 1;
      cells[6 + 2 * b + label]! += 1;
      cells[12 + 2 * a + label]! += 1;
    }
    return cells;
  };
  const rest = Array.from({ length: rows - 1 }, (_, i) => all[i % all.length]!);
  let worst = 0;
  for (const left of all) {
    for (const right of all) {
      const [p, q] = [counts([left, ...rest]), counts([right, ...rest])];
      const square = p.reduce((sum, value, i) => sum + (value - q[i]!) ** 2, 0);
      worst = Math.max(worst, square / (2 * variance));
    }
  }
  return worst / OPTIONS.rho;
};

/** How far the gain of the attribute that is chosen may be from the best, as a share of ln 2, the largest gain. */
const gainLost = (rho: number): Stake => (rows) =>
  treeGainBound({ ...OPTIONS, rho }, { rows, failure: 0.1 }) / Math.LN2;

/** Few rows are no danger to privacy. */
export const smallNodes = falseClaim<Stake>({
  id: "false_claims/small_nodes",
  statement:
    "ID3 on noisy counts must stop where few rows are left, for there privacy can no longer be guaranteed.",
  citation:
    "slides of Shmatikov; Blum, Dwork, McSherry, Nissim 2005, section 4.3, stop there for the noise would decide",
  source: "Shmatikov’s slides, computing ID3 with SuLQ: “cannot guarantee privacy anymore”",
  remember: () =>
    `One row loses ${short(privacyLost(1))} of the ρ that is paid, and 10,000 rows lose ${
      short(privacyLost(10_000))
    }.`,
  assumptions: [
    "a tree of depth 1 with attributes of two and three values and two classes; from 1 to 10⁴ rows",
  ],
  kind: "sampled",
  subject: privacyLost,
  check: (stake) => {
    // What is claimed: beyond what is allowed for few rows, within it for many.
    const few = [1, 2, 5, 10, 100].map(stake), many = stake(10_000);
    const holds = few.some((value) => value > 1 + 1e-9) && many <= 1 + 1e-9;
    const shown = few.map(short).join(", ");
    return {
      holds,
      margin: holds ? many : Math.max(...few) / many,
      detail: `1, 2, 5, 10 and 100 rows: ${shown} of what is allowed; 10⁴ rows: ${short(many)}`,
      ...(holds ? {} : {
        witness: `1, 2, 5, 10 and 100 rows lose ${shown} of ρ, no more than 10⁴ rows, ${
          short(many)
        }`,
      }),
    };
  },
  corrected: {
    name: "for the gain of the chosen attribute can no longer be guaranteed",
    subject: gainLost(0.5),
  },
  mutants: {
    "a gain with noise of a 10⁷th": gainLost(0.5e14),
    "a gain with noise of 1,000 times": gainLost(0.5e-6),
  },
});
