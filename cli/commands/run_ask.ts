import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, parse } from "node:path";
import type { Amount } from "../../lib/core/numeric/amount.ts";
import { type Claim, describeClaim } from "../../lib/core/claims/claim.ts";
import { approximate, pure, zcdp } from "../../lib/core/claims/claim_of_amounts.ts";
import { claimFromJSON } from "../../lib/core/claims/claim_json.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import { openLedger } from "../../lib/dp/accounting/budget/ledger.ts";
import type { TableFile } from "../../lib/dp/schema/table_file.ts";
import {
  type Answers,
  csvRows,
  duckdb,
  type Engine,
  parquetRows,
  personRelation,
  postgres,
  type Question,
  type RowSource,
  table,
} from "../../lib/dp/tables/mod.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { BadInput } from "../options/bad_input.ts";
import { parseQuestion } from "../options/parse_question.ts";
import { readJsonFile } from "../options/read_json_file.ts";
import { readSchemaFile } from "../options/schema_file.ts";
import { reasonOf } from "../options/reason_of.ts";
import { keepInputs, STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";

/** Options of `dpcheck ask`. */
export interface AskOptions {
  readonly schema?: string;
  readonly ledger?: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly question?: string;
  readonly engine?: "memory" | "duckdb" | "postgres";
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
  if (!existsSync(dirname(ledger))) {
    throw new BadInput(
      `--ledger ${ledger} must be in a folder that is there: ${dirname(ledger)} is not`,
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
  }
  const relation = relationOf(schema, schemaFile);
  const person = typeof schema.unit === "object" ? schema.unit.person : undefined;
  try {
    const limit = limitOf(schema, {
      relation,
      ledger,
      schemaFile,
      host: options.host ?? hostname(),
    });
    const whole = table(rowsOf(data, { ...options, delimiter: schema.delimiter }), {
      columns: schema.columns,
      unit: person === undefined ? "row" : { person },
      relation: schema.relation === "replace-one" ? replaceOne : addRemoveOne,
      budget: openLedger(ledger, {
        limit,
        ...(options.host !== undefined && { host: options.host }),
      }),
    });
    const asked = person === undefined
      ? whole
      : whole.boundContributions(schema.contributions ?? { groups: 1, rows: 1 });
    const answers = await asked.ask(questions);
    write(answers, { json, csv, charts });
    if (![json, csv, svg].includes(STANDARD_OUTPUT)) {
      console.log(
        `${answers.join("\n\n")}\nleft in ${ledger}: ${describeClaim(whole.budget.remaining)}`,
      );
    }
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

function rowsOf(
  data: string,
  { engine, connection, delimiter }: Pick<AskOptions, "engine" | "connection"> & {
    readonly delimiter: string | undefined;
  },
): RowSource | Engine {
  if (engine === "postgres") return postgres(data, connection === undefined ? {} : { connection });
  if (connection !== undefined) {
    throw new BadInput("--connection must go with --engine postgres, and the table's name as DATA");
  }
  const csv = delimiter === undefined ? {} : { delimiter };
  if (engine === "duckdb") return duckdb(data, csv);
  return data.endsWith(".parquet") ? parquetRows(data) : csvRows(data, csv);
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
  if (words !== undefined) {
    if (epsilon === undefined && rho === undefined) {
      throw new BadInput("--epsilon must say what the answer may cost, as in --epsilon .5");
    }
    return [{ ...parseQuestion(words, { columns }), ...cost }];
  }
  const json = await readJsonFile("--question", file!), list = Array.isArray(json) ? json : [json];
  if (list.length === 0) throw new BadInput(`--question ${file} must have a question`);
  return list.map((each) =>
    typeof each === "object" && each !== null ? { ...cost, ...each } : each
  );
}

function amount(option: string, text: string): Amount {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new BadInput(`${option} must be a number above 0: current value is ${text}`);
}

function relationOf({ unit, relation }: TableFile, file: string): Relation {
  if (unit === undefined) {
    throw new BadInput(
      `--schema ${file} must say what is protected: "unit": "row", or "unit": {"person": "the column that names persons"}`,
    );
  }
  const one = relation === "replace-one" ? replaceOne : addRemoveOne;
  return unit === "row" ? one : personRelation({ column: unit.person, relation: one });
}

/** The limit of the ledger that is there, or of the schema. @throws {BadInput} where they differ, with what to do. */
function limitOf(
  { limit }: TableFile,
  { relation, ledger, schemaFile, host }: {
    readonly relation: Relation;
    readonly ledger: string;
    readonly schemaFile: string;
    readonly host: string;
  },
): Claim {
  const declared = limit === undefined ? undefined : claimOf(limit, relation, schemaFile);
  const before = existsSync(ledger) ? headerOf(ledger) : undefined;
  if (before === undefined) {
    if (declared !== undefined) return declared;
    throw new BadInput(
      `--schema ${schemaFile} must say what all answers may lose, as in "limit": {"epsilon": 1}, for --ledger ${ledger} is not there yet`,
    );
  }
  if (before.relation !== relation.name) {
    throw new BadInput(
      `--ledger ${ledger} is about ${before.relation}, and --schema ${schemaFile} about ${relation.name}: give another ledger, or the schema that the ledger was begun with`,
    );
  }
  if (typeof before.host === "string" && before.host !== host) {
    throw new BadInput(
      `--ledger ${ledger} was made on ${before.host}, and this is ${host}: ask there, for two machines that append to one file overwrite each other; ` +
        `where the file was moved here for good, add --host ${before.host}`,
    );
  }
  let opened: Claim;
  try {
    const { ledger: _, host: _host, slack: _slack, ...claim } = before;
    opened = claimFromJSON(claim, { relation });
  } catch (error) {
    throw new BadInput(`--ledger ${ledger} is no ledger: ${reasonOf(error)}`);
  }
  if (declared !== undefined && describeClaim(declared) !== describeClaim(opened)) {
    throw new BadInput(
      `--ledger ${ledger} was begun with a limit of ${
        describeClaim(opened)
      }, and --schema ${schemaFile} says ${
        describeClaim(declared)
      }: write the first in the schema, or begin another ledger`,
    );
  }
  return opened;
}

function headerOf(ledger: string): Record<string, unknown> {
  try {
    // Each append begins with a line end: a line that was torn before takes none with it.
    const lines = readFileSync(ledger, "utf8").split("\n");
    const header = JSON.parse(lines.find((line) => line.trim() !== "") ?? "") as unknown;
    if (typeof header === "object" && header !== null && "ledger" in header) {
      return header as Record<string, unknown>;
    }
  } catch {
    // It is said below.
  }
  throw new BadInput(`--ledger ${ledger} must be a ledger that dpcheck wrote, or not be there yet`);
}

function claimOf(
  { epsilon, delta, rho }: NonNullable<TableFile["limit"]>,
  relation: Relation,
  file: string,
): Claim {
  if (rho !== undefined && epsilon === undefined && delta === undefined) {
    return zcdp({ rho, relation });
  }
  if (epsilon !== undefined && rho === undefined) {
    return delta === undefined
      ? pure({ epsilon, relation })
      : approximate({ epsilon, delta, relation });
  }
  throw new BadInput(`--schema ${file}: limit must have epsilon, epsilon and delta, or rho`);
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
