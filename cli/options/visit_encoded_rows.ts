import {
  type ColumnDescription,
  featureCount,
  type FeatureDescription,
  type LabelColumn,
} from "../../lib/dp/learners/erm/files/column_description.ts";
import {
  readColumnDescription,
  readFeatureDescription,
} from "../../lib/dp/learners/erm/files/read_column_description.ts";
import { encodeTable, readLabelColumn } from "../../lib/dp/learners/erm/files/column_encoder.ts";
import { readFeatureLines } from "../../lib/dp/learners/erm/files/feature_lines.ts";
import type { Rows } from "../../lib/dp/learners/erm/rows/rows.ts";
import { fileLines } from "../../lib/dp/tables/file_lines.ts";
import { BadInput, reading } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";
import { type NamedFile, visitTable } from "./visit_table.ts";

/** Description of a file of rows: columns of a table, or numbered features. */
export type RowDescription = ColumnDescription | FeatureDescription;

/** Checks a description of either kind. @throws {TypeError} naming the part that is wrong. */
export function readRowDescription(json: unknown): RowDescription {
  const ofFeatures = typeof json === "object" && json !== null && "features" in json;
  return ofFeatures ? readFeatureDescription(json) : readColumnDescription(json);
}

/** Number of features of a row with this description. */
export function columnCountOf(description: RowDescription): number {
  return "features" in description ? description.features : featureCount(description);
}

/** Some rows of a file, in their order; `labels` are places in the classes, where classes are asked for: the first where a row has none of them. */
export type VisitEncodedRows = (rows: Rows, labels: readonly number[]) => void;

/**
 * Reads a file part by part and encodes its rows: numbered features where the description says so, else a table.
 *
 * @param label the column of classes, where labels are wanted.
 * @throws {BadInput} naming the option, where the file cannot be read or lacks a column; never for what a row holds.
 */
export async function visitEncodedRows(
  named: NamedFile,
  { description, label }: {
    readonly description: RowDescription;
    readonly label?: LabelColumn | undefined;
  },
  each: VisitEncodedRows,
): Promise<void> {
  const places = new Map(label?.classes.map((name, place) => [name, place]));
  const placesOf = (labels: readonly string[]): number[] =>
    labels.map((name) => places.get(name) ?? 0);
  await reading(
    named.option,
    named.file,
    () =>
      "features" in description
        ? visitLines(named, (lines) => {
          const { rows, labels } = readFeatureLines(lines, description);
          each(rows, label === undefined ? [] : placesOf(labels));
        })
        : visitTable({ ...named, delimiter: description.delimiter }, (part) => {
          const labels = label === undefined ? [] : readLabelColumn(part, label);
          each(encodeTable(part, description), placesOf(labels));
        }),
  );
}

/** Visits the lines of a file of features but those that are blank or a comment; one that is too long is a row without features. */
async function visitLines(
  { option, file }: NamedFile,
  each: (lines: readonly string[]) => void,
): Promise<void> {
  const parts = fileLines(file)[Symbol.asyncIterator]();
  const next = () =>
    parts.next().catch((error) => {
      throw new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`);
    });
  try {
    for (let part = await next(); part.done !== true; part = await next()) {
      const lines = part.value.map((line) => line ?? NO_FEATURES);
      each(lines.filter((line) => line.replace(/#[^]*/, "").trim() !== ""));
    }
  } finally {
    await parts.return(undefined);
  }
}

/** Placeholder for a line that is too long: a row without features. */
const NO_FEATURES = ":";
