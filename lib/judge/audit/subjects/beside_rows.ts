import { changedDraws } from "../kernel/order/changed_draws.ts";
import type { Coins } from "../kernel/order/coins.ts";
import type { PairData, Subject } from "../kernel/subject.ts";

/**
 * Returns the subject on every dataset with the same public rows before it. Two datasets that are neighbours are neighbours with these
 * rows as well, so that a claim is tested on fewer pairs, and none is wrongly refuted.
 *
 * @throws {RangeError} when its outputs were recorded, or, in a draw, when a dataset is not a list of rows.
 */
export function besideRows(subject: Subject, rows: readonly unknown[]): Subject {
  if (subject.recorded !== undefined) {
    throw new RangeError("Cannot add rows: outputs must not be recorded: nothing is drawn");
  }
  const beside = (data: unknown): unknown[] => {
    if (!Array.isArray(data)) {
      throw new RangeError("Cannot add rows: every dataset must be a list of rows");
    }
    return [...rows, ...data];
  };
  return changedDraws(subject, {
    name: `${subject.name} (beside ${rows.length} fixed ${rows.length === 1 ? "row" : "rows"})`,
    draw: (data, count) => subject.draw(beside(data), count),
    ...(subject.drawInOrder === undefined ? {} : {
      drawInOrder: ({ left, right }: PairData, coins: Coins) =>
        subject.drawInOrder!({ left: beside(left), right: beside(right) }, coins),
    }),
  });
}
