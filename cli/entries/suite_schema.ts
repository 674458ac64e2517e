import { tableFileJsonSchema } from "../../lib/dp/schema/table_file.ts";
import { z } from "zod";
import {
  entryOf,
  type NamesWith,
  namesWith,
  type OPTIONS,
  type SuiteType,
} from "../options/option_table.ts";

const positive = z.number().positive();
const TYPES = {
  "text": z.string(),
  "texts": z.array(z.string()),
  "two texts": z.tuple([z.string(), z.string()]),
  "flag": z.boolean(),
  "integer": z.int(),
  "count": z.int().positive(),
  positive,
  "above one": z.number().gt(1),
  "below one": z.number().min(0).lt(1),
  "json": z.json(),
  "json list": z.array(z.json()),
} as const satisfies Record<SuiteType, z.ZodType>;

type OptionFields = {
  [Name in NamesWith<"suite">]: z.ZodOptional<
    (typeof TYPES)[(typeof OPTIONS)[Name]["suite"]["type"]]
  >;
};

const optionFields = Object.fromEntries(
  namesWith("suite").map((name) => {
    const { type, text } = entryOf(name).suite!;
    return [name, TYPES[type].optional().describe(text)];
  }),
) as OptionFields;

/** One audit of a suite: the options of `dpcheck audit` by their names, and what the suite needs to know. */
export const suiteEntry = z.strictObject({
  name: z.string().min(1).describe("what reports call this audit; each name stands once"),
  ...optionFields,
  files: z.array(z.string()).optional().describe("further files that the subject is made of"),
  expect: z.enum(["not-refuted", "refuted"]).optional()
    .describe("the verdict that is right (default: not-refuted)"),
  share: positive.optional().describe("share of α, relative to the others (default: 1)"),
});

/** A suite file. */
export const suiteFile = z.strictObject({
  $schema: z.string().optional().describe("where this schema is, for editors"),
  alpha: z.number().gt(0).lt(1).optional().describe("error over the whole suite (default: 0.01)"),
  error: z.enum(["family-wise", "false-discovery-rate"]).optional()
    .describe("what alpha bounds (default: family-wise)"),
  audits: z.array(suiteEntry).min(1).describe("the audits"),
});

/** One audit of a suite. */
export type SuiteEntry = z.infer<typeof suiteEntry>;
/** A suite. */
export type Suite = z.infer<typeof suiteFile>;

/** The JSON Schema of suite files, as text. */
export function suiteSchemaText(): string {
  return JSON.stringify(z.toJSONSchema(suiteFile), null, 2) + "\n";
}

/** The JSON Schema of schemas of tables, as text: docs/table.schema.json. */
export function tableSchemaText(): string {
  return JSON.stringify(tableFileJsonSchema(), null, 2) + "\n";
}
