import type { RowSpec } from "../../core/dataset.ts";
import type { Source } from "../../core/source.ts";

/** A random index below `n`. */
export function pickIndex(source: Source, n: number): number {
  return Math.min(n - 1, Math.floor(source.uniform() * n));
}

/** A random item. */
export function pick<T>(source: Source, items: readonly T[]): T {
  return items[pickIndex(source, items.length)]!;
}

/** Values of a row that break mechanisms, the most likely first: bounds, 0, ±1 and the middle, one field or place at a time. */
export function cornerRows(spec: RowSpec): unknown[] {
  switch (spec.type) {
    case "number":
    case "integer": {
      const middle = (spec.min + spec.max) / 2;
      const wanted = [
        spec.min,
        spec.max,
        0,
        1,
        -1,
        spec.type === "integer" ? Math.round(middle) : middle,
      ];
      return [...new Set(wanted)].filter((x) => x >= spec.min && x <= spec.max);
    }
    case "boolean":
      return [false, true];
    case "category":
      return [...spec.values];
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

/** A random row; its numbers are corner values with probability ½, uniform otherwise. */
export function randomRow(spec: RowSpec, source: Source): unknown {
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

/** Whether the specification allows a row. */
export function isRow(spec: RowSpec, row: unknown): boolean {
  switch (spec.type) {
    case "number":
    case "integer":
      return typeof row === "number" && row >= spec.min && row <= spec.max &&
        (spec.type === "number" || Number.isInteger(row));
    case "boolean":
      return typeof row === "boolean";
    case "category":
      return spec.values.some((value) => Object.is(value, row));
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

function zeroOf(spec: RowSpec): unknown {
  const corners = cornerRows(spec);
  return corners.find((value) => value === 0) ?? corners[0];
}

function normOf(row: readonly unknown[]): number {
  return Math.hypot(...row.map(Number));
}

export function withinNorm(row: unknown[], norm: number | undefined): unknown[] {
  if (norm === undefined) return row;
  const size = normOf(row);
  return size <= norm ? row : row.map((value) => (Number(value) * norm) / size);
}

function distinct(rows: unknown[]): unknown[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}
