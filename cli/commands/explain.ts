import type { Command } from "commander";
import process from "node:process";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { BadInput } from "../options/bad_input.ts";
import { ERROR_CODES } from "../output/error_codes.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { wrapLines } from "../options/wrap_lines.ts";

/** Defines `dpcheck explain`. */
export function defineExplain(command: Command, done: Done): void {
  command
    .argument("[CODE]", "the code in brackets behind an error; without it all codes are listed")
    .action((code: string | undefined) => {
      for (const line of code === undefined ? listed() : explained(code)) {
        console.log(wrapLines(line, process.stdout.columns));
      }
      done(ExitStatus.notRefuted);
    });
}

function listed(): string[] {
  const widest = Math.max(...ERROR_CODES.map(({ code }) => code.length));
  return ERROR_CODES.map(({ code, when }) => `${code.padEnd(widest)}  ${withoutLinks(when)}`)
    .sort();
}

function explained(asked: string): string[] {
  const code = asked.replaceAll(/[[\]]/g, "");
  const kind = ERROR_CODES.find((each) => each.code === code);
  if (kind === undefined) {
    const codes = ERROR_CODES.map((each) => each.code);
    throw new BadInput(
      `${asked} is not known${closestName(code, codes) || ": dpcheck explain lists all codes"}`,
    );
  }
  return [
    `${kind.code}: when ${withoutLinks(kind.when)}. Exit status ${kind.status}.`,
    `Such as: ${kind.example}`,
    withoutLinks(kind.remedy),
  ];
}

/** Markdown as it is read in a terminal. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\((?:\.\.\/)?([^)]*)\)/g, "$1: docs/$2").replaceAll(
    "`",
    "",
  );
}
