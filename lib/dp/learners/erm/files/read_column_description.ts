import { brokenRule } from "../../../../core/text/broken_rule.ts";
import type { ZodSafeParseResult } from "zod";
import { isTableFile, readTableFile } from "../../../schema/table_file.ts";
import type { ColumnDescription, FeatureDescription } from "./column_description.ts";
import { descriptionOfTable } from "./description_of_table.ts";
import { featureSchema, tableSchema } from "./column_schema.ts";

/**
 * Checks a description of the columns of a table: as a {@linkcode TableFile}, with columns by name, or in its former words, a list of columns with `name`, `min`, `max` and `whole`.
 *
 * @throws {TypeError} naming the part that is wrong; a RangeError of a column.
 */
export function readColumnDescription(json: unknown): ColumnDescription {
  if (isTableFile(json)) return descriptionOfTable(readTableFile(json));
  return checked(tableSchema.safeParse(json));
}

/**
 * Checks a description of numbered features.
 *
 * @throws {TypeError} naming the part that is wrong.
 */
export function readFeatureDescription(json: unknown): FeatureDescription {
  return checked(featureSchema.safeParse(json));
}

function checked<Value>(parsed: ZodSafeParseResult<Value>): Value {
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new TypeError(
    `Cannot read the column description: ${issue.path.join(".") || "it"} ${brokenRule(issue)}`,
  );
}
