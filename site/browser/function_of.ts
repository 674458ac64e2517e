/** A function of a dataset and a source of randomness. */
export type Mechanism = (data: unknown, source: unknown) => unknown;

/** Name of the code in reports: lines that are named are of this file. */
const FILE = "mechanism.js";
/** The folder that lines are relative to. */
export const FOLDER = "file:///";

/**
 * The function of a text: a single function, or several statements among which one declares `mechanism`. It is for the worker of the
 * sandbox alone, where code of others has no network.
 *
 * @throws {TypeError} when there is no function; and what the text itself throws.
 */
export function functionOf(code: string): Mechanism {
  const evaluate = (text: string): unknown =>
    globalThis.eval(`${text}\n//# sourceURL=${FOLDER}${FILE}`);
  let found: unknown;
  try {
    found = evaluate(`(${code}\n)`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const named = "typeof mechanism === 'undefined' ? undefined : mechanism";
    found = evaluate(`(() => { ${code}\n;return ${named}; })()`);
  }
  if (typeof found !== "function") {
    throw new TypeError("The code must be one function, or declare one that is named mechanism.");
  }
  return found as Mechanism;
}

/** The line of an error in the code, counted from 1; `undefined` where its stack names none. */
export function lineOf(error: unknown): number | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  const line = new RegExp(`${FILE.replace(".", "\\.")}:(\\d+)`).exec(stack)?.[1];
  return line === undefined ? undefined : Number(line);
}
