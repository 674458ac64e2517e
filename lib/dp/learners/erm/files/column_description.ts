import { requireFields } from "../../../../core/numeric/require.ts";
import { z } from "zod";

const numberColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("number"),
  min: z.number(),
  max: z.number(),
  scale: z.enum(["linear", "log"]).default("linear"),
  missing: z.number().optional(),
  whole: z.boolean().optional(),
  edges: z.array(z.number()).optional(),
}).refine(({ min, max }) => min < max, { message: "min must be below max" })
  .refine(({ min, max }) => max - min < Infinity, { message: "max - min must be finite" })
  .refine(({ min, max, whole }) => !whole || Math.ceil(min) <= max, {
    message: "there must be a whole number from min to max",
  })
  .refine(
    ({ min, max, edges = [] }) =>
      edges.every((edge, i) => edge > (edges[i - 1] ?? min) && edge < max),
    { message: "edges must ascend between min and max" },
  );

const categoryColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("category"),
  values: z.array(z.string()).min(1),
  missing: z.string().optional(),
  unseen: z.string().optional(),
}).refine(({ values }) => new Set(values).size === values.length, {
  message: "values must all be different",
}).refine(
  ({ values, missing, unseen }) =>
    [missing, unseen].every((value) => value === undefined || values.includes(value)),
  { message: "missing and unseen must be among the values" },
);

const label = z.strictObject({
  name: z.string().min(1),
  classes: z.array(z.string()).min(2),
});

/** A column as JSON. */
export const columnSchema: z.ZodType<NumberColumn | CategoryColumn> = z.discriminatedUnion(
  "type",
  [numberColumn, categoryColumn],
);

const tableSchema = z.strictObject({
  columns: z.array(columnSchema).min(1),
  label: label.optional(),
}).refine(({ columns }) => new Set(columns.map(({ name }) => name)).size === columns.length, {
  message: "columns must have different names",
});

const featureSchema = z.strictObject({
  features: z.number().int().positive().max(2 ** 31 - 1),
  label: label.optional(),
});

/**
 * Contents of the columns of a table, declared and not learned: bounds of numbers, values of categories,
 * classes of the label. Columns of the table that are not named are not used.
 */
export interface ColumnDescription {
  /** The columns that become features, in this order. */
  readonly columns: readonly (NumberColumn | CategoryColumn)[];
  /** The column of classes and the classes: for two, [negative, positive]. */
  readonly label?: LabelColumn | undefined;
}

/** Contents of a file of numbered features, such as LIBSVM's: the number of features, and the classes. */
export interface FeatureDescription {
  /** Features are numbered from 1 to this. */
  readonly features: number;
  /** The classes: for two, [negative, positive]; the name is free. */
  readonly label?: LabelColumn | undefined;
}

/** The classes of rows. */
export interface LabelColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** The classes that may occur. */
  readonly classes: readonly string[];
}

/** A column of numbers: clipped to [min, max], then scaled to [0, 1]. */
export interface NumberColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** A number. */
  readonly type: "number";
  /** Declared lower bound. */
  readonly min: number;
  /** Declared upper bound, above `min`. */
  readonly max: number;
  /** `"log"` for heavy tails: by ln(1 + x − min). Default in files: linear. */
  readonly scale: "linear" | "log";
  /** If true, synthetic rows have whole numbers in this column. */
  readonly whole?: boolean | undefined;
  /** Lower edges of the bins of synthetic rows, besides `min`: ascending, between the bounds. */
  readonly edges?: readonly number[] | undefined;
  /** The number that stands for one that is missing, or no number. Default: `min`, whose feature is 0. */
  readonly missing?: number | undefined;
}

/** A column of categories: becomes one feature a value. */
export interface CategoryColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** One of `values`. */
  readonly type: "category";
  /** The values that may occur, declared. */
  readonly values: readonly string[];
  /** Which of them stands for one that is missing. Without it, all features of such a cell are 0. */
  readonly missing?: string | undefined;
  /** Which of them stands for every value that is not declared. Without it, all features of such a cell are 0. */
  readonly unseen?: string | undefined;
}

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

function checked<Value>(parsed: z.ZodSafeParseResult<Value>): Value {
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new TypeError(
    `Cannot read the column description: ${path.join(".") || "the file"} is wrong: ${message}`,
  );
}

/** Returns the number of features that the described columns make: one for each number, one for each value of a category. */
export function featureCount(options: ColumnDescription): number {
  const { columns } = requireFields("featureCount", options, { columns: "list", label: "record?" });
  return columns.reduce((sum, each) => sum + (each.type === "number" ? 1 : each.values.length), 0);
}
