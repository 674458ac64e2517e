import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";

/**
 * The L1 sensitivity of counts of disjoint kinds of rows: 1 when a row is added or removed, 2 when it
 * is replaced by one of another kind. A single count moves by at most 1 under either.
 *
 * @throws {RangeError} for another relation, of which nothing is known here.
 */
export function histogramSensitivity(action: string, relation: Relation): number {
  if (relation === addRemoveOne) return 1;
  if (relation === replaceOne) return 2;
  throw new RangeError(
    `Cannot ${action}: relation must be add-remove-one or replace-one: current value is ${relation.name}`,
  );
}
