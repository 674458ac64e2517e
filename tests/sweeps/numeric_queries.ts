import fc, { type Arbitrary } from "fast-check";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Sides } from "../../proofs/tools/density_ratio.ts";
import type { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { below, chance, dimensions, rowRelations } from "./draws.ts";
import { neighbours, numbersOf, pointsOf } from "./neighbours.ts";

/** A query whose sensitivity is exactly what it says, in numbers whose sums are exact. */
export interface Query {
  /** Of the mechanism. */
  readonly relation: "replace-one" | "add-remove-one";
  /** Sensitivity: 2^power·(1 + part/1024). */
  readonly power: number;
  /** From 0 to 1023. */
  readonly part: number;
  /** The grid's step is 2^(power − fineness). */
  readonly fineness: number;
  /** Added to every value, in sensitivities. */
  readonly offset: number;
}

/** Queries of all scales. */
export const queries: Arbitrary<Query> = fc.record({
  relation: rowRelations,
  power: fc.integer({ min: -40, max: 40 }),
  part: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1023 })),
  fineness: fc.integer({ min: -2, max: 10 }),
  offset: fc.oneof(fc.constantFrom(0, -0.5, 2 ** 12), fc.integer({ min: -100, max: 100 })),
});

/** The sensitivity of a query. */
export function sensitivityOf({ power, part }: Query): number {
  return 2 ** power * (1 + part / 1024);
}

/** The step of its grid. */
export function granularityOf({ power, fineness }: Query): number {
  return 2 ** (power - fineness);
}

/** Shares of the sensitivity are multiples of 2⁻²⁰ of it: their sums are exact. */
const SHARES = 2 ** 20;

/** The sum of rows as shares of the sensitivity, each brought into [0, 1], from the offset on. */
export function valueOf(query: Query): (data: Dataset<number>) => number {
  const unit = sensitivityOf(query) / SHARES;
  return (data) =>
    data.reduce((sum, row) => sum + unit * stepsOf(row), query.offset * sensitivityOf(query));
}

function stepsOf(row: number): number {
  return Math.floor(Math.min(1, Math.max(0, row)) * SHARES);
}

/** Neighbours whose rows are shares of the sensitivity: often 0 and 1, or what rounding tears apart. */
export function sharesPair(query: Query, source: SeededSource): Sides<Dataset<number>> {
  const half = granularityOf(query) / sensitivityOf(query) / 2;
  const rows = numbersOf({ lower: 0, upper: 1 }, { min: 0, max: 3 });
  return neighbours(source, {
    relation: query.relation,
    rows: {
      ...rows,
      row: (from) => chance(from, 0.2) ? half * below(from, 4) : rows.row(from),
      opposite: (from, row) => chance(from, 0.2) ? 1 - half : rows.opposite!(from, row),
    },
  });
}

/** A query of several numbers: one sensitivity for all. */
export interface VectorQuery extends Query {
  /** Numbers. */
  readonly dimension: number;
  /** Whether a row adds to all coordinates or to one. */
  readonly kind: "dense" | "axis";
}

/** Of up to 200 numbers. */
export const vectorQueries: Arbitrary<VectorQuery> = fc.tuple(
  queries,
  dimensions(),
  fc.constantFrom("dense" as const, "axis" as const),
).map(([query, dimension, kind]) => ({ ...query, dimension, kind }));

/**
 * The sum of rows of shares in [0, 1], each `reach` of the sensitivity at most: rows that add to one
 * coordinate add to the one that their first share says.
 */
export function vectorOf(
  query: VectorQuery,
  { reach }: { readonly reach: number },
): (data: Dataset<readonly number[]>) => number[] {
  const { dimension, kind } = query;
  const unit = Math.floor(reach * SHARES) / SHARES * (sensitivityOf(query) / SHARES);
  return (data) => {
    const sums = new Array<number>(dimension).fill(query.offset * sensitivityOf(query));
    for (const row of data) {
      if (kind === "axis") sums[Math.min(dimension - 1, stepsOf(row[0]!))]! += unit * SHARES;
      else row.forEach((share, j) => sums[j]! += unit * stepsOf(share));
    }
    return sums;
  };
}

/** Neighbours for {@linkcode vectorOf}. */
export function vectorPair(
  { relation, dimension, kind }: VectorQuery,
  source: SeededSource,
): Sides<Dataset<readonly number[]>> {
  const size = { min: 0, max: 3 };
  const box = {
    lower: new Array<number>(dimension).fill(0),
    upper: new Array<number>(dimension).fill(1),
  };
  return kind === "dense"
    ? neighbours(source, { relation, rows: pointsOf(box, size) })
    : neighbours<readonly number[]>(source, {
      relation,
      rows: { row: (from) => [below(from, dimension) / SHARES], size },
    });
}
