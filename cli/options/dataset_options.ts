import type { Command } from "commander";
import { jsonValue, sizeValue } from "./option_values.ts";
import { RELATIONS, relationValue } from "./relation_value.ts";

/** What `--rows` does where pairs are searched. */
export const SEARCHED_ROWS: string = "search datasets with rows like this, see below";

/** Adds the options of a pair, or of the datasets among which there are pairs; `rows` says what --rows does. */
export function addDatasetOptions(
  command: Command,
  { rows }: { readonly rows: string },
): Command {
  return command
    .option("--left <JSON>", "one dataset, with --right: any JSON value", jsonValue)
    .option("--right <JSON>", "its neighbour", jsonValue)
    .option("--rows <SPEC>", rows, jsonValue)
    .option("--size <A..B>", "with --rows: from A to B rows, or just A", sizeValue)
    .option(
      "--relation <NAME>",
      `${RELATIONS} (--left and --right are neighbours by your word)`,
      relationValue,
    );
}
