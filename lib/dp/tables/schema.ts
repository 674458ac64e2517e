import {
  addRemoveOne,
  type Relation,
  replaceOne,
  sameRelation,
} from "../../core/relations/relation.ts";
import { approximate, pure, zcdp } from "../../core/claims/claim_of_amounts.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import { type Budget, openBudget } from "../accounting/budget/budget.ts";
import { categoryPlaces } from "../mechanisms/category_places.ts";
import { requireBounds } from "../mechanisms/grid.ts";
import type { Amount } from "../../core/numeric/amount.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { keyOf } from "./cells.ts";
import { isAddRemove, personRelation } from "./person_relation.ts";

/** Numbers within public bounds. */
export interface NumberColumn {
  /** Which kind of column it is. */
  readonly type: "number";
  /** Numbers below it count as it. Not to be taken from the data. */
  readonly lower: number;
  /** Numbers above it count as it. */
  readonly upper: number;
  /** What a cell counts as that is missing or no number. Default: such a row is left out. */
  readonly missing?: number;
  /** Of quantiles: what all numbers are multiples of, as 1 where they are whole; others count as the nearest multiple. They are then nearer. Default: a grid of about a millionth of the range. */
  readonly step?: number;
}

/** Values of a public list. A cell with another value is in no group. */
export interface CategoryColumn {
  /** Which kind of column it is. */
  readonly type: "category";
  /** The values, all different as texts. */
  readonly values: readonly (string | number | boolean)[];
}

/** Texts, numbers or truth values of which no list is public. */
export interface TextColumn {
  /** Which kind of column it is. */
  readonly type: "text";
}

/** What is known beforehand of a column. */
export type Column = NumberColumn | CategoryColumn | TextColumn;

/** What all answers together may lose: ε, ε and δ, or ρ. */
export type TableLimit =
  | { readonly epsilon: Amount; readonly delta?: Amount }
  | { readonly rho: Amount };

/** What is public of a table: everything but its rows. */
export interface TableSchema {
  /** The columns that are asked about, by name. */
  readonly columns: Readonly<Record<string, Column>>;
  /** What is protected: each row by itself, or all rows of a person, whom a column names. */
  readonly unit: "row" | { readonly person: string };
  /** Whether the presence of a unit is hidden ({@linkcode addRemoveOne}) or its values ({@linkcode replaceOne}). */
  readonly relation: Relation;
  /** Whether everybody may know the number of rows: only where a row is replaced. Default: no. */
  readonly rowCountIsPublic?: boolean;
  /** What all answers together may lose, or a budget that other releases spend from too. */
  readonly budget: TableLimit | Budget;
}

/** Bounds of numbers whose squares, in steps of any noise, are within the range of doubles. */
const FARTHEST = 2 ** 400, NEAREST = 2 ** -400;

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
  };
}

/** Checks the declaration of a column. @throws {RangeError} naming the option. */
export function checkColumn(name: string, column: Column): Column {
  const action = `declare column ${name}`;
  requireKind("table", `columns.${name}`, column, "record");
  switch (column.type) {
    case "number": {
      requireKnown(action, column, ["type", "lower", "upper", "missing", "step"]);
      const { missing, step } = column, { lower, upper } = requireBounds(action, column);
      if (!(Math.max(-lower, upper) <= FARTHEST && upper - lower >= NEAREST)) {
        throw new RangeError(
          `Cannot ${action}: bounds must be within 2^400 of 0 and at least 2^-400 apart: current values are ${lower} and ${upper}`,
        );
      }
      if (missing !== undefined && !(missing >= lower && missing <= upper)) {
        throw new RangeError(
          `Cannot ${action}: missing must be within the bounds: current value is ${missing}`,
        );
      }
      if (step !== undefined && !(step > 0 && Math.max(-lower, upper) / step <= 2 ** 48)) {
        throw new RangeError(
          `Cannot ${action}: step must be positive, and bounds within 2^48 steps of 0: current value is ${step}`,
        );
      }
      return Object.freeze({
        type: "number",
        lower,
        upper,
        ...(missing !== undefined && { missing }),
        ...(step !== undefined && { step }),
      });
    }
    case "category": {
      requireKnown(action, column, ["type", "values"]);
      requireKind("table", `columns.${name}.values`, column.values, "list");
      const values = Object.freeze(Array.from(column.values));
      categoryPlaces(action, values.map(keyOf), { least: 1 });
      if (values.some((value) => keyOf(value) === undefined)) {
        throw new RangeError(`Cannot ${action}: values must be texts, numbers or truth values`);
      }
      return Object.freeze({ type: "category", values });
    }
    case "text":
      requireKnown(action, column, ["type"]);
      return Object.freeze({ type: "text" });
    default:
      throw new RangeError(
        `Cannot ${action}: type must be "number", "category" or "text": current value is ${typeof (column as Column)
          .type}`,
      );
  }
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
