import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { BadInput } from "../options/bad_input.ts";
import { listenForInterruption } from "../output/interruption.ts";
import { integerFrom, urlValue } from "../options/option_values.ts";
import { checkOutputFiles } from "../output/output_files.ts";
import { reasonOf } from "../options/reason_of.ts";
import type { Done } from "../output/exit_status.ts";
import { readSuite } from "../suite/read_suite.ts";
import { runSuite, worstStatus } from "../suite/run_suite.ts";
import {
  suiteIndex,
  suiteJson,
  suiteJunit,
  suiteMarkdown,
  suiteSarif,
  suiteTable,
} from "../suite/suite_reports.ts";
import type { Suite } from "../entries/suite_schema.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { writeOutput } from "../output/write_output.ts";

interface SuiteArguments {
  readonly jobs?: number;
  readonly error?: string;
  readonly changed?: true;
  readonly queue?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly sarif?: string;
  readonly html?: string;
}

const FORMATS = {
  json: suiteJson,
  junit: suiteJunit,
  sarif: suiteSarif,
  markdown: suiteMarkdown,
} as const;

/** Defines `dpcheck suite`. */
export function defineSuite(command: Command, done: Done): void {
  command
    .argument("[FILE]", "the suite", "dpcheck.json")
    .option(
      "--jobs <N>",
      "audits at the same time (default: the processor's cores)",
      integerFrom(1),
    )
    .option("--error <KIND>", "family-wise or false-discovery-rate; replaces that of the file")
    .option(
      "--queue <URL>",
      "Redis, through which workers draw the audits that have fullBudget and maxDraws, and run the others; " +
        "env:NAME names a variable that holds the URL",
      urlValue,
    )
    .option("--changed", "only audits that changed since they last ended as expected")
    .option("--json <FILE>", "write the results as JSON; with -, to standard output")
    .option("--junit <FILE>", "write the results as JUnit XML")
    .option("--sarif <FILE>", "write refuted claims as SARIF, for code scanning")
    .option("--markdown <FILE>", "write the results as Markdown")
    .option("--html <DIR>", "write an index and a page for each audit")
    .addHelpText("after", "\nExit status: the worst of the audits, in the order 2, 3, 1, 4, 0.")
    .action(async (file: string, options: SuiteArguments) => done(await suite(file, options)));
}

async function suite(file: string, options: SuiteArguments): Promise<number> {
  const { html, jobs = availableParallelism(), changed = false } = options;
  const suite = withError(readSuite(file), options.error, file);
  const { json, junit, sarif, markdown } = options;
  const outputs = { json, junit, sarif, markdown };
  checkOutputFiles(outputs as Parameters<typeof checkOutputFiles>[0]);
  if (html !== undefined) makeFolder(html);
  const interruption = listenForInterruption(() => {});
  try {
    const all = await runSuite(suite, {
      file,
      jobs,
      changed,
      ...(options.queue === undefined ? {} : { queue: options.queue }),
      signal: interruption.signal,
      ...(html === undefined ? {} : { html: resolve(html) }),
    });
    const isTaken = Object.values(outputs).includes("-");
    const stream = isTaken ? process.stderr : process.stdout;
    const { columns } = stream, color = stream.isTTY && !process.env.NO_COLOR;
    stream.write(wrapLines(suiteTable(suite, all, { columns, color }), columns));
    for (const format of Object.keys(FORMATS) as (keyof typeof FORMATS)[]) {
      const target = outputs[format];
      if (target === undefined) continue;
      writeOutput(`--${format}`, target, FORMATS[format](suite, all));
    }
    if (html !== undefined) {
      writeOutput("--html", join(html, "index.html"), suiteIndex(suite, all));
    }
    return interruption.status() ?? worstStatus(all.results.map(({ status }) => status));
  } finally {
    interruption.release();
  }
}

function withError(suite: Suite, error: string | undefined, file: string): Suite {
  if (error === undefined) return suite;
  if (error !== "family-wise" && error !== "false-discovery-rate") {
    const kinds = ["family-wise", "false-discovery-rate"];
    throw new BadInput(
      `--error ${error} must be ${kinds.join(" or ")}${closestName(error, kinds)}`,
    );
  }
  if (error === "false-discovery-rate" && suite.audits.some(({ share }) => share !== undefined)) {
    throw new BadInput(`--error ${error} cannot be given with the shares of ${file}`);
  }
  return { ...suite, error };
}

function makeFolder(html: string): void {
  try {
    mkdirSync(html, { recursive: true });
  } catch (error) {
    throw new BadInput(`--html ${html} cannot be written: ${reasonOf(error)}`);
  }
}
