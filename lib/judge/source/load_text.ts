import { operations } from "./operations.ts";
import { rewrite } from "./rewrite.ts";
import { type Note, Run } from "./run.ts";
import { beginLoading } from "./runs.ts";

/**
 * Runs a rewritten copy of a text that imports nothing, also where there are no files, and returns the value of one of its names. All that the text
 * changes of what all programs share is an error.
 *
 * @throws {SyntaxError} for a text that is no module, or one that imports or exports.
 * @throws {ChangesLanguage} for a text that changes what all programs share; and what the text itself throws.
 */
export function loadText(
  text: string,
  { file, name }: {
    /** Name of the text in reports. */
    readonly file: string;
    readonly name: string;
  },
): { readonly value: unknown; readonly notes: readonly Note[] } {
  const { code, notes } = rewrite(`${text}\n;export default ${name};`, {
    file,
    operations: "operations",
  });
  // The first and the last statement of the copy are those that no function can have.
  const body = code.replace(/^import (\S+) from "operations";/, "const $1 = operations;")
    .replace(/export default (.*);\s*$/, "return $1;");
  const copy = new Function("operations", `"use strict";\n${body}`);
  const loading = new Run({ keepsLanguage: true });
  for (const { what, at } of notes) loading.note("environment", what, at);
  const end = beginLoading(loading);
  try {
    return { value: copy(operations), notes: loading.notes };
  } finally {
    end();
  }
}
