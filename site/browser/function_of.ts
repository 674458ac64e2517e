/** A function of a dataset and a source of randomness. */
export type Mechanism = (data: unknown, source: unknown) => unknown;

/** Name of the code in reports: lines that are named are of this file. */
export const FILE = "mechanism.js";
/** Its folder, in stacks. */
const FOLDER = "file:///";

/** Statements of which one gives the function of a text a name: the text is a function, or declares one that is named `mechanism`. */
export function statementsOf(code: string): string {
  try {
    // Asks for nothing but whether it is an expression.
    new Function(`return (${code}\n);`);
    return `const mechanism = (${code}\n);`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return code;
  }
}

/**
 * The function of a text. It is for the worker of the sandbox alone, where code of others has no network.
 *
 * @throws {TypeError} when there is no function; and what the text itself throws.
 */
export function functionOf(code: string): Mechanism {
  const named = "typeof mechanism === 'undefined' ? undefined : mechanism";
  const found: unknown = globalThis.eval(
    `(() => { ${statementsOf(code)}\n;return ${named}; })()\n//# sourceURL=${FOLDER}${FILE}`,
  );
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
