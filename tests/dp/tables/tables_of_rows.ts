import fc from "fast-check";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type Asked,
  askedOf,
  type Prepared,
  type Request,
  type View,
} from "../../../lib/dp/tables/ask.ts";
import type { Row } from "../../../lib/dp/schema/cells.ts";
import { combinedKeys, type Keys, ONE_GROUP } from "../../../lib/dp/tables/keys.ts";
import type { Cost } from "../../../lib/dp/tables/noise.ts";
import { personRelation } from "../../../lib/dp/tables/person_relation.ts";
import { checkSchema, type TableSchema } from "../../../lib/dp/tables/schema.ts";
import type { ContributionBounds } from "../../../lib/dp/tables/sensitivity.ts";

/** Rows with a group, a number and a person, any of which may be odd. */
export type Cells = Readonly<Record<"group" | "number" | "person", unknown>>;

/** What a table is declared as, with two neighbouring tables of rows. */
export interface Neighbours {
  readonly schema: TableSchema;
  readonly bounds: ContributionBounds;
  readonly left: readonly Cells[];
  readonly right: readonly Cells[];
  /** Of units: what the claim is about. */
  readonly relation: Relation;
}

const ODD: readonly unknown[] = [
  NaN,
  Infinity,
  -Infinity,
  null,
  undefined,
  "",
  "3",
  " -2 ",
  "x",
  1e308,
  -1e308,
  5e-324,
  true,
  {},
  7n,
];

/** Stands for the middle of the bounds. */
const MIDDLE = "middle";

const groups = ["a", "b", "c", "d"];

function cellsOf(person: fc.Arbitrary<unknown>): fc.Arbitrary<Cells> {
  return fc.record({
    group: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...groups) },
      fc.constantFrom("z", null, 1),
    ),
    number: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(-20, 20, MIDDLE) },
      { weight: 3, arbitrary: fc.double({ min: -12, max: 12, noNaN: true }) },
      { weight: 2, arbitrary: fc.constantFrom(...ODD) },
    ),
    person,
  });
}

/** Rows of one person; now and then none of them has a number. */
const rowsOf = (person: string): fc.Arbitrary<Cells[]> =>
  fc.tuple(fc.array(cellsOf(fc.constant(person)), { minLength: 1, maxLength: 8 }), fc.nat(4))
    .map(([rows, kind]) => kind > 0 ? rows : rows.map((row) => ({ ...row, number: null })));

/** Puts lists together into one, keeping the order of each. */
function interleaved<T>(lists: readonly (readonly T[])[], choices: readonly number[]): T[] {
  const rest = lists.map((list) => [...list]), out: T[] = [];
  for (let i = 0;; i++) {
    const open = rest.filter((list) => list.length > 0);
    if (open.length === 0) return out;
    out.push(open[choices[i % choices.length]! % open.length]!.shift()!);
  }
}

/** Tables with all that a schema may say, and neighbours of both relations, rows and persons. */
export const neighbours: fc.Arbitrary<Neighbours> = fc.record({
  addRemove: fc.boolean(),
  byPerson: fc.boolean(),
  bounds: fc.record({
    groups: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 1, max: 3 }),
  }),
  values: fc.integer({ min: 1, max: 4 }),
  limits: fc.constantFrom([-10, 10], [0, 10], [-10, 0], [5, 10], [-10, -5], [0.1, 0.7], [-3, 9]),
  missing: fc.boolean(),
  others: fc.array(cellsOf(fc.constantFrom("p", "q", "r", null, 3)), { maxLength: 5 }),
  before: rowsOf("x"),
  after: rowsOf("y"),
  choices: fc.tuple(
    fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
  ),
  swapped: fc.boolean(),
  place: fc.nat(5),
  oddness: fc.nat(9),
}).map(
  (
    {
      addRemove,
      byPerson,
      bounds,
      values,
      limits,
      missing,
      others,
      before,
      after,
      choices,
      ...rest
    },
  ) => {
    const [lower, upper] = limits as [number, number],
      unit = byPerson ? { person: "person" } : "row" as const;
    const one = addRemove ? addRemoveOne : replaceOne;
    const schema: TableSchema = {
      columns: {
        group: { type: "category", values: groups.slice(0, values) },
        number: { type: "number", lower, upper, ...(missing && { missing: upper }) },
      },
      unit,
      relation: one,
      rowCountIsPublic: !addRemove && !byPerson && missing,
      budget: { epsilon: 1e6 },
    };
    let left: Cells[], right: Cells[];
    if (byPerson) {
      const persons = [...Map.groupBy(others, ({ person }) => person).values()];
      left = interleaved([...persons, before], choices[0]);
      right = interleaved(addRemove ? persons : [...persons, after], choices[1]);
    } else {
      const at = Math.min(rest.place, others.length);
      // Now and then a row is no record, but a list of several or nothing.
      const odd = [before as unknown as Cells, null as unknown as Cells][rest.oddness];
      left = others.toSpliced(at, 0, rest.oddness > 1 ? before[0]! : odd!);
      right = addRemove ? [...others] : others.toSpliced(at, 0, after[0]!);
    }
    if (rest.swapped) [left, right] = [right, left];
    const placed = (row: Cells): Cells =>
      row?.number === MIDDLE ? { ...row, number: (lower + upper) / 2 } : row;
    [left, right] = [left.map(placed), right.map(placed)];
    return {
      schema,
      left,
      right,
      bounds: byPerson ? bounds : { groups: 1, rows: 1 },
      relation: byPerson ? personRelation({ column: "person", relation: one }) : one,
    };
  },
);

/** A table as it is asked about. */
export function viewOf(
  { schema, bounds }: Pick<Neighbours, "schema" | "bounds">,
): View {
  return { schema: checkSchema(schema), bounds };
}

/** Lets what was asked read rows. */
export function reading<Asked extends Pick<Prepared<unknown>, "open">>(
  asked: Asked,
  rows: readonly unknown[],
  source: Source,
): Asked {
  const { take, end } = asked.open(source);
  rows.forEach((row) => take(row as Row));
  end();
  return asked;
}

/** A question that was put, by group or to all of them. */
export function put(
  view: View,
  { by, ...request }: Request & { readonly cost: Cost; readonly by: string | undefined },
): Asked {
  const keys: Keys = by === undefined ? ONE_GROUP : combinedKeys(view.schema, [by], {});
  return askedOf(view, keys, request);
}

/** The questions that there are. */
export const REQUESTS: readonly Request[] = [
  { what: "count" },
  { what: "sum", column: "number" },
  { what: "mean", column: "number" },
  { what: "variance", column: "number" },
];
