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

/** One dataset or two, as in `the datasets [0] and [1]`. */
export function shownDatasets([one, other = one]: readonly unknown[]): string {
  return one === other
    ? `the dataset ${shownDataset(one)}`
    : `one of the datasets ${shownDataset(one)} and ${shownDataset(other)}`;
}
