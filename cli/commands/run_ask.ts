import process from "node:process";
import { existsSync, statSync } from "node:fs";
import { join, parse } from "node:path";
import type { Amount } from "../../lib/core/numeric/amount.ts";
import { describeClaim } from "../../lib/core/claims/claim.ts";
import {
  type Answers,
  clickhouse,
  type ClickhouseOptions,
  csvRows,
  duckdb,
  type Engine,
  parquetRows,
  postgres,
  type Question,
  type RowSource,
  table,
} from "../../lib/dp/tables/mod.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { BadInput } from "../options/bad_input.ts";
import { parseQuestion } from "../options/parse_question.ts";
import { readJsonFile } from "../options/read_json_file.ts";
import { ledgerOf } from "../options/ledger_file.ts";
import { protectedBy, readSchemaFile } from "../options/schema_file.ts";
import { reasonOf } from "../options/reason_of.ts";
import { say } from "../options/say.ts";
import { keepInputs, STANDARD_OUTPUT, writablePath, writeOutput } from "../output/write_output.ts";

/** Options of `dpcheck ask`. */
export interface AskOptions {
  readonly schema?: string;
  readonly ledger?: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly question?: string;
  readonly engine?: "memory" | "duckdb" | "postgres" | "clickhouse";
  readonly connection?: string;
  readonly host?: string;
  readonly json?: string;
  readonly csv?: string;
  readonly svg?: string;
}

/** Asks one question or several of a file of rows, and pays from a ledger. Whatever is refused is refused before it is paid. */
export async function runAsk(
  { data, words, ...options }: AskOptions & {
    readonly data: string;
    readonly words: string | undefined;
  },
): Promise<void> {
  const { schema: schemaFile, ledger, json, csv, svg } = options;
  if (schemaFile === undefined || !existsSync(schemaFile)) {
    const is = schemaFile === undefined
      ? "there must also be --schema <file>: what is public of the table"
      : `--schema ${schemaFile} is not there`;
    throw new BadInput(
      `${is}; dpcheck schema ${data} --number age=0..120:1 --category region=north,south --out ${
        schemaFile ?? "schema.json"
      } drafts it from what you say of its columns`,
    );
  }
  if (ledger === undefined) {
    throw new BadInput(
      "there must also be --ledger <file>: where what was spent is kept, as in --ledger budget.jsonl; the first question that is paid makes it",
    );
  }
  keepInputs({ "--json": json, "--csv": csv, "--svg": svg }, {
    "--data": data,
    "--schema": schemaFile,
    "--ledger": ledger,
  });
  const schema = await readSchemaFile({ option: "--schema", file: schemaFile });
  const columns = Object.keys(schema.columns);
  const questions = await questionsOf(words, { ...options, columns });
  const charts = svg === undefined ? [] : chartFiles(svg, questions.length);
  for (const chart of charts) {
    keepInputs({ "--svg": chart }, { "--data": data, "--schema": schemaFile, "--ledger": ledger });
    writablePath("--svg", chart);
  }
  if (json !== undefined) writablePath("--json", json);
  if (csv !== undefined) writablePath("--csv", csv);
  const { relation, person } = protectedBy(schema);
  try {
    const budget = ledgerOf({ ledger, schema, schemaFile, host: options.host });
    const whole = table(rowsOf(data, { ...options, delimiter: schema.delimiter }), {
      columns: schema.columns,
      unit: person === undefined ? "row" : { person },
      relation,
      budget,
    });
    const asked = person === undefined
      ? whole
      : whole.boundContributions(schema.contributions ?? { groups: 1, rows: 1 });
    const answers = await asked.ask(questions);
    if (![json, csv, svg].includes(STANDARD_OUTPUT)) {
      console.log(
        `${answers.join("\n\n")}\nleft in ${ledger}: ${describeClaim(whole.budget.remaining)}`,
      );
    }
    // What was paid is shown, whatever becomes of the files.
    write(answers, { json, csv, charts });
    if (options.engine === "memory" && data.endsWith(".parquet")) adviseEngine(data);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new BadInput(`${reasonOf(error)}${nextStep(error, { ledger, schemaFile, data })}`);
    }
    if (error instanceof Error && (error as { code?: unknown }).code === "ENOENT") {
      throw new BadInput(`${data} cannot be read: ${reasonOf(error)}`);
    }
    throw new SubjectFailure(`${data} cannot be asked: ${reasonOf(error)}`);
  }
}

/** Bytes of Parquet from which another engine is worth a line. */
const LARGE = 2 ** 26;

/** Says to who asks, who has the file, that DuckDB would answer sooner. */
function adviseEngine(data: string): void {
  const { size } = statSync(data);
  if (size < LARGE) return;
  say(
    `${data} has ${
      Math.round(size / 1e6)
    } MB: with --engine duckdb (npm install @duckdb/node-api) a question to Parquet of 92 MB took 1.7 seconds of processor time, and 7.8 without`,
  );
}

