import {
  addRemoveOne,
  asserted,
  changeEach,
  type Relation,
  replaceOne,
} from "../lib/core/relation.ts";

const CHANGE_EACH = /^change-each-by-(.+)$/;

/**
 * The relation of a name on the command line.
 *
 * @throws {RangeError} naming those there are.
 */
export function relationNamed(name: string): Relation {
  for (const relation of [replaceOne, addRemoveOne, asserted]) {
    if (relation.name === name) return relation;
  }
  const by = Number(CHANGE_EACH.exec(name)?.[1]);
  if (by > 0 && Number.isFinite(by)) return changeEach({ by });
  throw new RangeError(
    "It must be replace-one, add-remove-one, change-each-by-NUMBER or asserted.",
  );
}
