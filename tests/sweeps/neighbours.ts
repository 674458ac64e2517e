import type { Sides } from "../../proofs/tools/density_ratio.ts";
import type { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { below, chance, pick } from "./draws.ts";

/** How datasets of one kind of rows are made. */
export interface Rows<Row> {
  /** A row of any kind: inner, extreme, outside the bounds. */
  readonly row: (source: SeededSource) => Row;
  /** A row as far from this one as there is, or moved along an axis. Default: any row. */
  readonly opposite?: (source: SeededSource, row: Row) => Row;
  /** The fewest and the most rows of a dataset. */
  readonly size: { readonly min: number; readonly max: number };
}

/**
 * Neighbours by name of relation: datasets of few and many rows, all equal, in two groups or mixed; the
 * row that differs is an extreme of a group, a copy of another row, or anything.
 */
export function neighbours<Row>(
  source: SeededSource,
  { relation, rows: { row, opposite = row, size } }: {
    readonly relation: string;
    readonly rows: Rows<Row>;
  },
): Sides<readonly Row[]> {
  const count = pick(source, [
    size.min,
    Math.min(size.max, size.min + 1),
    size.min + below(source, size.max - size.min + 1),
  ]);
  const [one, other] = [row(source), row(source)];
  const kind = below(source, 4);
  const data = Array.from(
    { length: count },
    (_, i) =>
      kind === 0
        ? one
        : kind === 1
        ? (i % 2 === 0 ? one : other)
        : kind === 2
        ? (i === 0 ? one : other)
        : row(source),
  );
  if (relation === "replace-one") {
    if (data.length === 0) return { left: data, right: data };
    const at = below(source, data.length);
    const from = chance(source, 0.5) ? data[at]! : row(source);
    const to = chance(source, 0.7) ? opposite(source, from) : row(source);
    return { left: data.with(at, from), right: data.with(at, to) };
  }
  const longer = data.length === size.max && data.length > 0
    ? data
    : data.toSpliced(below(source, data.length + 1), 0, chance(source, 0.3) ? one : row(source));
  const shorter = longer.toSpliced(below(source, longer.length), 1);
  return chance(source, 0.5) ? { left: longer, right: shorter } : { left: shorter, right: longer };
}

/** A box that points are brought into. */
export interface Box {
  /** Per coordinate. */
  readonly lower: readonly number[];
  /** Per coordinate. */
  readonly upper: readonly number[];
}

/** Points in a box and around it: corners, axes, the middle, the inside, far outside. */
export function pointsOf(
  { lower, upper }: Box,
  size: Rows<never>["size"],
): Rows<readonly number[]> {
  const middle = lower.map((least, j) => (least + upper[j]!) / 2);
  const row = (source: SeededSource): readonly number[] => {
    const at = below(source, lower.length), high = chance(source, 0.5);
    switch (below(source, 7)) {
      case 0:
        return lower.map((least, j) => high ? upper[j]! : least);
      case 1:
        return lower.map((least, j) => chance(source, 0.5) ? upper[j]! : least);
      case 2:
        return middle;
      case 3:
        return middle.map((value, j) => j !== at ? value : high ? upper[j]! : lower[j]!);
      case 4:
        return lower.map((least, j) => least + (upper[j]! - least) * source.uniform());
      case 5:
        return lower.map((least) =>
          chance(source, 0.5) ? least - 1e9 * (1 + Math.abs(least)) : 1e300
        );
      default:
        return lower.map((least, j) => least + (upper[j]! - least) * 0.999 * (j % 2));
    }
  };
  const opposite = (source: SeededSource, from: readonly number[]): readonly number[] => {
    const at = below(source, lower.length);
    const far = (value: number, j: number): number => value > middle[j]! ? lower[j]! : upper[j]!;
    return chance(source, 0.6)
      ? from.map(far)
      : chance(source, 0.5)
      ? from.map((value, j) => j === at ? far(value, j) : value)
      : row(source);
  };
  return { row, opposite, size };
}

/** Numbers within bounds, at them, and outside. */
export function numbersOf(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  size: Rows<never>["size"],
): Rows<number> {
  const points = pointsOf({ lower: [lower], upper: [upper] }, size);
  return {
    row: (source) => points.row(source)[0]!,
    opposite: (source, from) => points.opposite!(source, [from])[0]!,
    size,
  };
}

/** Values of a list; the opposite of one is another. */
export function valuesOf<Value>(
  values: readonly Value[],
  size: Rows<never>["size"],
): Rows<Value> {
  return { row: (source) => pick(source, values), size };
}
