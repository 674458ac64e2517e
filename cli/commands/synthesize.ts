import { type Command, Option } from "commander";
import Papa from "papaparse";
import { type Budget, openBudget } from "../../lib/dp/accounting/budget/budget.ts";
import { share } from "../../lib/dp/accounting/budget/share.ts";
import { claimToJSON, describeClaim } from "../../lib/core/claims/claim.ts";
import { claimFromJSON } from "../../lib/core/claims/claim_json.ts";
import { approximate, pure } from "../../lib/core/claims/claim_of_amounts.ts";
import { amountDown, exactOf } from "../../lib/core/numeric/amount.ts";
import { subtract } from "../../lib/core/numeric/rational.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import { columnIndex, type Table } from "../../lib/dp/learners/erm/files/column_encoder.ts";
import type {
  ColumnDescription,
  NumberColumn,
} from "../../lib/dp/learners/erm/files/column_description.ts";
import { keyOf } from "../../lib/dp/schema/cells.ts";
import { csvRows, parquetRows, personRelation, table } from "../../lib/dp/tables/mod.ts";
import { adaptiveMarginals } from "../../lib/dp/learners/synthetic/adaptive_marginals.ts";
import type { CodedRow } from "../../lib/dp/learners/synthetic/adaptive_rounds.ts";
import { tableCoder } from "../../lib/dp/learners/synthetic/table_coder.ts";
import { release } from "../../lib/dp/mechanisms/release.ts";
import { SecureSource } from "../../lib/core/random/secure_source.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { deltaValue, integerFrom, numberAbove } from "../options/option_values.ts";
import { ledgerOf } from "../options/ledger_file.ts";
import {
  protectedBy,
  readFeatures,
  readSchemaFile,
  requireColumns,
} from "../options/schema_file.ts";
import { reasonOf } from "../options/reason_of.ts";
import { namesOfTable, visitTable } from "../options/visit_table.ts";
import { keepInputs, writeOutput } from "../output/write_output.ts";

const RELATIONS = { "add-remove-one": addRemoveOne, "replace-one": replaceOne } as const;

interface SynthesizeArguments {
  readonly data?: string;
  readonly schema?: string;
  readonly epsilon?: number;
  readonly delta: number;
  readonly out?: string;
  readonly rows?: number;
  readonly relation: keyof typeof RELATIONS;
  readonly bins: number;
  readonly ledger?: string;
  readonly host?: string;
}

/** Required options. */
const NEEDED = {
  data: "--data <file>: the rows",
  schema: "--schema <file>: bounds and values of the columns, as for dpcheck train",
  epsilon: "--epsilon <number>: what all that is written may lose for one row",
  out: "--out <file>: where the synthetic rows are written",
} as const;

/** Defines `dpcheck synthesize`. */
export function defineSynthesize(command: Command, done: Done): void {
  command
    .option("--data <file>", "rows: CSV with a line of names, or Parquet (.parquet)")
    .option("--schema <file>", "JSON: bounds and values of columns, as dpcheck schema writes it")
    .option("--epsilon <number>", "ε of all that is written, in nats", numberAbove(0))
    .option("--delta <number>", "δ; above 0 the noise is Gaussian, and smaller", deltaValue, 0)
    .option("--out <file>", "where the synthetic rows are written, as CSV")
    .option(
      "--rows <count>",
      "how many to write (default: about as many as there are, up to 2²⁰)",
      integerFrom(0, 2 ** 24),
    )
    .addOption(
      new Option(
        "--relation <name>",
        "add-remove-one hides the presence of a row, replace-one what it holds; with --ledger what the schema says",
      )
        .choices(Object.keys(RELATIONS)).default("add-remove-one"),
    )
    .option(
      "--bins <count>",
      "bins of each column of numbers that declares no edges",
      integerFrom(1, 2 ** 10),
      32,
    )
    .option("--ledger <file>", "what was spent of the table, as of dpcheck ask: it pays")
    .option(
      "--host <name>",
      "the machine that the ledger names, where it was moved here for good from another",
    )
    .action(async (options: SynthesizeArguments) => {
      await synthesize(options);
      done(ExitStatus.notRefuted);
    });
}

