import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import type { ColumnDescription } from "../../lib/dp/learners/erm/files/column_description.ts";
import { isTableFile, readTableFile, type TableFile } from "../../lib/dp/schema/table_file.ts";
import { say } from "./say.ts";
import { BadInput, reading } from "./bad_input.ts";
import { readJsonFile } from "./read_json_file.ts";
import { readRowDescription, type RowDescription } from "./visit_encoded_rows.ts";

/** A file that says what is public of a table, and the option that names it. */
export interface NamedSchema {
  readonly option: string;
  readonly file: string;
}

/** Reads a schema of a table. @throws {BadInput} naming the option; of a list of columns, with the words that it is written in now. */
export async function readSchemaFile({ option, file }: NamedSchema): Promise<TableFile> {
  const json = await readJsonFile(option, file);
  if (Array.isArray((json as { readonly columns?: unknown } | null)?.columns)) {
    throw new BadInput(`${option} ${file}: columns must be by name: ${NEW_WORDS}`);
  }
  return reading(option, file, () => readTableFile(json));
}

/** Returns the relation between rows, or those of persons, that a schema hides, and the column of persons where it names one. */
export function protectedBy({ unit, relation }: TableFile): {
  readonly relation: Relation;
  readonly person: string | undefined;
} {
  return {
    relation: relation === "replace-one" ? replaceOne : addRemoveOne,
    person: typeof unit === "object" ? unit.person : undefined,
  };
}

/**
 * Reads what learners know of rows: a schema of a table, numbered features, or the list of columns of former versions, of which a line says the new words.
 *
 * @param label the column of classes, where an option names it.
 */
export async function readFeatures(
  { option, file, label }: NamedSchema & { readonly label?: string | undefined },
): Promise<RowDescription> {
  const json = await readJsonFile(option, file);
  const isList = Array.isArray((json as { readonly columns?: unknown } | null)?.columns);
  if (isList) say(`${option} ${file} has the words of a former version: ${NEW_WORDS}`);
  const given = label !== undefined && isTableFile(json) ? { ...(json as object), label } : json;
  return reading(option, file, () => readRowDescription(given));
}

const NEW_WORDS =
  'write {"columns": {"age": {"type": "number", "lower": 0, "upper": 120, "step": 1}}, "label": "ill"}, ' +
  "with lower for min, upper for max, step 1 for whole, and the label a category among the columns";

/** The columns of a description, without features that are numbered. @throws {BadInput} naming the option. */
export function requireColumns(
  { option, file }: NamedSchema,
  description: RowDescription,
): ColumnDescription {
  if ("columns" in description) return description;
  throw new BadInput(`${option} ${file} must declare columns: it has numbered features`);
}
