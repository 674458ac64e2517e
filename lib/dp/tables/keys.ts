import { requireKind } from "../../core/numeric/require.ts";
import { categoryPlaces } from "../mechanisms/category_places.ts";
import { keyOf, numberOf, type Row } from "../schema/cells.ts";
import type { Column, NumberColumn } from "../schema/column.ts";
import type { CheckedSchema } from "./schema.ts";

/** Groups that are public: their keys, and the group of each row. */
export interface Keys {
  /** The names of the columns that keys are made of; none where all rows are one group. */
  readonly columns: readonly string[];
  /** The keys in their order, each a list of as many texts. */
  readonly keys: readonly (readonly string[])[];
  /** The place of a row's key, or −1 where it is in no group. */
  readonly groupOf: (row: Row) => number;
}

/** All rows in one group. */
export const ONE_GROUP: Keys = { columns: [], keys: [[]], groupOf: () => 0 };

/** Groups up to which keys of several columns are combined. */
const MOST_GROUPS = 2 ** 24;

/** Every combination of the public values of some columns; `given` has values for those of which the schema has none. */
export function combinedKeys(
  { columns }: CheckedSchema,
  names: readonly string[],
  given: Readonly<Record<string, readonly (string | number | boolean)[]>>,
): Keys {
  const action = "group rows";
  if (names.length === 0 || new Set(names).size !== names.length) {
    throw new RangeError(
      `Cannot ${action}: columns must be at least one and all different: current number is ${names.length}`,
    );
  }
  const parts = names.map((name) => {
    const column = requireColumn(action, columns, name);
    const values = (Object.hasOwn(given, name) ? given[name] : undefined) ??
      (column.type === "category" ? column.values : undefined);
    if (values === undefined) {
      throw new RangeError(
        `Cannot ${action}: the keys of ${name} must be public: declare the column as ` +
          `{ type: "category", values: […] }, give keys: { ${name}: […] }, or choose them by selectKeys("${name}", …): ` +
          `current type is ${column.type}`,
      );
    }
    requireKind("groupBy", `keys.${name}`, values, "list");
    const texts = Array.from(values, (value) => keyOf(value) ?? "");
    return {
      name,
      texts,
      places: texts.length === 0 ? new Map() : categoryPlaces(action, texts, { least: 1 }),
    };
  });
  const count = parts.reduce((product, { texts }) => product * texts.length, 1);
  if (count > MOST_GROUPS) {
    throw new RangeError(
      `Cannot ${action}: keys must be at most ${MOST_GROUPS} in all: current number is ${count}`,
    );
  }
  const placeOf = ({ name, places }: (typeof parts)[number]) => (row: Row): number => {
    const cell = row?.[name];
    return places.get(typeof cell === "string" ? cell : keyOf(cell)) ?? -1;
  };
  const first = placeOf(parts[0]!);
  const rest = parts.slice(1).map((part) => ({ place: placeOf(part), size: part.texts.length }));
  return {
    columns: names,
    keys: parts.reduce<string[][]>(
      (keys, { texts }) => keys.flatMap((key) => texts.map((text) => [...key, text])),
      [[]],
    ),
    groupOf: rest.length === 0 ? first : (row) => {
      let group = first(row);
      for (const { place, size } of rest) {
        const own = place(row);
        group = group < 0 || own < 0 ? -1 : group * size + own;
      }
      return group;
    },
  };
}

/** Intervals between public edges: each begins with its lower edge, and the last one has its upper edge too. */
export function binKeys({ columns }: CheckedSchema, name: string, edges: readonly number[]): Keys {
  const action = "count by intervals";
  const read = numberReader(requireNumberColumn(action, columns, name), name);
  requireKind("histogram", "edges", edges, "list");
  const ends = Float64Array.from(edges);
  if (ends.length < 2 || !ends.every((end, i) => Number.isFinite(end) && !(end <= ends[i - 1]!))) {
    throw new RangeError(
      `Cannot ${action}: edges must be at least two finite numbers that rise: current number is ${ends.length}`,
    );
  }
  const last = ends.length - 1;
  return {
    columns: [name],
    keys: Array.from({ length: last }, (_, i) => [`${ends[i]} to ${ends[i + 1]}`]),
    groupOf: (row) => {
      const value = read(row);
      if (!(value >= ends[0]! && value <= ends[last]!)) return -1;
      let from = 0, to = last;
      while (to - from > 1) {
        const middle = (from + to) >>> 1;
        if (value >= ends[middle]!) from = middle;
        else to = middle;
      }
      return from;
    },
  };
}

/** A function that gives a row's number in a column, within the bounds; NaN where the row is left out. */
export function numberReader(
  { lower, upper, missing = NaN }: NumberColumn,
  name: string,
): (row: Row) => number {
  return (row) => {
    const cell = row?.[name];
    const value = typeof cell === "number" ? cell : numberOf(cell);
    return value >= lower ? (value <= upper ? value : upper) : value < lower ? lower : missing;
  };
}

/** The declaration of a column of numbers. @throws {RangeError} where it is of another type. */
export function requireNumberColumn(
  action: string,
  columns: CheckedSchema["columns"],
  name: string,
): NumberColumn {
  const column = requireColumn(action, columns, name);
  if (column.type === "number") return column;
  throw new RangeError(
    `Cannot ${action}: ${name} must be a column of numbers, { type: "number", lower, upper }: current type is ${column.type}`,
  );
}

/** The declaration of a column. @throws {RangeError} where there is none. */
export function requireColumn(
  action: string,
  columns: CheckedSchema["columns"],
  name: string,
): Column {
  if (typeof name === "string" && Object.hasOwn(columns, name)) return columns[name]!;
  throw new RangeError(
    `Cannot ${action}: column must be one of those declared, ${Object.keys(columns).join(", ")}: ` +
      `current value is ${typeof name === "string" ? name : typeof name}`,
  );
}
