import * as fc from "fast-check";
import type { RowSpec } from "../../../lib/core/relations/dataset.ts";

const bounds = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 15 }));

/** Specifications of rows of every type, vectors and records nested one or two deep. */
export const { rowSpec } = fc.letrec<{ rowSpec: RowSpec; anyRow: RowSpec }>((tie) => ({
  rowSpec: fc.tuple(tie("anyRow"), fc.boolean())
    .map(([spec, missing]) => missing ? { ...spec, missing } : spec),
  anyRow: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    bounds.map(([min, span]): RowSpec => ({ type: "number", min: min / 4, max: min / 4 + span })),
    fc.tuple(fc.boolean(), fc.boolean())
      .map(([nan, infinite]): RowSpec => ({ type: "number", min: -1, max: 2, nan, infinite })),
    bounds.map(([min, span]): RowSpec => ({ type: "integer", min, max: min + span })),
    fc.constantFrom<RowSpec>(
      { type: "text", length: "0..8", values: ["", "red"] },
      { type: "text", length: "2..3" },
      { type: "text", length: "1", values: ["\u{1f600}"] },
    ),
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
  if (row === null && spec.missing) return true;
  if (spec.type === "text") {
    const [min, max = min] = spec.length.split("..").map(Number);
    return typeof row === "string" && Array.from(row).length >= min! &&
      Array.from(row).length <= max!;
  }
  if (spec.type === "number" && Number.isNaN(row)) return spec.nan === true;
  if (spec.type === "number" && (row === Infinity || row === -Infinity)) {
    return spec.infinite === true;
  }
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
