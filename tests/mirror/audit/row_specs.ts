import * as fc from "fast-check";
import type { RowSpec } from "../../../lib/core/dataset.ts";

const bounds = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 15 }));

/** Specifications of rows of every type, vectors and records nested one or two deep. */
export const { rowSpec } = fc.letrec<{ rowSpec: RowSpec }>((tie) => ({
  rowSpec: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    bounds.map(([min, span]): RowSpec => ({ type: "number", min: min / 4, max: min / 4 + span })),
    bounds.map(([min, span]): RowSpec => ({ type: "integer", min, max: min + span })),
    fc.constant<RowSpec>({ type: "boolean" }),
    fc.constant<RowSpec>({ type: "category", values: ["a", "b", 3, null, true] }),
    fc.record({
      length: fc.integer({ min: 1, max: 4 }),
      bound: fc.integer({ min: 1, max: 3 }),
      norm: fc.constantFrom(undefined, 1, 2),
    }).map(({ length, bound, norm }): RowSpec => ({
      type: "vector",
      length,
      of: { type: "number", min: -bound, max: bound },
      ...(norm === undefined ? {} : { norm }),
    })),
    fc.dictionary(fc.constantFrom("age", "sex", "income"), tie("rowSpec"), { minKeys: 1 })
      .map((fields): RowSpec => ({ type: "record", fields })),
  ),
}));

/** Whether a row is what a specification says, written apart from the code under test. */
export function isRowOf(spec: RowSpec, row: unknown): boolean {
  if (spec.type === "boolean") return row === true || row === false;
  if (spec.type === "category") return spec.values.includes(row as string);
  if (spec.type === "record") {
    const own = row as Record<string, unknown>;
    return Object.keys(spec.fields).sort().join() === Object.keys(own).sort().join() &&
      Object.entries(spec.fields).every(([key, field]) => isRowOf(field, own[key]));
  }
  if (spec.type === "vector") {
    const own = row as number[];
    const length = Math.sqrt(own.reduce((sum, x) => sum + x * x, 0));
    return own.length === spec.length && own.every((x) => isRowOf(spec.of, x)) &&
      length <= (spec.norm ?? Infinity) * (1 + 1e-9);
  }
  return typeof row === "number" && row >= spec.min && row <= spec.max &&
    (spec.type === "number" || row % 1 === 0);
}
