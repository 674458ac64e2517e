import { brokenRule } from "../../../../core/text/broken_rule.ts";
import type { ZodSafeParseResult } from "zod";
import type { ColumnDescription, FeatureDescription } from "./column_description.ts";
import { featureSchema, tableSchema } from "./column_schema.ts";

/**
 * Checks a description of the columns of a table.
 *
 * @throws {TypeError} naming the part that is wrong.
 */
export function readColumnDescription(json: unknown): ColumnDescription {
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
