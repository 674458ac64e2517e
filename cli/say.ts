import { quoteFor } from "../lib/report/quote_for.ts";

/** Says something on standard error, on one line. */
export function say(sentence: string): void {
  console.error(`dpcheck: ${quoteFor("terminal", sentence)}`);
}
