import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { randomInteger } from "../../../../lib/core/random/random_integer.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { parseCondition, parseNumber } from "../../../../lib/dp/tables/expression.ts";
import type { CellCounts } from "../../../../lib/dp/tables/cell_counts.ts";
import type { Found, Plan } from "../../../../lib/dp/tables/engine/plan.ts";
import { askedOf, type View } from "../../../../lib/dp/tables/ask.ts";
import { preparedDistinct } from "../../../../lib/dp/tables/distinct.ts";
import { joinPublic } from "../../../../lib/dp/tables/join.ts";
import { combinedKeys, type Keys, ONE_GROUP } from "../../../../lib/dp/tables/keys.ts";
import { askedQuantiles } from "../../../../lib/dp/tables/quantiles.ts";
import { type CheckedSchema, checkSchema } from "../../../../lib/dp/tables/schema.ts";
import { askedKeys } from "../../../../lib/dp/tables/select_keys.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relations/relation.ts";

/** What columns hold: as a database knows it, so that one column has cells of one kind. */
export const COLUMNS = {
  id: "text",
  number_id: "integer",
  g: "text",
  n: "integer",
  x: "double",
  text_x: "text",
  flag: "boolean",
  day: "text",
  date: "date",
} as const;

/** Texts that are alike, odd, or named as what languages have. */
export const TEXTS: readonly (string | null)[] = [
  ...["a", "b", "A", "a ", " a", "", "é", "e\u0301", "__proto__", "constructor", "0", "-0", "1"],
  ...["'", '"', "\\", "%", "𝔸", "null", "NULL", null, "\u00a0a", "x".repeat(300)],
];

const NUMBERS: readonly (number | null)[] = [
  ...[0, -0, 1, 0.5, 0.1, 3, -3, 1e308, -1e308, Infinity, -Infinity, NaN, null, 5e-324, 2.5, 1.5],
  ...[2 ** 53 + 2, 0.49999999999999994, 1 / 3, -0.5, -1.5],
];

const NUMBER_TEXTS: readonly (string | null)[] = [
  ...["1", "0.5", " 2 ", "\t3", "+1.5", "-.5", "5.", "1e2", "1E-1", "1_000", "1e999", "-1e999"],
  ...[
    "1e-999",
    "Infinity",
    "-Infinity",
    "+Infinity",
    "inf",
    "nan",
    "NaN",
    "0x10",
    "",
    " ",
    "x",
    "1,5",
    "١",
    "1 2",
    "--1",
    null,
  ],
  ...[
    "0.1000000000000000055511151231257827",
    "123456789012345678",
    "1e",
    "e1",
    ".",
    "+",
    "\u00a01",
  ],
];

const DAYS: readonly (string | null)[] = [
  ...[
    "2020-01-01",
    "2020-02-29",
    "2019-02-29",
    "2020-13-01",
    "1969-12-31",
    "0000-01-01",
    "20200101",
  ],
  ...[
    "2020-03-01T10:00:00Z",
    "2020-03-01 23:59",
    "2020-03-01x",
    "2020-3-1",
    "9999-12-31",
    "",
    null,
  ],
];

/** Days as a column of dates has them. */
export const DATES: readonly (string | null)[] = ["2020-01-01", "2020-02-29", "1969-12-31", null];

/** Generates tables and plans from a stream. */
export class Generated {
  readonly #source: SeededSource;

  constructor(source: SeededSource) {
    this.#source = source;
  }

