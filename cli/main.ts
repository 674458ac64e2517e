import process from "node:process";
import { Command, CommanderError } from "commander";
import { SubjectFailure } from "../lib/judge/audit/kernel/subject.ts";
import { closestName } from "../lib/core/text/closest_name.ts";
import { VERSION } from "../lib/judge/audit/version.ts";
import { BadInput } from "./options/bad_input.ts";
import { withCode } from "./output/error_codes.ts";
import { type Done, ExitStatus, type Run } from "./output/exit_status.ts";
import { offerAdapters } from "./output/offer_adapters.ts";
import { reasonOf } from "./options/reason_of.ts";
import { say } from "./options/say.ts";
import { standardOutputWritten, watchStandardOutput } from "./output/standard_output.ts";

/**
 * Gives a command its arguments, its options and its action. The action calls `done`, and throws `BadInput` for what
 * ends in one line and status 2.
 */
type DefineCommand = (command: Command, done: Done, run: Run) => void;

/** A command as `dpcheck --help` lists it. */
interface ListedCommand {
  /** The arguments that help shows after its name. */
  readonly usage: string;
  readonly description: string;
  /** Loads the file that defines it. */
  readonly load: () => Promise<DefineCommand>;
}

/** All commands by name, in the order of `dpcheck --help`. Listing them loads none. */
export const COMMANDS: ReadonlyMap<string, ListedCommand> = new Map([
  ["audit", {
    usage: "[options]",
    description: "test whether a program keeps its differential-privacy claim",
    load: async () => (await import("./commands/audit.ts")).defineAudit,
  }],
  ["verify", {
    usage: "[options] <EVIDENCE>",
    description:
      "confirm a refutation on fresh draws; runs the program that the evidence names, twice at first",
    load: async () => (await import("./commands/verify.ts")).defineVerify,
  }],
  ["init", {
    usage: "[options]",
    description: "begin a project: dpcheck.json, a first test and a workflow, and the first audit",
    load: async () => (await import("./commands/init.ts")).defineInit,
  }],
  ["suite", {
    usage: "[options] [FILE]",
    description: "many audits with one error statement and one report",
    load: async () => (await import("./commands/suite.ts")).defineSuite,
  }],
  ["watch", {
    usage: "[options] [FILE]",
    description: "run the audits of a suite again when their files change",
    load: async () => (await import("./commands/watch.ts")).defineWatch,
  }],
  ["worker", {
    usage: "[options]",
    description:
      "draw shards of audits that were begun elsewhere with --queue, and run audits of suites",
    load: async () => (await import("./commands/worker.ts")).defineWorker,
  }],
  ["exact", {
    usage: "[options]",
    description:
      "decide or prove a claim by all paths of a program's draws; its least ε where they are discrete",
    load: async () => (await import("./commands/exact.ts")).defineExact,
  }],
  ["check", {
    usage: "[options] <CERTIFICATE> [MODULE]",
    description:
      "check a certificate of dpcheck exact on its own, and that its paths are the program's",
    load: async () => (await import("./commands/check.ts")).defineCheck,
  }],
  ["record", {
    usage: "[options]",
    description:
      "watch a program's noise on pairs of datasets, and name the line whose value moves further than its noise hides",
    load: async () => (await import("./commands/record.ts")).defineRecord,
  }],
  ["canaries", {
    usage: "[options] <FILE>",
    description: "audit one training run: which canaries were in, and the model's score for each",
    load: async () => (await import("./commands/canaries.ts")).defineCanaries,
  }],
  ["prove", {
    usage: "[options] [ids...]",
    description:
      "check theorems, refute published claims that are false and common mistakes, reject their mutants",
    load: async () => (await import("./commands/prove.ts")).defineProve,
  }],
  ["account", {
    usage: "[options] [RELEASES]",
    description: "the ε and δ of releases together, with certain bounds on both sides",
    load: async () => (await import("./commands/account.ts")).defineAccount,
  }],
  ["train", {
    usage: "[options]",
    description: "train a classifier privately and write it with its claim",
    load: async () => (await import("./commands/train.ts")).defineTrain,
  }],
  ["predict", {
    usage: "[options]",
    description: "predict the class of every row with a model of dpcheck train",
    load: async () => (await import("./commands/predict.ts")).definePredict,
  }],
  ["score", {
    usage: "[options]",
    description:
      "the share of labelled rows that a model of dpcheck train predicts right (not private: for public rows)",
    load: async () => (await import("./commands/score.ts")).defineScore,
  }],
  ["ask", {
    usage: "[options] <DATA> [QUESTION]",
    description: "answer a question about a table privately, and pay for it from a ledger",
    load: async () => (await import("./commands/ask.ts")).defineAsk,
  }],
  ["budget", {
    usage: "[options] <LEDGER>",
    description: "what was spent of a ledger, when, and what is left",
    load: async () => (await import("./commands/budget.ts")).defineBudget,
  }],
  ["schema", {
    usage: "[options] <FILE>",
    description: "draft what is public of a table, from the names of its columns and your words",
    load: async () => (await import("./commands/schema.ts")).defineSchema,
  }],
  ["synthesize", {
    usage: "[options]",
    description: "write synthetic rows that keep the marginals of private ones, with their claim",
    load: async () => (await import("./commands/synthesize.ts")).defineSynthesize,
  }],
  ["clean", {
    usage: "[options]",
    description:
      "take out of features what a predictor does not look at (this is not differential privacy)",
    load: async () => (await import("./commands/clean.ts")).defineClean,
  }],
  ["doctor", {
    usage: "[options]",
    description: "what is installed here, what is missing for what, and how to install it",
    load: async () => (await import("./commands/doctor.ts")).defineDoctor,
  }],
  ["explain", {
    usage: "[options] [CODE]",
    description: "what an error means and what to do, by the code in its brackets",
    load: async () => (await import("./commands/explain.ts")).defineExplain,
  }],
]);

