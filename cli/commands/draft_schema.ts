import process from "node:process";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { checkColumn, type Column } from "../../lib/dp/schema/column.ts";
import { readTableFile, type TableFile } from "../../lib/dp/schema/table_file.ts";
import { csvRows } from "../../lib/dp/tables/csv_rows.ts";
import { parquetRows } from "../../lib/dp/tables/parquet_rows.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { reasonOf } from "../options/reason_of.ts";
import { readSchemaFile } from "../options/schema_file.ts";
import { say } from "../options/say.ts";
import { keepInputs, writeOutput } from "../output/write_output.ts";

/** Options of `dpcheck schema`. */
export interface DraftOptions {
  readonly number?: readonly string[];
  readonly category?: readonly string[];
  readonly date?: readonly string[];
  readonly text?: readonly string[];
  readonly person?: string;
  readonly groups?: number;
  readonly rows?: number;
  readonly relation?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly out?: string;
}

/** The JSON Schema for editors, in a project that has the package. */
const FORM = "./node_modules/@dpcheck/dpcheck/docs/table.schema.json";

/**
 * Writes a draft of a schema from the names of a file's columns and from what the user says of them. What an earlier draft in
 * `--out` declares stays, where nothing else is said.
 */
export async function draftSchema(file: string, options: DraftOptions): Promise<void> {
  keepInputs({ "--out": options.out }, { "--data": file });
  const earlier = await earlierDraft(options.out);
  const known = (name: string): Column | undefined =>
    earlier !== undefined && Object.hasOwn(earlier.columns, name)
      ? earlier.columns[name]
      : undefined;
  const names = (await namesOf(file)).filter((name) => name !== "");
  const given = givenColumns(names, options);
  const person = options.person ??
    (typeof earlier?.unit === "object" ? earlier.unit.person : undefined);
  if (person !== undefined) requireName("--person", person, names);
  const asks = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const rest = names.filter((name) =>
    name !== person && !given.has(name) && (known(name) ?? { type: "text" }).type === "text"
  );
  const answered = asks ? await ask(rest) : new Map<string, Column>();
  const columns = Object.fromEntries(
    names.filter((name) => name !== person).map((name) => [
      name,
      given.get(name) ?? answered.get(name) ?? known(name) ?? { type: "text" as const },
    ]),
  );
  if (person === undefined && (options.groups ?? options.rows) !== undefined) {
    throw new BadInput("--groups and --rows must come with --person, whose rows they bound");
  }
  const { groups = earlier?.contributions?.groups ?? 1, rows = earlier?.contributions?.rows ?? 1 } =
    options;
  const { epsilon, delta } = options;
  // A limit is of ε, with δ or without, or of ρ.
  const { rho, ...limit } = earlier?.limit ?? { epsilon: 1 };
  const keepsRho = rho !== undefined && epsilon === undefined && delta === undefined;
  const draft = {
    $schema: FORM,
    ...earlier,
    columns,
    unit: person === undefined ? "row" : { person },
    ...(person !== undefined && { contributions: { groups, rows } }),
    relation: options.relation ?? earlier?.relation ?? "add-remove-one",
    limit: {
      ...(keepsRho ? { rho } : limit),
      ...(epsilon !== undefined && { epsilon: amount("--epsilon", epsilon) }),
      ...(delta !== undefined && { delta: amount("--delta", delta) }),
    },
  };
  reading("schema", file, () => readTableFile(draft));
  const text = `${JSON.stringify(draft, null, 2)}\n`;
  if (options.out === undefined) process.stdout.write(text);
  else writeOutput("--out", options.out, text);
  if (person === undefined) {
    say("a row is what is protected: where a person may have several, --person COLUMN bounds them");
  }
  const texts = rest.filter((name) => columns[name]!.type === "text");
  if (texts.length > 0 && !asks) {
    say(
      `drafted as texts, of which only values that many have can be asked for: ${
        texts.join(", ")
      }; ` +
        "declare numbers by --number age=0..120:1, days by --date day=2020-01-01..2026-12-31, public values by --category region=north,south",
    );
  }
}

