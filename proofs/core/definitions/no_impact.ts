import { integerVectors } from "../../engine/finite_check.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

const SIZE = 3;

/** Whether each of two datasets may be had from the other in one step. */
type Neighbours = (left: readonly number[], right: readonly number[]) => boolean;

/** One row differs. */
const oneRow: Neighbours = (left, right) =>
  left.filter((value, i) => value !== right[i]).length === 1;

/** What it would mean that a row has no impact at all, or that nothing is learnt about anybody. */
export const noImpact = theorem<Neighbours>({
  id: "definitions/no_impact",
  statement:
    "If no row's change alters the law of the output, then the output has one law for all datasets of a size, and tells nothing of them. " +
    "Whether a sum is large tells something of a person who is not in the data, to whoever knows how that person compares with those who are.",
  citation: "Dwork 2006, sections 1 and 3, on Dalenius 1977; Dwork, Naor 2010",
  source:
    "Haußmann’s slides: “my data should have no impact on the released results”, and Dalenius’ demand",
  remember: () =>
    `All ${
      SIZE ** 3
    } datasets of three rows are joined by changes of one row: a law that no row changes is one law for all.`,
  onPaper: true,
  kind: "exact",
  checked:
    "three rows of three values: all 27 datasets are joined by changes of one row; all outputs that split them in two by a sum, with someone outside whose value is the most frequent one, all 27 equally likely, in whole numbers",
  subject: oneRow,
  check: (neighbours) =>
    outcomeOf("27 datasets, six outputs", () => {
      const datasets = [...integerVectors(SIZE, { min: 0, max: 2 })];
      // Equal laws spread along neighbours.
      const reached = [datasets[0]!];
      for (const from of reached) {
        for (const to of datasets) {
          if (neighbours(from, to) && !reached.includes(to)) reached.push(to);
        }
      }
      requireThat(
        reached.length === datasets.length,
        () => `from (${datasets[0]}) equal laws reach ${reached.length} of 27 datasets`,
      );
      // Someone outside is known to have the value that is most frequent inside, the least of several.
      const outside = (data: readonly number[]): number => {
        const counts = [0, 1, 2].map((value) => data.filter((each) => each === value).length);
        return counts.indexOf(Math.max(...counts));
      };
      for (let threshold = 1; threshold <= 6; threshold++) {
        const told = datasets.filter((data) =>
          data.reduce((sum, value) => sum + value, 0) >= threshold
        );
        const changed = [0, 1, 2].some((value) => {
          const share = (of: readonly (readonly number[])[]): number =>
            of.filter((data) => outside(data) === value).length;
          return share(told) * datasets.length !== share(datasets) * told.length;
        });
        requireThat(
          changed,
          () => `a sum of ${threshold} or more tells nothing of the one outside`,
        );
      }
    }),
  mutants: {
    "rows that only rise by two": (left, right) =>
      oneRow(left, right) &&
      Math.abs(left.reduce((sum, value, i) => sum + value - right[i]!, 0)) === 2,
    "the first row never changes": (left, right) => oneRow(left, right) && left[0] === right[0],
  },
});