function rowsOf(
  data: string,
  { engine, connection, delimiter }: Pick<AskOptions, "engine" | "connection"> & {
    readonly delimiter: string | undefined;
  },
): RowSource | Engine {
  if (engine === "postgres") return postgres(data, connection === undefined ? {} : { connection });
  if (engine === "clickhouse") return clickhouse(data, clickhouseOptions(connection));
  if (connection !== undefined) {
    throw new BadInput(
      "--connection must go with --engine postgres or clickhouse, and the table's name as DATA",
    );
  }
  const csv = delimiter === undefined ? {} : { delimiter };
  if (engine === "duckdb") return duckdb(data, csv);
  return data.endsWith(".parquet") ? parquetRows(data) : csvRows(data, csv);
}

function clickhouseOptions(connection: string | undefined): ClickhouseOptions {
  const { CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } = process.env;
  return {
    ...(connection !== undefined && { connection: connection.split(",") }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
  };
}

async function questionsOf(
  words: string | undefined,
  { question: file, epsilon, rho, columns }: Pick<AskOptions, "question" | "epsilon" | "rho"> & {
    readonly columns: readonly string[];
  },
): Promise<Question[]> {
  const cost = {
    ...(epsilon !== undefined && { epsilon: amount("--epsilon", epsilon) }),
    ...(rho !== undefined && { rho: amount("--rho", rho) }),
  };
  if ((words === undefined) === (file === undefined)) {
    throw new BadInput('give a question, as in "mean hours by region", or --question FILE.json');
  }
  const inWords = (text: string): Question => {
    if (epsilon === undefined && rho === undefined) {
      throw new BadInput("--epsilon must say what the answer may cost, as in --epsilon .5");
    }
    return { ...parseQuestion(text, { columns }), ...cost };
  };
  if (words !== undefined) return [inWords(words)];
  const json = await readJsonFile("--question", file!), list = Array.isArray(json) ? json : [json];
  if (list.length === 0) throw new BadInput(`--question ${file} must have a question`);
  return list.map((each) =>
    typeof each === "string"
      ? inWords(each)
      : typeof each === "object" && each !== null
      ? { ...cost, ...each }
      : each
  );
}

function amount(option: string, text: string): Amount {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new BadInput(`${option} must be a number above 0: current value is ${text}`);
}

function write(
  answers: readonly Answers[],
  { json, csv, charts }: {
    readonly json: string | undefined;
    readonly csv: string | undefined;
    readonly charts: readonly string[];
  },
): void {
  const [one] = answers;
  if (json !== undefined) {
    writeOutput(
      "--json",
      json,
      `${JSON.stringify(answers.length === 1 ? one : answers, null, 2)}\n`,
    );
  }
  if (csv !== undefined) writeOutput("--csv", csv, answers.map((each) => each.toCSV()).join("\n"));
  charts.forEach((chart, i) => writeOutput("--svg", chart, answers[i]!.toSVG()));
}

/** What to do on the command line about a refusal of the library. */
function nextStep(
  { message }: Error,
  { ledger, schemaFile, data }: Readonly<Record<"ledger" | "schemaFile" | "data", string>>,
): string {
  if (/^Cannot spend: the claim must fit/.test(message)) {
    return message.includes("budget, nothing")
      ? `; all is spent: dpcheck budget ${ledger} lists the answers that it paid for, and working on with these costs nothing`
      : `; ask for less, or see dpcheck budget ${ledger}`;
  }
  const [, text] = /: (\S+) must be a column of numbers, .+ current type is text$/.exec(message) ??
    [];
  if (text !== undefined) {
    return `; declare it in ${schemaFile}, as dpcheck schema ${data} --number ${text}=0..100:1 drafts it`;
  }
  const [, name] = /^Cannot group rows: the keys of (.+) must be public: /.exec(message) ?? [];
  return name === undefined
    ? ""
    : `; for dpcheck ask: where its values are public, list them in ${schemaFile} (dpcheck schema ${data} --category ${name}=…), and group numbers or days in bins, as in "by ${name} in 10" or "in month"`;
}

/** A file for the chart of each question: of several, with numbers before its ending. */
function chartFiles(file: string, questions: number): string[] {
  if (questions === 1) return [file];
  if (file === STANDARD_OUTPUT) {
    throw new BadInput(
      "--svg must name a file where there are several questions: --svg chart.svg writes chart-1.svg, chart-2.svg and so on",
    );
  }
  const { dir, name, ext } = parse(file);
  return Array.from({ length: questions }, (_, i) => join(dir, `${name}-${i + 1}${ext}`));
}
