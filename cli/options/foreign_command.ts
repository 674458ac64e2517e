import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { AuditArguments } from "./command_options.ts";
import { type NamesWith, namesWith, OPTIONS } from "./option_table.ts";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { BadInput } from "./bad_input.ts";
import { say } from "./say.ts";

/** Options that name code of somebody else, or where it runs. */
export const FOREIGN = namesWith("subject").filter(isForeign);

function isForeign(name: SubjectName): name is ForeignName {
  return OPTIONS[name].subject === "foreign";
}

type SubjectName = NamesWith<"subject">;
type ForeignName = {
  [Name in SubjectName]: (typeof OPTIONS)[Name]["subject"] extends "foreign" ? Name : never;
}[SubjectName];

/** Says what is about to run, where a file named it and not the command line. */
export function sayWhatRuns(file: string, options: AuditArguments): void {
  const shown = shownSubject(options);
  if (shown !== undefined && !options.quiet) say(`${file} runs ${shown}`);
}

/** The option that names foreign code to run, with its value; `undefined` if the audit runs none. */
export function shownSubject(options: AuditArguments): string | undefined {
  const name = FOREIGN.find((name) => options[name] !== undefined);
  return name && `--${name} ${JSON.stringify(options[name])}`;
}

/**
 * Asks at the terminal whether what `statement` says may be done, unless `yes` says so already.
 *
 * @throws {BadInput} when it may not, or there is no terminal to ask at.
 */
export async function confirmedByUser(
  statement: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new BadInput(`${statement}: give it again, or --yes`);
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const shown = quoteFor("terminal", statement);
  const answer = await asking.question(`dpcheck: ${shown}. Go on? [y/N] `);
  asking.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadInput(`${statement}: not confirmed`);
}
