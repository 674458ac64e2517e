import process from "node:process";
import { Command, CommanderError } from "commander";
import { SubjectFailure } from "../lib/audit/kernel/subject.ts";
import { closestName } from "../lib/core/closest_name.ts";
import { VERSION } from "../lib/audit/version.ts";
import { BadInput } from "./bad_input.ts";
import { COMMANDS, type Done } from "./commands.ts";
import { ExitStatus } from "./exit_status.ts";
import { reasonOf } from "./reason_of.ts";
import { say } from "./say.ts";

/** Runs dpcheck with the words of a command line and returns its exit status. */
export async function main(words: readonly string[]): Promise<number> {
  let status = ExitStatus.notRefuted as number;
  const program = new Command("dpcheck")
    .description("Does this code keep the differential-privacy claim it makes?")
    .version(VERSION)
    .exitOverride()
    // Errors are worded in one place, below; help that was asked for goes to standard output.
    .configureOutput({ writeErr: () => {} });
  await addCommands(program, { words, done: (result) => status = result });
  watchOutput();
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
    if (error instanceof SubjectFailure) say(error.message);
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
    if (name === called) (await load())(command, done);
  }
}

/** An internal error in full. */
function stackOf(error: unknown): string[] {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  return `internal error: ${text}`.split("\n");
}

/** What commander says, in one sentence that names what may have been meant. */
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
      return `${text}: ${command?.args.join(" ")}`;
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

let isWatching = false;

/** Says in one line that standard output cannot be written, and ends the process. Where its reader has gone, the run goes on. */
function watchOutput(): void {
  if (isWatching) return;
  isWatching = true;
  process.stdout.on("error", (error: Error & { readonly code?: string }) => {
    if (error.code !== "EPIPE") process.exit(unwritable(error));
  });
}

/** Reports are written where their errors are caught: what is full is standard output, or the disk of temporary files. */
function isFull(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === "ENOSPC";
}

function noSpace(error: unknown): number {
  // Errors of files name the call that failed; Deno's of standard output name none.
  if ((error as { syscall?: string }).syscall === undefined) return unwritable(error);
  say(`a temporary file cannot be written: ${reasonOf(error)}`);
  return ExitStatus.failed;
}

function unwritable(error: unknown): number {
  say(`standard output cannot be written: ${reasonOf(error)}`);
  return ExitStatus.failed;
}

function badInput(message: string): number {
  say(message.replaceAll(/\s*\n\s*/g, " "));
  return ExitStatus.badInput;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
