import process from "node:process";

/** The version of dpcheck that reports name. */
export const VERSION = "0.1.0";

/** Returns the versions of dpcheck and of the runtime: of Deno, or else of Node. */
export function versions(): Record<string, string> {
  const { deno, node } = process.versions as Record<string, string>;
  return { dpcheck: VERSION, ...(deno === undefined ? { node: node! } : { deno }) };
}
