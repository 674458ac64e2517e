import { type Command, Option } from "commander";
import Papa from "papaparse";
import { openBudget } from "../../lib/dp/accounting/budget/budget.ts";
import { describeClaim } from "../../lib/core/claims/claim.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { adaptiveMarginals } from "../../lib/dp/learners/synthetic/adaptive_marginals.ts";
import type { CodedRow } from "../../lib/dp/learners/synthetic/adaptive_rounds.ts";
import { tableCoder } from "../../lib/dp/learners/synthetic/table_coder.ts";
import { release } from "../../lib/dp/mechanisms/release.ts";
import { SecureSource } from "../../lib/core/random/secure_source.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { deltaValue, integerFrom, numberAbove } from "../options/option_values.ts";
import { readFeatures, requireColumns } from "../options/schema_file.ts";
import { visitTable } from "../options/visit_table.ts";
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
        "add-remove-one hides the presence of a row, replace-one what it holds",
      )
        .choices(Object.keys(RELATIONS)).default("add-remove-one"),
    )
    .option(
      "--bins <count>",
      "bins of each column of numbers that declares no edges",
      integerFrom(1, 2 ** 10),
      32,
    )
    .action(async (options: SynthesizeArguments) => {
      await synthesize(options);
      done(ExitStatus.notRefuted);
    });
}

async function synthesize(options: SynthesizeArguments): Promise<void> {
  const missing = Object.entries(NEEDED)
    .filter(([name]) => options[name as keyof typeof NEEDED] === undefined)
    .map(([, line]) => line);
  if (missing.length > 0) throw new BadInput(`there must also be ${missing.join("; ")}`);
  const { data, schema, epsilon, out } = options as Required<SynthesizeArguments>;
  const { delta, rows: drawn, relation, bins } = options;
  keepInputs({ "--out": out }, { "--data": data, "--schema": schema });
  const named = { option: "--schema", file: schema };
  const description = requireColumns(named, await readFeatures(named));
  const coder = reading("--schema", schema, () => tableCoder(description, { bins }));
  const mechanism = reading("--schema", schema, () =>
    adaptiveMarginals({
      shape: coder.shape,
      relation: RELATIONS[relation],
      epsilon,
      ...(delta > 0 ? { delta } : {}),
      drawn,
    }));
  const coded: CodedRow[] = [];
  await visitTable({ option: "--data", file: data }, (part) => {
    const codes = reading("--data", data, () => coder.encode(part));
    for (const row of codes) coded.push(row);
  });
  const source = new SecureSource();
  // One file of rows is what this run may release.
  const { rows, measured } = release(mechanism, coded, {
    budget: openBudget(mechanism.claim),
    source,
  });
  const { names, rows: values } = coder.decode(rows, source);
  const text = Papa.unparse({ fields: [...names], data: values as unknown[][] }, { newline: "\n" });
  writeOutput("--out", out, text + "\n");
  console.log(
    `${
      describeClaim(mechanism.claim)
    } (${relation}): ${rows.length} rows of ${names.length} columns, from ` +
      `${measured.length} noisy marginals.\n` +
      "They tell of columns and pairs of columns; what more of them do together is a guess of the model.",
  );
}
