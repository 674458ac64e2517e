/** A row: cells by the names of their columns. What it lacks is missing. */
export type Row = Readonly<Record<string, unknown>>;

/** A cell as a key, or `undefined` where it is missing: text, or the text of a number or a truth value. */
export function keyOf(cell: unknown): string | undefined {
  switch (typeof cell) {
    case "string":
      return cell;
    case "number":
    case "boolean":
    case "bigint":
      return String(cell);
    default:
      return undefined;
  }
}

/** A cell as a number, NaN where it is missing or none: texts of files are read as numbers. */
export function numberOf(cell: unknown): number {
  switch (typeof cell) {
    case "number":
      return cell;
    case "bigint":
      return Number(cell);
    case "string":
      return cell.trim() === "" ? NaN : Number(cell);
    default:
      return NaN;
  }
}
