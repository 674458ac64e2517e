import type { NeighbourMaker } from "./relation.ts";

/** Whether a row is a record with a field, or a list with a place of this number. */
export function isRowWith(row: unknown, field: string): boolean {
  return typeof row === "object" && row !== null && Object.hasOwn(row, field);
}

/** A field of a row; of a list the item at this place. */
export function fieldOf(row: unknown, field: string): unknown {
  return isRowWith(row, field) ? (row as Record<string, unknown>)[field] : undefined;
}

/** The row with another value in a field. A row without the field stays as it is. */
export function withField(row: unknown, field: string, value: unknown): unknown {
  if (!isRowWith(row, field)) return row;
  return Array.isArray(row) ? row.with(Number(field), value) : { ...row as object, [field]: value };
}

/** A random whole number below `n`. */
export function pickPlace({ uniform }: Pick<NeighbourMaker, "uniform">, n: number): number {
  return Math.min(n - 1, Math.floor(uniform() * n));
}
