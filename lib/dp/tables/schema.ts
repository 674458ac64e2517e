import {
  addRemoveOne,
  type Relation,
  replaceOne,
  sameRelation,
} from "../../core/relations/relation.ts";
import { approximate, pure, zcdp } from "../../core/claims/claim_of_amounts.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { type Budget, openBudget } from "../accounting/budget/budget.ts";
import type { Amount } from "../../core/numeric/amount.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { Cell, NumberOfRow } from "./engine/plan.ts";
import { checkColumn, type Column } from "../schema/column.ts";
import { isAddRemove, personRelation } from "./person_relation.ts";

/** Privacy loss that all answers together may have: ε, ε and δ, or ρ. */
export type TableLimit =
  | { readonly epsilon: Amount; readonly delta?: Amount }
  | { readonly rho: Amount };

/** The public description of a table: everything but its rows. */
export interface TableSchema {
  /** The columns that are asked about, by name. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Unit of privacy: each row by itself, or all rows of a person, whom a column names. */
  readonly unit: "row" | { readonly person: string };
  /** Whether the presence of a unit is hidden ({@linkcode addRemoveOne}) or its values ({@linkcode replaceOne}). */
  readonly relation: Relation;
  /** Whether everybody may know the number of rows: only where a row is replaced. Default: no. */
  readonly rowCountIsPublic?: boolean;
  /** Privacy loss that all answers together may have, or a budget that other releases spend from too. */
  readonly budget: TableLimit | Budget;
}

/** A schema that was checked. */
export interface CheckedSchema {
  readonly columns: Readonly<Record<string, Column>>;
  /** The column that names persons; `undefined` where the unit is a row. */
  readonly person: string | undefined;
  /** Whether units are added and removed; else one is replaced. */
  readonly addRemove: boolean;
  /** Of units. */
  readonly relation: Relation;
  readonly rowCountIsPublic: boolean;
  readonly budget: Budget;
  /** Columns of public tables that are looked up. */
  readonly lookups: Readonly<Record<string, Cell>>;
  /** Columns that are computed of others. */
  readonly derived: Readonly<Record<string, NumberOfRow>>;
}

/** Checks a schema and opens its budget. @throws {RangeError} naming the option. */
export function checkSchema(schema: TableSchema): CheckedSchema {
  const action = "declare a table";
  const { unit, rowCountIsPublic = false, ...given } = requireFields("table", schema, {
    columns: "record",
    relation: "relation",
    rowCountIsPublic: "boolean?",
    budget: "record",
  });
  requireKnown(action, schema, ["columns", "unit", "relation", "rowCountIsPublic", "budget"]);
  if (typeof unit === "object" && unit !== null) {
    requireKnown("declare the unit of a table", unit, ["person"]);
  }
  const columns = Object.fromEntries(
    Object.entries(given.columns).map(([name, column]) => [name, checkColumn(name, column)]),
  );
  const person = unit === "row" ? undefined : unit?.person;
  if (unit !== "row" && typeof person !== "string") {
    throw new RangeError(
      `Cannot ${action}: unit must be "row" or { person: the name of a column }: current value is ${typeof unit}`,
    );
  }
  const addRemove = isAddRemove(action, given.relation);
  if (rowCountIsPublic && (addRemove || person !== undefined)) {
    throw new RangeError(
      `Cannot ${action}: rowCountIsPublic must be false unless the unit is "row" and the relation replaceOne, ` +
        `for else the number of rows is what is hidden: current value is true`,
    );
  }
  const relation = person === undefined
    ? addRemove ? addRemoveOne : replaceOne
    : personRelation({ column: person, relation: given.relation });
  return {
    columns,
    person,
    addRemove,
    relation,
    rowCountIsPublic,
    budget: budgetOf(action, given.budget, relation),
    lookups: {},
    derived: {},
  };
}

function budgetOf(action: string, given: TableLimit | Budget, relation: Relation): Budget {
  if ("spend" in given) {
    if (!sameRelation(given.limit.relation, relation)) {
      throw new RangeError(
        `Cannot ${action}: budget must be about the relation of the table, ${relation.name}: ` +
          `current value is ${given.limit.relation.name}`,
      );
    }
    return given;
  }
  requireKnown(
    "declare the budget of a table",
    given,
    "rho" in given ? ["rho"] : ["epsilon", "delta"],
  );
  if ("rho" in given) return openBudget(zcdp({ rho: given.rho, relation }));
  const { epsilon, delta } = given;
  return openBudget(
    delta === undefined ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation }),
  );
}
