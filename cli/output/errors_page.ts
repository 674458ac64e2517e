import { ERROR_CODES, type ErrorCode } from "./error_codes.ts";

const INTRODUCTION = `# Errors

A command that cannot do what it was asked for says so in one line on standard error, with the code of its kind in brackets, and \`dpcheck explain CODE\` prints
what is said here. Exit status 2 means that the command or a file was wrong, and nothing was run or written; 3 that the program under audit failed; 4 that a run could not tell. Rows of data are never shown.

\`\`\`text
dpcheck: --mechanism laplce is not known; did you mean laplace? [name-not-known]
\`\`\`

Functions of the library throw a \`RangeError\` or \`TypeError\` that reads "Cannot ACT: NAME must …: current value is …": it names the function that refused, the
option, the rule, and what was given. A failed assertion of \`@dpcheck/dpcheck/testing\` is an \`AssertionError\` with the whole report: that is a verdict and no error
([verdicts](verdicts.md)).
`;

/** `docs/errors.md`: every kind of error with its remedy. */
export function errorsPage(): string {
  const byCode = ERROR_CODES.toSorted((a, b) => a.code < b.code ? -1 : 1);
  return `${INTRODUCTION}\n${byCode.map(sectionOf).join("\n")}`;
}

function sectionOf({ code, when, remedy, example, status }: ErrorCode): string {
  return `## ${code}\n\nWhen ${when}. Exit status ${status}.\n\n` +
    `\`\`\`text\ndpcheck: ${example} [${code}]\n\`\`\`\n\n${remedy}\n`;
}