/** Share of ε for bins, as one part of so many. */
const BINS_PART = 10;

/** Options that say who pays. */
type Payer =
  & Required<Pick<SynthesizeArguments, "schema" | "epsilon" | "delta" | "relation">>
  & Pick<SynthesizeArguments, "ledger" | "host">;

/** Who is protected and what pays: a ledger and the schema whose limit it keeps, or a budget of this run alone. */
async function payerOf({ schema: file, epsilon, delta, ledger, host, ...options }: Payer): Promise<{
  readonly relation: Relation;
  readonly person: string | undefined;
  readonly budget: Budget;
}> {
  if (ledger === undefined) {
    const relation = RELATIONS[options.relation], about = { epsilon, relation };
    const limit = delta > 0 ? approximate({ ...about, delta }) : pure(about);
    return { relation, person: undefined, budget: openBudget(limit) };
  }
  const schema = await readSchemaFile({ option: "--schema", file });
  const budget = reading(
    "--ledger",
    ledger,
    () => ledgerOf({ ledger, schema, schemaFile: file, host }),
  );
  return { ...protectedBy(schema), budget };
}

/** The columns of numbers that have no edges, and more values than bins. */
function wideColumns({ columns }: ColumnDescription, bins: number): string[] {
  return columns.flatMap((column) =>
    column.type === "number" && column.edges === undefined && bins > 1 &&
      !(column.whole === true && column.max - column.min < bins)
      ? [column.name]
      : []
  );
}

/** The description with edges at noisy quantiles, so that bins have about as many rows each. */
async function withBins(
  description: ColumnDescription,
  { columns, bins, data, epsilon, relation, person, pay }: {
    readonly columns: readonly string[];
    readonly bins: number;
    readonly data: string;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly person: string | undefined;
    /** Called when rows were read, before noise is drawn. */
    readonly pay: () => void;
  },
): Promise<ColumnDescription> {
  if (columns.length === 0) return description;
  const numbers = Object.fromEntries(
    description.columns.flatMap((column) =>
      column.type === "number" && columns.includes(column.name)
        ? [[column.name, {
          type: "number" as const,
          lower: column.min,
          upper: column.max,
          ...(column.whole === true && { step: 1 }),
        }]]
        : []
    ),
  );
  const { delimiter } = description, csv = delimiter === undefined ? {} : { delimiter };
  const rows = data.endsWith(".parquet") ? parquetRows(data) : csvRows(data, csv);
  const own = openBudget(pure({
    epsilon,
    relation: person === undefined ? relation : personRelation({ column: person, relation }),
  }));
  const whole = table(rows, {
    columns: numbers,
    unit: person === undefined ? "row" : { person },
    relation,
    budget: {
      ...own,
      spend(...claims): void {
        pay();
        own.spend(...claims);
      },
      spendAll(...claims): void {
        pay();
        own.spendAll(...claims);
      },
    },
  });
  const asked = person === undefined ? whole : whole.boundContributions({ groups: 1, rows: 1 });
  const levels = Array.from({ length: bins - 1 }, (_, i) => (i + 1) / bins);
  const each = share(epsilon, columns.length);
  const questions = columns.map((column) =>
    ({ what: "quantiles", column, levels, epsilon: each }) as const
  );
  const answers = await asked.ask(questions).catch((error) => {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`--data ${data} cannot be read: ${reasonOf(error)}`);
  });
  const edges = new Map(
    columns.map((name, i) => [name, answers[i]!.rows.map(({ value }) => value)]),
  );
  return {
    ...description,
    columns: description.columns.map((column) => {
      const found = edges.get(column.name);
      if (column.type !== "number" || found === undefined) return column;
      return { ...column, edges: edgesAt(found, column) };
    }),
  };
}

/** Edges at quantiles; a number that many rows have, as 0 of gains, is at several and has a bin of its own. */
function edgesAt(quantiles: readonly number[], { min, max, whole }: NumberColumn): number[] {
  const width = whole === true ? 1 : (max - min) * 2 ** -20;
  const ends = quantiles.filter((value, i) => value === quantiles[i - 1]).map((v) => v + width);
  return [...new Set([...quantiles, ...ends])].filter((edge) => edge > min && edge < max)
    .sort((a, b) => a - b);
}

