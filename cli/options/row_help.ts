import type { RowSpec } from "../../lib/core/relations/dataset.ts";

/** Examples for help: one of each kind, and one with NaN, infinities and missing values. */
export const ROW_EXAMPLES: readonly RowSpec[] = [
  { type: "number", min: 0, max: 1 },
  { type: "integer", min: 0, max: 120 },
  { type: "boolean" },
  { type: "category", values: ["red", "green", 3, null] },
  { type: "text", length: "0..8", values: ["red", "green"] },
  { type: "vector", length: 2, of: { type: "number", min: -1, max: 1 }, norm: 1 },
  {
    type: "record",
    fields: { age: { type: "integer", min: 0, max: 120 }, ill: { type: "boolean" } },
  },
  { type: "number", min: 0, max: 1, nan: true, infinite: true, missing: true },
];

/** These examples as lines of a help text, one field of a record a line. */
export const ROW_HELP: string = ROW_EXAMPLES
  .map((spec) => `  ${JSON.stringify(spec).replaceAll(/(?<=}),(?="\w+":{)/g, ",\n   ")}`)
  .join("\n");
