import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { integerVectors } from "../../engine/finite_check.ts";
import { all, atMost, equals } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** L1 sensitivities said of the count, the sum and the histogram, by relation. */
interface Claimed {
  readonly count: number;
  readonly sum: { readonly replace: number; readonly add: number };
  readonly histogram: { readonly replace: number; readonly add: number };
}

/** As stated, for values up to 3. */
const STATED: Claimed = {
  count: 1,
  sum: { replace: 3, add: 3 },
  histogram: { replace: 2, add: 1 },
};

/** The slides' examples: how many mathematicians, how many siblings, a histogram of incomes. */
export const querySensitivities = theorem<Claimed>({
  id: "definitions/query_sensitivities",
  statement:
    "One person moves a count by 1, a sum of values in 0…m by m, and a histogram by 2 in L1 when " +
    "replaced, by 1 when added or removed.",
  citation: "Dwork, Roth 2014, examples 3.1 and 3.2",
  source: "Haußmann’s slides, ℓ1 sensitivity",
  remember: () =>
    `A histogram moves by ${STATED.histogram.replace} when someone is replaced, by ${STATED.histogram.add} when someone comes or goes.`,
  kind: "exact",
  checked:
    "all datasets of up to three people, with values 0…3 (siblings) and m = 3; without a bound the sum has none",
  subject: STATED,
  check: ({ count, sum, histogram }) => {
    const datasets = [0, 1, 2, 3].flatMap((size) => [...integerVectors(size, { min: 0, max: 3 })]);
    const queries: Record<string, (data: readonly number[]) => number[]> = {
      count: (data) => [data.filter((value) => value >= 2).length],
      sum: (data) => [data.reduce((total, value) => total + value, 0)],
      histogram: (data) => [0, 1, 2, 3].map((bin) => data.filter((v) => v === bin).length),
    };
    const sensitivity = (name: string, relation: Relation): number => {
      let most = 0;
      for (const left of datasets) {
        const a = queries[name]!(left);
        for (const right of datasets) {
          if (Math.abs(left.length - right.length) > 1) continue;
          if (relation.violation(left, right) !== undefined) continue;
          const b = queries[name]!(right);
          most = Math.max(most, a.reduce((total, v, i) => total + Math.abs(v - b[i]!), 0));
        }
      }
      return most;
    };
    const claims = [
      ["count", replaceOne, count],
      ["count", addRemoveOne, count],
      ["sum", replaceOne, sum.replace],
      ["sum", addRemoveOne, sum.add],
      ["histogram", replaceOne, histogram.replace],
      ["histogram", addRemoveOne, histogram.add],
    ] as const;
    return all(
      claims.flatMap(([name, relation, bound]) => {
        const value = sensitivity(name, relation);
        const witness = `${name} moves by ${value} under ${relation.name}`;
        return [
          atMost(bound, { value, detail: name, witness }),
          equals(bound, { value, detail: name, tolerance: 0 }),
        ];
      }),
      "all datasets of up to three people",
    );
  },
  mutants: {
    "a histogram moves by 1 when someone is replaced": {
      count: 1,
      sum: { replace: 3, add: 3 },
      histogram: { replace: 1, add: 1 },
    },
    "siblings move a sum by 1": {
      count: 1,
      sum: { replace: 1, add: 1 },
      histogram: { replace: 2, add: 1 },
    },
  },
});
