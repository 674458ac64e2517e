import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  type ColumnDescription,
  featureCount,
  type FeatureDescription,
  type LabelColumn,
  readColumnDescription,
  readFeatureDescription,
} from "../lib/learners/erm/column_description.ts";
import { encodeTable, readLabelColumn } from "../lib/learners/erm/column_encoder.ts";
import { readFeatureLines } from "../lib/learners/erm/feature_lines.ts";
import type { Rows } from "../lib/learners/erm/rows.ts";
import { BadInput, reading } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";
import { type NamedFile, visitTable } from "./visit_table.ts";

/** What a file of rows holds: columns of a table, or numbered features. */
export type RowDescription = ColumnDescription | FeatureDescription;

/** Lines of a file of features that are read at once. */
const LINES = 4096;

/** Checks a description of either kind. @throws {TypeError} naming the part that is wrong. */
export function readRowDescription(json: unknown): RowDescription {
  const ofFeatures = typeof json === "object" && json !== null && "features" in json;
  return ofFeatures ? readFeatureDescription(json) : readColumnDescription(json);
}

/** How many features rows of this description have. */
export function columnCountOf(description: RowDescription): number {
  return "features" in description ? description.features : featureCount(description);
}

/** Some rows of a file, in their order; `labels` are places in the classes, where classes are asked for. */
export type VisitEncodedRows = (rows: Rows, labels: readonly number[]) => void;

/**
 * Reads a file part by part and encodes its rows: numbered features where the description says so, else a table.
 *
 * @param label the column of classes, where labels are wanted.
 * @throws {BadInput} naming the option, and row and column of what is wrong.
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
  await reading(
    named.option,
    named.file,
    () =>
      "features" in description
        ? visitLines(named, (lines, first) => {
          const { rows, labels } = readFeatureLines(lines, description, { first });
          each(rows, label === undefined ? [] : placesOf(labels, { places, first }));
        })
        : visitTable(named, (part, first) => {
          const rows = encodeTable(part, description, { first });
          const labels = label === undefined ? [] : readLabelColumn(part, label, { first });
          each(rows, placesOf(labels, { places, first }));
        }),
  );
}

/** The places of labels among the classes, of rows that follow `first` others. */
function placesOf(
  labels: readonly string[],
  { places, first }: { readonly places: ReadonlyMap<string, number>; readonly first: number },
): number[] {
  return labels.map((name, i) => {
    const place = places.get(name);
    if (place !== undefined) return place;
    throw new RangeError(
      `Cannot read lines of features: row ${first + i + 1}: the label must be one of the classes ${
        JSON.stringify([...places.keys()])
      }`,
    );
  });
}

async function visitLines(
  { option, file }: NamedFile,
  each: (lines: readonly string[], first: number) => void,
): Promise<void> {
  const input = createReadStream(file);
  const failed = new Promise<never>((_, reject) => {
    input.on("error", (error) => {
      reject(new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`));
    });
  });
  const read = async (): Promise<void> => {
    let lines: string[] = [], first = 0;
    const flush = (): void => {
      each(lines, first);
      first += lines.length;
      lines = [];
    };
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.replace(/#.*/, "").trim() === "") continue;
      lines.push(line);
      if (lines.length === LINES) flush();
    }
    if (lines.length > 0 || first === 0) flush();
  };
  try {
    await Promise.race([read(), failed]);
  } finally {
    input.destroy();
  }
}
