import { z } from "zod";
import type { CategoryColumn, NumberColumn } from "./column_description.ts";

const numberColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("number"),
  min: z.number(),
  max: z.number(),
  scale: z.enum(["linear", "log"]).default("linear"),
  missing: z.number().optional(),
  whole: z.boolean().optional(),
  edges: z.array(z.number()).optional(),
}).refine(({ min, max }) => min < max, { message: "must have a min below its max" })
  .refine(({ min, max }) => max - min < Infinity, { message: "must have a finite max - min" })
  .refine(({ min, max, whole }) => !whole || Math.ceil(min) <= max, {
    message: "must have a whole number from min to max",
  })
  .refine(
    ({ min, max, edges = [] }) =>
      edges.every((edge, i) => edge > (edges[i - 1] ?? min) && edge < max),
    { message: "must have edges that ascend between min and max" },
  );

const categoryColumn = z.strictObject({
  name: z.string().min(1),
  type: z.literal("category"),
  values: z.array(z.string()).min(1),
  missing: z.string().optional(),
  unseen: z.string().optional(),
}).refine(({ values }) => new Set(values).size === values.length, {
  message: "must have values that all differ",
}).refine(
  ({ values, missing, unseen }) =>
    [missing, unseen].every((value) => value === undefined || values.includes(value)),
  { message: "must have missing and unseen among its values" },
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

/** The description of a table as JSON. */
export const tableSchema = z.strictObject({
  columns: z.array(columnSchema).min(1),
  label: label.optional(),
  delimiter: z.string().optional(),
}).refine(({ columns }) => new Set(columns.map(({ name }) => name)).size === columns.length, {
  message: "must have columns of different names",
});

/** The description of numbered features as JSON. */
export const featureSchema = z.strictObject({
  features: z.number().int().positive().max(2 ** 31 - 1),
  label: label.optional(),
});
