import { bareJson } from "../../../core/text/bare_json.ts";
import type { RowSpec } from "../../../core/relations/dataset.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { isTextOf } from "../../../core/relations/text_rows.ts";
import { cornerTexts, randomText } from "./text_values.ts";

/** Returns a random index below `n`. */
export function pickIndex(source: Source, n: number): number {
  return Math.min(n - 1, Math.floor(source.uniform() * n));
}

/** Returns a random item. */
export function pick<T>(source: Source, items: readonly T[]): T {
  return items[pickIndex(source, items.length)]!;
}

/** The probability that a random row is null, where it may be. */
const MISSING = 1 / 8;

/**
 * Returns values of a row that break mechanisms, the most likely first: bounds, NaN and infinities, 0, ±1 and the middle, one field or
 * place at a time. The first two are ordinary; then comes null, where rows may be missing.
 */
export function cornerRows(spec: RowSpec): unknown[] {
  const rows = cornersOf(spec);
  return spec.missing === true ? [...new Set([...rows.slice(0, 2), null, ...rows.slice(2)])] : rows;
}

function cornersOf(spec: RowSpec): unknown[] {
  switch (spec.type) {
    case "number":
    case "integer": {
      const middle = (spec.min + spec.max) / 2;
      const { nan, infinite } = spec as { nan?: boolean; infinite?: boolean };
      const wanted = [
        spec.min,
        spec.max,
        ...nan === true ? [NaN] : [],
        ...infinite === true ? [Infinity, -Infinity] : [],
        0,
        1,
        -1,
        spec.type === "integer" ? Math.round(middle) : middle,
      ];
      return [...new Set(wanted)].filter((x) => isRow(spec, x));
    }
    case "boolean":
      return [false, true];
    case "category":
      return [...spec.values];
    case "text":
      return cornerTexts(spec);
    case "vector": {
      const corners = cornerRows(spec.of);
      const constant = corners.map((value) => Array.from({ length: spec.length }, () => value));
      const single = corners.slice(0, 2).flatMap((value) =>
        Array.from(
          { length: Math.min(spec.length, 4) },
          (_, place) =>
            Array.from({ length: spec.length }, (_, i) => i === place ? value : zeroOf(spec.of)),
        )
      );
      return distinct([...single, ...constant].map((row) => withinNorm(row, spec.norm)));
    }
    case "record": {
      const fields = Object.entries(spec.fields);
      const corners = fields.map(([, field]) => cornerRows(field));
      const base = (k: number): unknown =>
        Object.fromEntries(fields.map(([key], f) => [key, corners[f]![k % corners[f]!.length]]));
      const single = fields.flatMap(([key], f) =>
        corners[f]!.slice(1).map((value) => ({ ...(base(0) as object), [key]: value }))
      );
      return distinct([base(0), base(1), ...single]);
    }
  }
}

/** Returns a random row; its numbers are corner values with probability ½, uniform otherwise. */
export function randomRow(spec: RowSpec, source: Source): unknown {
  if (spec.missing === true && source.uniform() < MISSING) return null;
  switch (spec.type) {
    case "number":
    case "integer": {
      if (source.uniform() < 0.5) return pick(source, cornerRows(spec));
      const x = spec.min + source.uniform() * (spec.max - spec.min);
      return spec.type === "integer" ? Math.min(spec.max, Math.max(spec.min, Math.round(x))) : x;
    }
    case "boolean":
      return source.uniform() < 0.5;
    case "category":
      return pick(source, spec.values);
    case "text":
      return source.uniform() < 0.5
        ? pick(source, cornerRows(spec))
        : randomText(spec, (n) => pickIndex(source, n));
    case "vector":
      return withinNorm(
        Array.from({ length: spec.length }, () => randomRow(spec.of, source)),
        spec.norm,
      );
    case "record":
      return Object.fromEntries(
        Object.entries(spec.fields).map(([key, field]) => [key, randomRow(field, source)]),
      );
  }
}

/** Returns true if the specification allows a row. */
export function isRow(spec: RowSpec, row: unknown): boolean {
  if (row === null && spec.missing === true) return true;
  switch (spec.type) {
    case "number":
      if (typeof row !== "number") return false;
      if (Number.isNaN(row)) return spec.nan === true;
      return row >= spec.min && row <= spec.max ||
        spec.infinite === true && !Number.isFinite(row);
    case "integer":
      return Number.isInteger(row) && (row as number) >= spec.min && (row as number) <= spec.max;
    case "boolean":
      return typeof row === "boolean";
    case "category":
      return spec.values.some((value) => Object.is(value, row));
    case "text":
      return isTextOf(spec.length, row);
    case "vector":
      return Array.isArray(row) && row.length === spec.length &&
        row.every((value) => isRow(spec.of, value)) &&
        (spec.norm === undefined || normOf(row) <= spec.norm * (1 + 1e-12));
    case "record":
      return typeof row === "object" && row !== null &&
        Object.entries(spec.fields).every(([key, field]) =>
          isRow(field, (row as Record<string, unknown>)[key])
        );
  }
}

/** Returns true if a value is null, or a number that is not finite. */
export function isSpecial(value: unknown): boolean {
  return value === null || typeof value === "number" && !Number.isFinite(value);
}

function zeroOf(spec: RowSpec): unknown {
  const corners = cornerRows(spec);
  return corners.find((value) => value === 0) ?? corners[0];
}

function normOf(row: readonly unknown[]): number {
  return Math.hypot(...row.map(Number));
}

/** Returns a vector, scaled down to a norm if it is longer. */
export function withinNorm(row: unknown[], norm: number | undefined): unknown[] {
  if (norm === undefined) return row;
  const size = normOf(row);
  return size <= norm ? row : row.map((value) => (Number(value) * norm) / size);
}

function distinct(rows: unknown[]): unknown[] {
  return [...new Map(rows.map((row) => [bareJson(row), row])).values()];
}
