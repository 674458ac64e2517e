import { replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type CategoricalRow,
  type DecisionTreeOptions,
  sampleDecisionTree,
  treeCalibration,
} from "../../../lib/papers/sulq/decision_tree.ts";
import { treeGainBound } from "../../../lib/papers/sulq/tree_gain_bound.ts";
import { logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { casesOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const shipped = { treeGainBound, treeCalibration, sampleDecisionTree };
type Trees = typeof shipped;

const RUNS = 80, MOST_OFF = 36, FAILURE = 0.1;

/** The conditional entropy of labels given an attribute, a row, in nats: what a gain is short of that of the labels. */
function entropy(rows: readonly CategoricalRow[], attribute: number): number {
  const cells = new Map<string, number>(), values = new Map<number, number>();
  for (const { values: all, label } of rows) {
    const value = all[attribute]!;
    cells.set(`${value},${label}`, (cells.get(`${value},${label}`) ?? 0) + 1);
    values.set(value, (values.get(value) ?? 0) + 1);
  }
  let sum = 0;
  for (const [key, count] of cells) {
    sum -= count * Math.log(count / values.get(Number(key.split(",")[0]))!);
  }
  return sum / rows.length;
}

/** ID3 by SuLQ. */
export const sulqTreeGain = theorem<Trees>({
  id: "queries/sulq_tree_gain",
  statement:
    "ID3 from noisy counts tests at its root an attribute whose gain is within α of the largest with probability 1 − β, α = 2ck(1 + ln(2c + n/(kz)))·z/n for c classes, k the most values of an attribute and " +
    "z = √(2σ²·ln(2N/β)) what none of N noises exceeds.",
  citation: "Blum, Dwork, McSherry, Nissim 2005, section 4.3; Quinlan 1986",
  source: "Shmatikov’s slides, what SuLQ computes: ID3",
  remember: () =>
    `With 20,000 rows, two classes and ρ = .5 the gain of the attribute at the root is within ${
      short(
        treeGainBound({
          attributes: [2, 4, 3],
          classes: 2,
          depth: 1,
          rho: 0.5,
          relation: replaceOne,
        }, { rows: 20_000, failure: FAILURE }),
      )
    } of the best, nine times in ten.`,
  assumptions: [
    `of ${
      2 * RUNS
    } runs no more than ${MOST_OFF} may be off by more than α for β = ${FAILURE}: more are with a chance of ${
      short(Math.exp(logBinomialTail(MOST_OFF + 1, 2 * RUNS, FAILURE)))
    } when each is with probability ${FAILURE} (binomial tail)`,
  ],
  kind: "statistical",
  checked:
    "three attributes of two to four values, two and three classes, 2,000 and 20,000 rows, 80 runs each",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "the gain of the root": () => {
        let off = 0;
        for (const [classes, rows, rho] of [[2, 2000, 0.5], [3, 20_000, 0.02]] as const) {
          const options: DecisionTreeOptions = {
            attributes: [2, 4, 3],
            classes,
            depth: 1,
            rho,
            relation: replaceOne,
          };
          const source = new SeededSource(seed).split(`gain ${classes}`);
          const data = Array.from({ length: rows }, (): CategoricalRow => {
            const values = [2, 4, 3].map((many) => source.uint32() % many);
            return {
              values,
              label: source.uint32() % 10 < 7
                ? (values[1]! + (values[0]! >> 1)) % classes
                : source.uint32() % classes,
            };
          });
          const alpha = of.treeGainBound(options, { rows, failure: FAILURE });
          const entropies = [0, 1, 2].map((attribute) => entropy(data, attribute));
          const best = Math.min(...entropies);
          const { variance } = of.treeCalibration(options);
          // N noises: a cell for each value of each attribute and class.
          const largest = Math.sqrt(2 * variance * Math.log(2 * classes * 9 / FAILURE));
          requireNear(
            alpha,
            2 * classes * 4 * largest * (1 + Math.log(2 * classes + rows / (4 * largest))) / rows,
            { relative: 1e-12, what: "α" },
          );
          for (let run = 0; run < RUNS; run++) {
            const { root } = of.sampleDecisionTree(source, { ...options, data });
            if (root.kind === "leaf" || entropies[root.attribute]! - best > alpha) off++;
          }
        }
        requireThat(off <= MOST_OFF, `${off} of ${2 * RUNS} runs are off by more than α`);
      },
    }),
  mutants: {
    "α for the counts of one class": {
      ...shipped,
      treeGainBound: (options, rest) =>
        treeGainBound({ ...options, classes: 2 }, rest) / (options.classes / 2),
    },
    "an attribute at random": {
      ...shipped,
      sampleDecisionTree: (source, options) =>
        sampleDecisionTree(source, { ...options, rho: 1e-6 }),
    },
  },
});
