import process from "node:process";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { wrapLines } from "./wrap_lines.ts";

/** Says something on standard error, on one line. */
export function say(sentence: string): void {
  console.error(wrapLines(`dpcheck: ${quoteFor("terminal", sentence)}`, process.stderr.columns));
}
