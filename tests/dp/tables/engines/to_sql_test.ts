import { assert, assertEquals, assertThrows } from "@std/assert";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { foundInMemory } from "../../../../lib/dp/tables/engine/memory.ts";
import { foundOfRows, type Plan, type SqlOptions, toSQL } from "../../../../lib/dp/tables/mod.ts";
import { hasProgram } from "../../../has_program.ts";
import { LONG } from "../../../long.ts";
import { COLUMNS, Generated, plain } from "./generated_plans.ts";

const DIALECTS = ["spark", "bigquery"] as const;

/** Debian's python3-sqlglot, which parses both dialects. */
const PYTHON = "/usr/bin/python3";
const hasSqlglot = await hasProgram(
  [PYTHON, "-c", "import sqlglot"],
  "plans as SQL of Spark and BigQuery",
);

const PARSE = `
import json, sqlglot, sys
from sqlglot import errors, exp
for line in sys.stdin:
    dialect, sql = json.loads(line)
    try:
        trees = sqlglot.parse(sql, read=dialect, error_level=errors.ErrorLevel.RAISE)
        tree = trees[0]
        tables = sorted({t.name for t in tree.find_all(exp.Table)})
        texts = sorted({l.this for l in tree.find_all(exp.Literal) if l.is_string})
        print(json.dumps([len(trees), type(tree).__name__, tables, texts]))
    except Exception as error:
        print(json.dumps([0, str(error)[:300], [], []]))
`;

type Parsed = readonly [
  statements: number,
  kind: string,
  tables: readonly string[],
  texts: readonly string[],
];

async function parsed(
  queries: readonly (readonly [dialect: string, sql: string])[],
): Promise<Parsed[]> {
  const python = new Deno.Command(PYTHON, {
    args: ["-c", PARSE],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = python.stdin.getWriter();
  await writer.write(
    new TextEncoder().encode(queries.map((each) => JSON.stringify(each)).join("\n")),
  );
  await writer.close();
  const { stdout } = await python.output();
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

function plansOf(seed: string, rounds: number): Plan[] {
  const generated = new Generated(new SeededSource(seed));
  return Array.from({ length: rounds }, () => {
    const view = generated.view({ persons: generated.below(2) === 0 });
    return generated.questions(view, generated.keys(view)).flatMap(({ plans }) => plans(7));
  }).flat();
}

const options = (dialect: SqlOptions["dialect"]): SqlOptions => ({
  dialect,
  table: ["data", "visits"],
  types: COLUMNS,
});

// Mutants: a backslash that is not doubled; a quotation mark that ends a text.
Deno.test({
  name:
    "toSQL() writes one SELECT that a parser of the dialect reads, whatever names and texts are",
  ignore: !hasSqlglot,
  fn: async () => {
    const plans = plansOf("sql", LONG ? 6 : 2);
    const all = DIALECTS.flatMap((dialect) =>
      plans.map((plan) => [dialect, toSQL(plan, options(dialect))] as const)
    );
    const trees = await parsed(all);
    trees.forEach(([count, kind, tables], i) => {
      assertEquals([count, kind], [1, "Select"], all[i]!.join(": "));
      assert(tables.includes("visits") && !tables.includes("rows"));
    });
    // This parser knows no grave accent within a name, and leaves \n as it is written: neither is tried.
    const hostile = [
      "'; DROP TABLE rows; --",
      "\\",
      "\\'",
      '"',

      "é",
      "%",
      "?",
    ];
    const odd = (text: string): Plan => ({
      where: [{ kind: "one of", cell: { column: text }, texts: [text] }],
      parts: [],
      clipped: undefined,
      persons: undefined,
      wanted: { kind: "totals", measures: [{ steps: undefined }] },
    });
    const named = DIALECTS.flatMap((dialect) =>
      hostile.map((text) =>
        [
          dialect,
          toSQL(odd(text), { dialect, table: "visits", types: { [text]: "text" } }),
          text,
        ] as const
      )
    );
    const read = await parsed(named.map(([dialect, sql]) => [dialect, sql]));
    read.forEach(([count, kind, tables, texts], i) => {
      const [dialect, , text] = named[i]!;
      assertEquals([count, kind, tables], [1, "Select", ["visits"]], named[i]!.join(": "));
      // Spark's odd texts are bytes, which mean the same under every setting.
      if (dialect === "bigquery") assert(texts.includes(text), `${JSON.stringify(texts)} ${text}`);
    });
  },
});

Deno.test("toSQL() refuses columns without a type, and foundOfRows() what is no answer", () => {
  const [plan] = plansOf("refused", 1) as [Plan];
  assertThrows(
    () => toSQL(plan, { ...options("spark"), types: {} }),
    RangeError,
    "columns of the schema",
  );
  assertThrows(
    () => toSQL(plan, { ...options("spark"), dialect: "oracle" as never }),
    RangeError,
    "dialect",
  );
  assertThrows(
    () => foundOfRows(plan, [{ g: 10 ** 6, m0: 1 }]),
    Error,
    "groups that were asked for",
  );
  assertThrows(() => foundOfRows(plan, [{ g: 0, m0: 0.5 }]), Error, "whole numbers");
  assertEquals(plain(foundOfRows(plan, [])), plain(foundInMemory(plan, [])));
});