  below(most: number): number {
    return randomInteger(this.#source, { below: most });
  }

  one<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  word(): number {
    return this.#source.uint32();
  }

  row(who?: string | null): Row {
    return {
      id: who === undefined ? this.one(["p", "q", "r", "", "é", "e\u0301", "7", null]) : who,
      number_id: this.one([1, 2, 3, -7, null]),
      g: this.one(TEXTS),
      n: this.one([0, 1, 2, -3, 2 ** 53 - 1, null]),
      x: this.one(NUMBERS),
      text_x: this.one(NUMBER_TEXTS),
      flag: this.one([true, false, null]),
      day: this.one(DAYS),
      date: this.one(DATES),
    };
  }

  rows(most: number, who?: string | null): Row[] {
    return Array.from({ length: this.below(most) }, () => this.row(who));
  }

  /** A schema, sometimes with a public table joined and a column computed. */
  view({ persons }: { readonly persons: boolean }): View {
    const [lower, upper] = this.one([[0, 1], [-1, 1], [-3, 100], [0.1, 0.7], [-1e6, 1e6]] as const);
    const missing = this.below(3) === 0 ? { missing: lower } : {};
    const isAdded = this.below(2) === 0;
    let schema: CheckedSchema = checkSchema({
      columns: {
        g: {
          type: "category",
          values: [
            "a",
            "A",
            "a ",
            "",
            "é",
            "e\u0301",
            "__proto__",
            "constructor",
            "0",
            "'",
            "\\",
            "\u00a0a",
          ],
          ...(this.below(4) === 0 && { missing: "a" }),
          ...(this.below(4) === 0 && { unseen: "A" }),
        },
        n: { type: "category", values: [0, 1, "-0", 9007199254740991, "x"] },
        x: { type: "number", lower, upper, ...missing },
        text_x: { type: "number", lower, upper, ...missing },
        number_id: { type: "number", lower: -7, upper: 7 },
        flag: { type: "category", values: [true, "false"] },
        day: { type: "date", lower: "1969-01-01", upper: "2020-12-31" },
        date: { type: "date", lower: "1960-01-01", upper: "2020-02-01" },
      },
      unit: persons ? { person: this.one(["id", "number_id"]) } : "row",
      relation: isAdded ? addRemoveOne : replaceOne,
      budget: { epsilon: 1 },
    });
    if (this.below(3) === 0) {
      const rows = [{ g: "a", w: 1, z: "k" }, { g: "", w: 0.25, z: "l" }, {
        g: "é",
        w: null,
        z: null,
      }];
      schema = joinPublic(schema, rows, { on: "g" }).schema;
    }
    if (this.below(3) === 0) {
      const text = this.one([
        ...["x / text_x", "x * 2 - text_x", "-(x + 1) * text_x", "day - date"],
        ...["number_id / 2", "(3 - number_id) / number_id"],
      ]);
      const value = parseNumber("test", schema, text);
      const column = { type: "number", lower, upper } as const;
      schema = {
        ...schema,
        columns: { ...schema.columns, more: column },
        derived: { ...schema.derived, more: value },
      };
    }
    const where = this.below(2) === 0 ? [] : [parseCondition("test", schema, this.one(CONDITIONS))];
    const bounds = persons
      ? { groups: 1 + this.below(3), rows: 1 + this.below(3) }
      : { groups: 1, rows: 1 };
    return { schema, bounds, where };
  }

  keys({ schema }: View): Keys {
    const bins = {
      day: this.one(["month", "year", 100, ["2020-01-01", "2020-02-01"]] as const),
      x: this.one([[0, 0.5, 1], [-5, 0, 0.1, 0.7]]),
    };
    const names = this.one([
      [],
      ["g"],
      ["n"],
      ["flag"],
      ["g", "flag"],
      ["x"],
      ["day", "n"],
      ...(schema.columns.z === undefined ? [] : [["z"]]),
    ]);
    return names.length === 0 ? ONE_GROUP : combinedKeys(schema, names, {}, bins);
  }

  /** Plans of every question, some of which a choice. */
  questions(
    view: View,
    keys: Keys,
  ): readonly { readonly name: string; readonly plans: (key: number) => readonly Plan[] }[] {
    const column = this.one([
      "x",
      "text_x",
      ...["w", "more", "day", "date"].filter((name) =>
        ["number", "date"].includes(view.schema.columns[name]?.type ?? "")
      ),
    ]);
    const cost = { epsilon: this.one([0.1, 1, 100]) }, bounds = view.bounds!;
    const asked = {
      count: askedOf(view, keys, { what: "count", cost }),
      sum: askedOf(view, keys, { what: "sum", column, cost }),
      variance: askedOf(view, keys, { what: "variance", column, cost }),
      quantiles: askedQuantiles(view, { keys, column, bounds, levels: [0.2, 0.6], ...cost }),
      units: askedKeys(view, {
        column: this.one(["g", "n", "x"]),
        bounds,
        rule: "optimal",
        epsilon: 1,
        delta: 1e-3,
      }),
      distinct: preparedDistinct(view, this.one(["g", "n", "x"]), { ...cost, values: 1 }),
    };
    return Object.entries(asked).map(([name, { plans }]) => ({
      name,
      plans: (key) => plans({ uint32: () => key }),
    }));
  }
}

const CONDITIONS = [
  "x >= 0.5",
  "x < 1 and text_x > 0",
  "not (x = 1 or x != 3)",
  "g in ('a', '', 'é')",
  "g != 'a' and flag is true",
  "g is missing or x is missing",
  "text_x is not missing and not text_x is odd",
  "day >= 2020-01-01 and date < 2020-02-01",
  "x / text_x > 0.5",
  "n = 1",
  "n not in (0, 1)",
  "number_id / 2 < -3.2 or number_id / 2 > 1.2",
] as const;

/** A table of which no bound on persons takes anything away. */
export function unbounded(view: View): View {
  return view.schema.person === undefined ? view : { ...view, bounds: { groups: 64, rows: 64 } };
}

/** What was found, to be compared. */
export function plain(found: Found): unknown {
  switch (found.kind) {
    case "totals":
      return found.totals.map((total) => [...total].map((each) => each + 0));
    case "cells":
      return found.cells.map((cells: CellCounts) => [...cells.rows()].map((each) => each + 0));
    case "units":
      return [...found.units].sort(([one], [other]) => one < other ? -1 : 1);
    case "distinct":
      return found.count;
  }
}
