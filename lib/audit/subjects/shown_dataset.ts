import { textOf } from "./text_of.ts";

const LIMIT = 80;

/**
 * A dataset in a message, as JSON, cut where it is long. It is one that the auditor made up, or that it was
 * given to try: nobody's data.
 */
export function shownDataset(data: unknown): string {
  const text = textOf(data);
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}…`;
}
