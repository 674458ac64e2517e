import { z } from "zod";
import { brokenRule } from "../../lib/core/text/broken_rule.ts";
import { closestName } from "../../lib/core/text/closest_name.ts";
import type { RowSpec } from "../../lib/core/relations/dataset.ts";
import {
  isTextOf,
  mayHaveNorm,
  NORM_RULE,
  TEXT_LENGTH_RULE,
  TEXT_VALUES_RULE,
  textLengths,
} from "../../lib/core/relations/text_rows.ts";
import { rowsOfTable } from "../../lib/dp/schema/rows_of_table.ts";
import { isTableFile, readTableFile } from "../../lib/dp/schema/table_file.ts";
import { ROW_EXAMPLES } from "./row_help.ts";

const flag = z.boolean().exactOptional();
const missing = { missing: flag };
const bounds = { min: z.number(), max: z.number() };
const inOrder = { message: "min must be at most max", path: ["min"] };

const rowSpec: z.ZodType<RowSpec> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("number"), ...bounds, nan: flag, infinite: flag, ...missing })
      .refine(({ min, max }) => min <= max, inOrder),
    z.strictObject({ type: z.literal("integer"), min: z.int(), max: z.int(), ...missing })
      .refine(({ min, max }) => min <= max, inOrder),
    z.strictObject({ type: z.literal("boolean"), ...missing }),
    z.strictObject({
      type: z.literal("category"),
      values: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).min(1),
      ...missing,
    }),
    z.strictObject({
      type: z.literal("text"),
      length: z.string().refine((length) => textLengths(length) !== undefined, {
        message: `must ${TEXT_LENGTH_RULE}`,
        abort: true,
      }),
      values: z.array(z.string()).exactOptional(),
      ...missing,
    }).refine(
      ({ length, values = [] }) => values.every((text) => isTextOf(length, text)),
      { message: `must ${TEXT_VALUES_RULE}`, path: ["values"] },
    ),
    z.strictObject({
      type: z.literal("vector"),
      length: z.int().min(0),
      of: rowSpec,
      norm: z.number().positive().exactOptional(),
      ...missing,
    }).refine(({ of, norm }) => norm === undefined || mayHaveNorm(of), {
      message: `must ${NORM_RULE}`,
      path: ["norm"],
    }),
    z.strictObject({
      type: z.literal("record"),
      fields: z.record(z.string(), rowSpec),
      ...missing,
    }),
  ])
);

/**
 * Checks the JSON value of `--rows`: a specification, in which bounds are `min` and `max` or `lower` and `upper`, or the schema of a table, with columns by name.
 *
 * @throws {RangeError} naming the place, the rule and the value.
 */
export function parseRowSpec(value: unknown): RowSpec {
  if (isTableFile(value)) return rowsOfTable(readTableFile(value));
  const result = rowSpec.safeParse(inWordsOfRows(value), { reportInput: true });
  if (result.success) return result.data;
  throw new RangeError(problemOf(result.error.issues[0]!));
}

/** A specification in which numbers may be declared as in schemas of tables: `lower` and `upper`, and whole numbers by a `step` of 1. */
function inWordsOfRows(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const spec = value as Record<string, unknown>;
  if (spec.type === "record" && typeof spec.fields === "object" && spec.fields !== null) {
    // Zod would leave it out, and rows without it would be judged.
    if (Object.hasOwn(spec.fields, "__proto__")) {
      throw new RangeError("fields: no field may be named __proto__");
    }
    const fields = Object.entries(spec.fields).map(([name, field]) => [name, inWordsOfRows(field)]);
    return { ...spec, fields: Object.fromEntries(fields) };
  }
  if (spec.type === "vector" && "of" in spec) return { ...spec, of: inWordsOfRows(spec.of) };
  if ((spec.type !== "number" && spec.type !== "integer") || "min" in spec || "max" in spec) {
    return value;
  }
  const { lower, upper, step, ...rest } = spec;
  const isWhole = step === 1 && Number.isInteger(lower) && Number.isInteger(upper);
  return {
    ...rest,
    ...(isWhole && { type: "integer" }),
    ...(step !== undefined && step !== 1 && { step }),
    ...("lower" in spec && { min: lower }),
    ...("upper" in spec && { max: upper }),
  };
}

const KEYS = [
  "type",
  "min",
  "max",
  "nan",
  "infinite",
  "values",
  "length",
  "of",
  "norm",
  "fields",
  "missing",
];

type Issue = z.core.$ZodIssue;

function problemOf(issue: Issue): string {
  const { path, input } = issue;
  const place = path.length === 0 ? "the specification" : path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = KEYS;
    const [key = ""] = issue.keys;
    return `${place}: unknown key ${key}${closestName(key, known)}`;
  }
  if (issue.code === "invalid_union") {
    const types = [...new Set(ROW_EXAMPLES.map(({ type }) => type))];
    const given = (input as { readonly type?: unknown } | null)?.type;
    return `${place} must be one of ${types.join(", ")}: current value is ${JSON.stringify(given)}${
      closestName(String(given), types)
    }`;
  }
  return `${place}: ${brokenRule(issue)}: current value is ${JSON.stringify(input)}`;
}
