import { requireKind } from "../../core/numeric/require.ts";
import { categoryPlaces } from "../mechanisms/category_places.ts";
import { dateOf, dayOf, keyOf } from "../schema/cells.ts";
import { cellOf, requireColumn, requireNumbers } from "./column_values.ts";
import { groupCountOf, type KeyPart, sizeOf } from "./engine/plan.ts";
import type { CheckedSchema } from "./schema.ts";

/** Groups that are public: their keys, and how engines find them. */
export interface Keys {
  /** The names of the columns that keys are made of; none where all rows are one group. */
  readonly columns: readonly string[];
  /** The keys in their order, each a list of as many texts. */
  readonly keys: readonly (readonly string[])[];
  /** Of the same order: the last part changes first. */
  readonly parts: readonly KeyPart[];
}

/** All rows in one group. */
export const ONE_GROUP: Keys = { columns: [], keys: [[]], parts: [] };

/** Groups up to which keys of several columns are combined. */
const MOST_GROUPS = 2 ** 24;

/** Intervals of numbers or days: their edges, their width, or months, quarters or years. */
export type Bins =
  | readonly (number | string)[]
  | number
  | "month"
  | "quarter"
  | "year";

/** Public values of columns, for those that the schema has none of. */
export interface GivenKeys {
  readonly keys?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  readonly bins?: Readonly<Record<string, Bins>>;
}

/** Every combination of the public values of some columns, or of their bins; `given` has values for those of which the schema has none. */
export function combinedKeys(
  schema: CheckedSchema,
  names: readonly string[],
  given: NonNullable<GivenKeys["keys"]>,
  bins: NonNullable<GivenKeys["bins"]> = {},
): Keys {
  const action = "group rows";
  if (names.length === 0 || new Set(names).size !== names.length) {
    throw new RangeError(
      `Cannot ${action}: columns must be at least one and all different: current number is ${names.length}`,
    );
  }
  const parts = names.map((name) => {
    if (Object.hasOwn(bins, name)) return binsOf(action, schema, { name, bins: bins[name]! });
    return valuesOf(action, schema, {
      name,
      given: Object.hasOwn(given, name) ? given[name] : undefined,
    });
  });
  const count = groupCountOf(parts.map(({ part }) => part));
  if (count > MOST_GROUPS) {
    throw new RangeError(
      `Cannot ${action}: keys must be at most ${MOST_GROUPS} in all: current number is ${count}`,
    );
  }
  return {
    columns: names,
    keys: parts.reduce<string[][]>(
      (keys, { texts }) => keys.flatMap((key) => texts.map((text) => [...key, text])),
      [[]],
    ),
    parts: parts.map(({ part }) => part),
  };
}

interface NamedPart {
  readonly part: KeyPart;
  readonly texts: readonly string[];
}

function valuesOf(
  action: string,
  schema: CheckedSchema,
  { name, given }: {
    readonly name: string;
    readonly given: readonly (string | number | boolean)[] | undefined;
  },
): NamedPart {
  const column = requireColumn(action, schema.columns, name);
  const values = given ?? (column.type === "category" ? column.values : undefined);
  if (values === undefined) {
    const more = column.type === "number"
      ? `give bins: { ${name}: [${column.lower}, ${column.upper}] }, or `
      : column.type === "date"
      ? `give bins: { ${name}: "month" }, or `
      : "";
    throw new RangeError(
      `Cannot ${action}: the keys of ${name} must be public: ${more}declare the column as ` +
        `{ type: "category", values: […] }, give keys: { ${name}: […] }, or choose them by selectKeys("${name}", …): ` +
        `current type is ${column.type}`,
    );
  }
  requireKind("groupBy", `keys.${name}`, values, "list");
  const texts = Array.from(values, (value) => keyOf(value) ?? "");
  if (given !== undefined && texts.length > 0) categoryPlaces(action, texts, { least: 1 });
  const { missing, unseen } = column.type === "category" && given === undefined
    ? column
    : {} as { missing?: undefined; unseen?: undefined };
  const placeOf = (value: unknown): number => texts.indexOf(keyOf(value) ?? "");
  return {
    texts,
    part: {
      kind: "values",
      cell: cellOf(schema, name),
      texts,
      missing: missing === undefined ? -1 : placeOf(missing),
      unseen: unseen === undefined ? -1 : placeOf(unseen),
    },
  };
}

