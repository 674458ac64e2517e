import { textOf } from "../kernel/text_of.ts";

/** The most characters of a dataset that a message shows. */
const LIMIT = 80;

/** Returns a dataset as JSON for a message, cut to 80 characters. It is a dataset made up or given for an audit: no person's data. */
export function shownDataset(data: unknown): string {
  const text = textOf(data);
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}…`;
}

/** Returns one dataset or two, as in `the datasets [0] and [1]`. */
export function shownDatasets([one, other = one]: readonly unknown[]): string {
  return one === other
    ? `the dataset ${shownDataset(one)}`
    : `one of the datasets ${shownDataset(one)} and ${shownDataset(other)}`;
}