/** Returns the text that `--out` holds already; `undefined` where there is no such file. */
async function earlierDraft(out: string | undefined): Promise<TableFile | undefined> {
  if (out === undefined || !(await stat(out).catch(() => undefined))?.isFile()) return undefined;
  try {
    return await readSchemaFile({ option: "--out", file: out });
  } catch (error) {
    throw new BadInput(`${reasonOf(error)}: it is not written over; mend it, or name another file`);
  }
}

async function namesOf(file: string): Promise<readonly string[]> {
  try {
    return await (file.endsWith(".parquet") ? parquetRows(file) : csvRows(file)).columns();
  } catch (error) {
    throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

function amount(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new BadInput(`${option} must be a number above 0: current value is ${text}`);
}

function requireName(option: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  throw new BadInput(
    `${option} must be a column of the file: current value is ${name}${closestName(name, names)}`,
  );
}

/** The columns that options declare, by name. */
function givenColumns(names: readonly string[], options: DraftOptions): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const type of ["number", "category", "date", "text"] as const) {
    for (const text of options[type] ?? []) {
      const option = `--${type}`, at = type === "text" ? text.length : text.indexOf("=");
      if (at < 0) throw new BadInput(`${option} must be ${FORMS[type]}: current value is ${text}`);
      const name = text.slice(0, at), words = text.slice(at + 1);
      requireName(option, name, names);
      if (columns.has(name)) throw new BadInput(`${option} ${name} must be declared once`);
      const column = columnOf(type, words);
      if (column === undefined) {
        throw new BadInput(`${option} must be ${FORMS[type]}: current value is ${text}`);
      }
      columns.set(name, reading(option, text, () => checkColumn(name, column)));
    }
  }
  return columns;
}

const FORMS = {
  number: "COLUMN=A..B or COLUMN=A..B:STEP, as in age=0..120:1",
  category: "COLUMN=VALUE,VALUE,…, as in region=north,south",
  date: "COLUMN=A..B, as in day=2020-01-01..2026-12-31",
  text: "COLUMN",
} as const;

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;

/** A column of a type, from what the user says of it; `undefined` where that has another form. */
function columnOf(type: keyof typeof FORMS, words: string): Column | undefined {
  switch (type) {
    case "number": {
      const form = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(${NUMBER}))?$`);
      const [, lower, upper, step] = form.exec(words.replaceAll(" ", "")) ?? [];
      if (lower === undefined) return undefined;
      return {
        type,
        lower: Number(lower),
        upper: Number(upper),
        ...(step !== undefined && { step: Number(step) }),
      };
    }
    case "date": {
      const [lower = "", upper, ...more] = words.trim().split("..");
      return upper === undefined || more.length > 0 ? undefined : { type, lower, upper };
    }
    case "category": {
      const values = words.split(",").map((each) => each.trim()).filter((each) => each !== "");
      return values.length === 0 ? undefined : { type, values };
    }
    case "text":
      return { type };
  }
}

/** Asks on the terminal what each column holds; an answer in another form is asked for again. */
async function ask(names: readonly string[]): Promise<Map<string, Column>> {
  const columns = new Map<string, Column>();
  if (names.length === 0) return columns;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(
      "For each column: numbers as 0..120 or 0..120:1 (whole), days as 2020-01-01..2026-12-31, values as north,south,\n" +
        "or nothing for texts that are not public. Bounds and values must not be taken from the rows.\n",
    );
    for (const name of names) {
      for (;;) {
        const words = await terminal.question(`${name}: `);
        try {
          columns.set(name, checkColumn(name, answerOf(words)));
          break;
        } catch (error) {
          process.stderr.write(`${reasonOf(error)}\n`);
        }
      }
    }
  } finally {
    terminal.close();
  }
  return columns;
}

function answerOf(words: string): Column {
  if (words.trim() === "") return { type: "text" };
  return columnOf("number", words) ??
    (/^\s*\d{4}-\d{2}-\d{2}\.\./.test(words) ? columnOf("date", words) : undefined) ??
    columnOf("category", words) ?? { type: "text" };
}