/** The rows of persons that none before had. */
function firstRows(part: Table, person: string, persons: Set<string>): Table {
  const place = columnIndex(part, person);
  const rows = part.rows.filter((row) => {
    const name = keyOf(row[place]);
    if (name === undefined || persons.has(name)) return false;
    persons.add(name);
    return true;
  });
  return { ...part, rows };
}

/** The largest double that makes no more than the first with the second, as decimals. */
function numberBelow(whole: number, part: number): number {
  return amountDown(subtract(exactOf(whole), exactOf(part)));
}

async function synthesize(options: SynthesizeArguments): Promise<void> {
  const missing = Object.entries(NEEDED)
    .filter(([name]) => options[name as keyof typeof NEEDED] === undefined)
    .map(([, line]) => line);
  if (missing.length > 0) throw new BadInput(`there must also be ${missing.join("; ")}`);
  const { data, schema, epsilon, out } = options as Required<SynthesizeArguments>;
  const { delta, rows: drawn, bins, ledger } = options;
  keepInputs({ "--out": out }, { "--data": data, "--schema": schema, "--ledger": ledger });
  const named = { option: "--schema", file: schema };
  const { relation, person, budget } = await payerOf(options as Payer);
  const described = requireColumns(named, await readFeatures(named));
  const columns = wideColumns(described, bins);
  // A part for bins where there are some to choose; the budget counts both.
  const forBins = columns.length === 0 ? 0 : share(epsilon, BINS_PART);
  const forRows = forBins === 0 ? epsilon : numberBelow(epsilon, forBins);
  const mechanismOf = (shape: readonly number[]) =>
    reading("--schema", schema, () =>
      adaptiveMarginals({
        shape,
        relation,
        epsilon: forRows,
        ...(delta > 0 ? { delta } : {}),
        drawn,
      }));
  // All that can be wrong is found before anything is paid.
  const before = reading("--schema", schema, () => tableCoder(described, { bins }));
  const planned = mechanismOf(before.shape);
  const file = { option: "--data", file: data, delimiter: described.delimiter };
  const empty = { names: await namesOfTable(file), rows: [] };
  reading("--data", data, () => {
    before.encode(empty);
    if (person !== undefined) columnIndex(empty, person);
  });
  const whole = claimFromJSON({
    ...claimToJSON(planned.claim),
    epsilon,
    relation: budget.limit.relation.name,
  }, { relation: budget.limit.relation });
  const pay = (): void =>
    reading(
      "--ledger",
      ledger ?? out,
      () => budget.spend(whole, [], { purpose: "synthetic rows" }),
    );
  // What cannot be paid for is refused before rows are read, and rows that cannot be read are not paid for.
  if (!budget.canSpend(whole)) pay();
  const description = await withBins(described, {
    columns,
    bins,
    data,
    epsilon: forBins,
    relation,
    person,
    pay,
  });
  const coder = tableCoder(description, { bins });
  const coded: CodedRow[] = [], persons = new Set<string>();
  await visitTable(file, (part) => {
    // Of a person the first row counts: it depends on the person's rows alone.
    const own = person === undefined ? part : firstRows(part, person, persons);
    for (const row of coder.encode(own)) coded.push(row);
  });
  if (columns.length === 0) pay();
  const mechanism = mechanismOf(coder.shape), source = new SecureSource();
  // What this run may release was paid above.
  const { rows, measured } = release(mechanism, coded, {
    budget: openBudget(mechanism.claim),
    source,
  });
  const { names, rows: values } = coder.decode(rows, source);
  const text = Papa.unparse({ fields: [...names], data: values as unknown[][] }, { newline: "\n" });
  writeOutput("--out", out, text + "\n");
  console.log(
    `${
      describeClaim(whole)
    } (${whole.relation.name}): ${rows.length} rows of ${names.length} columns, from ` +
      `${measured.length} noisy marginals${
        columns.length === 0 ? "" : `, with bins from noisy quantiles of ${columns.join(", ")}`
      }.\n` +
      "They tell of columns and pairs of columns; what more of them do together is a guess of the model.",
  );
}