/** Runs dpcheck with the words of a command line and returns its exit status, once all output is written. */
export async function main(words: readonly string[]): Promise<number> {
  offerAdapters();
  const status = await run(words);
  await standardOutputWritten();
  return status;
}

async function run(words: readonly string[]): Promise<number> {
  let status = ExitStatus.notRefuted as number;
  const program = new Command("dpcheck")
    .description("Does this code keep the differential-privacy claim it makes?")
    .version(VERSION)
    .exitOverride()
    // Errors are worded in one place, below; help that was asked for goes to standard output.
    .configureOutput({ writeErr: () => {} });
  await addCommands(program, { words, done: (result) => status = result });
  watchStandardOutput((error) => process.exit(unwritable(error)));
  if (words.length === 0) return badInput("give a command: dpcheck --help lists them");
  try {
    await program.parseAsync(words, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      return badInput(wordingOf(error, { program, words }));
    }
    if (error instanceof BadInput) return badInput(error.message);
    if (isFull(error)) return noSpace(error);
    if (error instanceof SubjectFailure) say(withCode(oneLine(error.message), ExitStatus.failed));
    else for (const line of stackOf(error)) say(line);
    return ExitStatus.failed;
  }
}

/** Lists all commands, and loads the one that the words name. */
async function addCommands(
  program: Command,
  { words, done }: { readonly words: readonly string[]; readonly done: Done },
): Promise<void> {
  program.configureHelp({
    subcommandTerm: (command) =>
      `${command.name()} ${COMMANDS.get(command.name())?.usage ?? "[command]"}`,
  });
  // The first word that is a name: it may stand after "help".
  const called = words.find((word) => COMMANDS.has(word));
  for (const [name, { description, load }] of COMMANDS) {
    const command = program.command(name).description(description);
    if (name === called) (await load())(command, done, main);
  }
}

/** An internal error in full. */
function stackOf(error: unknown): string[] {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  return `internal error: ${text}`.split("\n");
}

/** The message of commander as one sentence, with a suggestion for a misspelt word. */
function wordingOf(
  { code, message }: CommanderError,
  { program, words }: { readonly program: Command; readonly words: readonly string[] },
): string {
  const text = message.replace(/^error: /, "").replace(/\.$/, "")
    .replace(/\s\(Did you mean (.*)\?\)$/, "; did you mean $1?");
  const command = program.commands.find((each) => each.name() === words[0]);
  switch (code) {
    // "help nope" asks for help, and says no more.
    case "commander.help":
      return `unknown command '${words[1]}'${
        closestName(words[1] ?? "", program.commands.map((each) => each.name()))
      }`;
    // The words themselves tell more than their number.
    case "commander.excessArguments":
      return `${text}: ${command?.args.join(" ")}${
        command === undefined ? "" : optionFor(command)
      }`;
    case "commander.unknownCommand":
      return text.endsWith("?")
        ? text
        : `${text}: dpcheck --help lists them${
          /\.(csv|tsv|parquet)$/i.test(words[0] ?? "")
            ? `, and dpcheck ask ${words[0]} "count" answers about a table`
            : ""
        }`;
    case "commander.unknownOption": {
      const option = /'(--[^']*)'/.exec(text)?.[1];
      if (option === undefined || text.endsWith("?")) return text;
      const names = (command ?? program).options.map(({ long }) => long ?? "");
      return text + closestName(option, names);
    }
    case "commander.invalidArgument": {
      const [, given, choices] = /'([^']*)' is invalid\. Allowed choices are (.*)$/.exec(text) ??
        [];
      return choices === undefined ? text : text + closestName(given!, choices.split(", "));
    }
    default:
      return text;
  }
}

/** Names the option, or the quotes, that a word of too many was probably meant for. */
function optionFor(command: Command): string {
  const [word = "", ...more] = command.args, file = word.replace(/[#:]\w+$/, "");
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  const serving = /\.py:\w+$/.test(word) ? `python3 -m dpcheck ${word}` : {
    py: `python3 ${file}`,
    R: `Rscript ${file}`,
  }[/\.(py|R)$/.exec(file)?.[1] ?? ""];
  if (command.name() === "ask") {
    return more.some((part) => /\s/.test(part))
      ? "; several questions are a list in the file of --question"
      : `; put the question in quotes: "${more.join(" ")}"`;
  }
  if (/\.[cm]?[jt]s$/.test(file) && has("--module")) return `; write --module ${word}`;
  if (serving !== undefined && has("--exec")) return `; write --exec "${serving}"`;
  return "";
}

/** Reports are written where their errors are caught: what is full is standard output, or the disk of temporary files. */
function isFull(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === "ENOSPC";
}

function noSpace(error: unknown): number {
  // Errors of files name the call that failed; Deno's of standard output name none.
  if ((error as { syscall?: string }).syscall === undefined) return unwritable(error);
  say(withCode(`a temporary file cannot be written: ${reasonOf(error)}`, ExitStatus.failed));
  return ExitStatus.failed;
}

function unwritable(error: unknown): number {
  say(withCode(`standard output cannot be written: ${reasonOf(error)}`, ExitStatus.failed));
  return ExitStatus.failed;
}

function badInput(message: string): number {
  // A value of thousands of characters would hide the rule.
  const short = message.replaceAll(/\S{300,}/g, (word) => `${word.slice(0, 100)}…`);
  say(withCode(oneLine(short), ExitStatus.badInput));
  return ExitStatus.badInput;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