/** Intervals between public edges: each begins with its lower edge, and the last one has its upper edge too. */
export function binKeys(schema: CheckedSchema, name: string, bins: Bins): Keys {
  const { part, texts } = binsOf("count by intervals", schema, { name, bins });
  return { columns: [name], keys: texts.map((text) => [text]), parts: [part] };
}

function binsOf(
  action: string,
  schema: CheckedSchema,
  { name, bins }: { readonly name: string; readonly bins: Bins },
): NamedPart {
  const { clipped, lower, upper, days } = requireNumbers(action, schema, name);
  const edges = typeof bins === "object" && bins !== null
    ? listOf(bins, days)
    : days && (bins === "month" || bins === "quarter" || bins === "year")
    ? periods(bins, { lower, upper })
    : widths(action, { name, bins, lower, upper, days });
  if (
    edges.length < 2 || !edges.every((end, i) => Number.isFinite(end) && !(end <= edges[i - 1]!))
  ) {
    throw new RangeError(
      `Cannot ${action}: edges must be at least two ${
        days ? "days" : "finite numbers"
      } that rise: current number is ${edges.length}`,
    );
  }
  const shown = (edge: number): string => days ? dateOf(edge) : String(edge);
  const part: KeyPart = { kind: "bins", clipped, edges };
  const texts = Array.from({ length: sizeOf(part) }, (_, i) => {
    const from = shown(edges[i]!);
    if (bins === "month") return from.slice(0, 7);
    if (bins === "year") return from.slice(0, 4);
    if (bins === "quarter") {
      return `${from.slice(0, 4)}-Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`;
    }
    return `${from} to ${shown(edges[i + 1]!)}`;
  });
  return { part, texts };
}

function listOf(bins: readonly (number | string)[], days: boolean): number[] {
  requireKind("histogram", "edges", bins, "list");
  return Array.from(bins, (edge) => days ? dayOf(edge) : typeof edge === "number" ? edge : NaN);
}

/** Edges of months, quarters or years that cover days. */
function periods(
  bins: "month" | "quarter" | "year",
  { lower, upper }: { readonly lower: number; readonly upper: number },
): number[] {
  const months = bins === "month" ? 1 : bins === "quarter" ? 3 : 12, edges: number[] = [];
  const first = new Date(lower * 86_400_000), year = first.getUTCFullYear();
  const start = Math.floor(first.getUTCMonth() / months) * months;
  for (let k = 0; edges.length === 0 || edges.at(-1)! <= upper; k++) {
    const date = new Date(0);
    date.setUTCFullYear(year, start + k * months, 1);
    edges.push(date.getTime() / 86_400_000);
  }
  return edges;
}

function widths(
  action: string,
  { name, bins, lower, upper, days }: {
    readonly name: string;
    readonly bins: unknown;
    readonly lower: number;
    readonly upper: number;
    readonly days: boolean;
  },
): number[] {
  if (!(typeof bins === "number" && bins > 0 && (upper - lower) / bins <= MOST_GROUPS)) {
    throw new RangeError(
      `Cannot ${action}: bins of ${name} must be edges that rise, ${
        days ? '"month", "quarter", "year" or ' : ""
      }a width above 0: current value is ${typeof bins === "number" ? bins : typeof bins}`,
    );
  }
  const first = days ? lower : Math.floor(lower / bins) * bins;
  const count = Math.max(1, Math.ceil((upper - first) / bins));
  return Array.from({ length: count + 1 }, (_, k) => Number((first + k * bins).toPrecision(15)));
}
