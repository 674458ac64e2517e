import {
  addRemoveOne,
  canonicalRelation,
  type Relation,
  replaceOne,
  sameRow,
} from "../../core/relations/relation.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { keyOf } from "../schema/cells.ts";

/**
 * When two tables are neighbours for whom a person is all rows with one value in a column: one person is added or removed with all
 * rows, or one is replaced by another, whatever rows either has. Rows that name nobody, and the rows of each other person in their order, are the same.
 *
 * @param options the column that names persons, and {@linkcode addRemoveOne} or {@linkcode replaceOne}.
 * @throws {RangeError} for another relation.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { personRelation } from "./person_relation.ts";
 * const relation = personRelation({ column: "patient", relation: addRemoveOne });
 * relation.violation([], [{ patient: "a" }, { patient: "a" }]); // undefined: they are neighbours
 * ```
 */
export function personRelation(
  options: { readonly column: string; readonly relation: Relation },
): Relation {
  const { column, relation } = requireFields("personRelation", options, {
    column: "text",
    relation: "relation",
  });
  requireKnown("name persons", options, ["column", "relation"]);
  const added = isAddRemove("name persons", relation);
  return canonicalRelation({
    name: `${relation.name}-person-by-${column}`,
    description: added
      ? `all rows of one value of ${column} are added or removed`
      : `all rows of one value of ${column} are replaced by all rows of one value`,
    violation(left, right): string | undefined {
      const [a, b] = [rowsByPerson(left, column), rowsByPerson(right, column)];
      let onlyLeft = 0, onlyRight = 0, changed = 0;
      for (const [person, rows] of a) {
        const others = b.get(person);
        if (others === undefined) onlyLeft++;
        else if (!rows.every((row, i) => sameRow(row, others[i])) || rows.length < others.length) {
          if (person === undefined) return `rows without a ${column} must be the same`;
          changed++;
        }
      }
      for (const person of b.keys()) if (!a.has(person)) onlyRight++;
      const fits = added
        ? changed === 0 && onlyLeft + onlyRight === 1
        : onlyLeft + changed <= 1 && onlyRight + changed <= 1 && onlyLeft === onlyRight;
      return fits ? undefined : "exactly one person must differ, and by the relation's rule";
    },
  });
}

/** The rows of each person in their order; those that name nobody under `undefined`, which is always there. */
function rowsByPerson(data: Dataset, column: string): Map<string | undefined, unknown[]> {
  const persons = new Map<string | undefined, unknown[]>([[undefined, []]]);
  for (const row of data) {
    const person = keyOf((row as Readonly<Record<string, unknown>> | null)?.[column]);
    const rows = persons.get(person);
    if (rows === undefined) persons.set(person, [row]);
    else rows.push(row);
  }
  return persons;
}

/** Returns true if units are added and removed; else one is replaced. @throws {RangeError} for another relation. */
export function isAddRemove(action: string, relation: Relation): boolean {
  if (relation === addRemoveOne) return true;
  if (relation === replaceOne) return false;
  throw new RangeError(
    `Cannot ${action}: relation must be addRemoveOne or replaceOne: current value is ${relation.name}`,
  );
}
