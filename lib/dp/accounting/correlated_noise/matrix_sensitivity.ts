import { requireKnown } from "../../../core/text/known_options.ts";
import { gaussian, type GaussianClaim } from "../../../core/claims/claim.ts";
import {
  addRemoveOne,
  type Relation,
  replaceOne,
  sameRelation,
} from "../../../core/relations/relation.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";

/** In which steps one row may take part. It is fixed without a look at the data, and kept to. */
export interface Participation {
  /** In how many steps at most. Default: 1. */
  readonly most?: number;
  /** Minimum distance between two of them, in steps. Default: 1, next to each other. */
  readonly apart?: number;
  /** If true, they are exactly that far apart, as when the order of batches is the same in each epoch. Default: `false`. */
  readonly periodic?: boolean;
}

/** More than one rounding of each product and sum. */
const ROUNDING = 4 * Number.EPSILON;

/**
 * Returns how far one row can move C·G in Frobenius norm, rounded up: the rows of G are the sums of a step, each a sum of vectors of norm at most 1, of which the row has one in each of its
 * steps. With u_i for these it moves C·G by Σ c_i·u_iᵀ for the columns c_i of C, by a norm of at most √(Σ |⟨c_i, c_j⟩|) over pairs of its steps, which is attained where no product is
 * negative (Choquette-Choo, McMahan, Rush, Thakurta 2023, section 3).
 *
 * Exact for one step, for periodic ones, and where columns that are `apart` are orthogonal, as those of C with so many bands (Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023,
 * Theorem 2): there the best steps are found one after the other. Otherwise each step is counted with the best companions that it could have, an upper bound. Rounded up.
 *
 * @param columns of C, one for each step: {@linkcode bandedColumns}, {@linkcode treeColumns} or your own, of finite numbers.
 * @throws {RangeError} when columns are no finite numbers or of unequal length, or a number of the participation is no positive integer.
 *
 * @example
 * ```ts
 * import { bandedColumns, matrixSensitivity } from "@dpcheck/dpcheck/accounting";
 * const columns = bandedColumns([1, 0.5, 0.375], { steps: 100 });
 * matrixSensitivity(columns, { most: 4, apart: 3 }); // 2·√(1 + 0.25 + 0.140625)
 * ```
 */
export function matrixSensitivity(
  columns: readonly (readonly number[])[],
  participation: Participation = {},
): number {
  const action = "bound a matrix";
  requireKind("matrixSensitivity", "columns", columns, "list");
  const { most = 1, apart = 1, periodic = false } = requireFields(
    "matrixSensitivity",
    participation,
    { periodic: "boolean?" },
  );
  requireInteger(action, "the number of columns", columns.length, { min: 1 });
  requireInteger(action, "most", most, { min: 1 });
  requireInteger(action, "apart", apart, { min: 1 });
  const length = columns[0]!.length;
  for (const column of columns) {
    requireKind("matrixSensitivity", "each column", column, "list");
    if (column.length !== length || !column.every((value) => Number.isFinite(value))) {
      throw new RangeError(
        `Cannot ${action}: columns must be ${length} finite numbers each: current length is ${column.length}`,
      );
    }
  }
  // By a power of two, so that the largest product is a number that doubles hold to all digits, and sums do not overflow.
  const largest = columns.reduce(
    (most, column) => column.reduce((more, value) => Math.max(more, Math.abs(value)), most),
    0,
  );
  if (largest === 0) return 0;
  const scale = 2 ** Math.max(-1022, Math.floor(Math.log2(largest)));
  const product = productsOf(columns.map((column) => column.map((value) => value / scale)));
  const steps = columns.length;
  const squared = periodic
    ? mostOfPeriodic(steps, { most, apart, product })
    : mostOfSeparated(steps, { most, apart, product });
  return roundUp(scale * Math.sqrt(squared), { relativeError: ROUNDING * (length + steps + 8) });
}

/** Options of {@linkcode matrixClaim}. */
export interface MatrixClaimOptions {
  /** The standard deviation of the Gaussian noise on each number of C·G, for vectors of norm at most 1. */
  readonly sigma: number;
  /** {@linkcode addRemoveOne}, where a row without which a step runs adds nothing; {@linkcode replaceOne}, where another takes its place in the same steps. */
  readonly relation: Relation;
  /** In which steps a row may take part. Default: one. */
  readonly participation?: Participation;
}

/**
 * The claim of B·(C·G + Z) with independent Gaussian noise Z and any B, as of the prefix sums of a matrix mechanism (DP-FTRL): μ is {@linkcode matrixSensitivity} over σ, twice
 * that where rows are replaced. Where later steps depend on what earlier ones put out it holds for lower triangular B·C, such as prefix sums (Denisov, McMahan, Rush, Smith, Thakurta 2022, Theorem 2.1).
 *
 * @throws {RangeError} as {@linkcode matrixSensitivity}; when sigma is not positive, or for another relation.
 *
 * @example
 * ```ts
 * import { matrixClaim, treeColumns } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne as relation } from "@dpcheck/dpcheck/core";
 * matrixClaim(treeColumns({ steps: 1024 }), { sigma: 11, relation }).mu; // √11/11
 * ```
 */
export function matrixClaim(
  columns: readonly (readonly number[])[],
  options: MatrixClaimOptions,
): GaussianClaim {
  const { sigma, relation, participation } = requireFields("matrixClaim", options, {
    relation: "relation",
    participation: "record?",
  });
  requireKnown("call matrixClaim()", options, ["sigma", "relation", "participation"]);
  requirePositive("claim a matrix", "sigma", sigma);
  const isReplaced = sameRelation(relation, replaceOne);
  if (!isReplaced && !sameRelation(relation, addRemoveOne)) {
    throw new RangeError(
      `Cannot claim a matrix: relation must be addRemoveOne or replaceOne: current value is ${relation.name}`,
    );
  }
  const moved = (isReplaced ? 2 : 1) * matrixSensitivity(columns, participation);
  return gaussian({ mu: roundUp(moved / sigma, { relativeError: Number.EPSILON }), relation });
}

interface Patterns {
  readonly most: number;
  readonly apart: number;
  readonly product: (i: number, j: number) => number;
}

/** At least the absolute values of products of columns. */
function productsOf(columns: readonly (readonly number[])[]): Patterns["product"] {
  // Columns of trees and bands are mostly 0.
  const entries = columns.map((column) =>
    column.flatMap((value, row) => value === 0 ? [] : [{ row, value }])
  );
  return (i, j) => {
    const other = columns[j]!;
    let sum = 0, size = 0;
    for (const { row, value } of entries[i]!) {
      const term = value * other[row]!;
      sum += term;
      size += Math.abs(term);
    }
    return Math.abs(sum) + ROUNDING * entries[i]!.length * size;
  };
}

/** The largest sum of products over steps that are exactly so far apart. */
function mostOfPeriodic(steps: number, { most, apart, product }: Patterns): number {
  let largest = 0;
  for (let start = 0; start < steps; start++) {
    const taken: number[] = [];
    for (let step = start; step < steps && taken.length < most; step += apart) taken.push(step);
    largest = Math.max(
      largest,
      taken.reduce((sum, i) => taken.reduce((inner, j) => inner + product(i, j), sum), 0),
    );
  }
  return largest;
}

/** At least the largest sum of products over steps that are so far apart or farther: of each step with its best companions. */
function mostOfSeparated(steps: number, { most, apart, product }: Patterns): number {
  const withCompanions = Array.from({ length: steps }, (_, i) => {
    if (most === 1) return product(i, i);
    const others = Array.from(
      { length: steps },
      (_, j) => Math.abs(i - j) < apart ? 0 : product(i, j),
    );
    return product(i, i) + largestSum(others, { most: most - 1, apart });
  });
  return largestSum(withCompanions, { most, apart });
}

/** The largest sum of some values, none negative, at places that are so far apart or farther. */
function largestSum(
  values: readonly number[],
  { most, apart }: { readonly most: number; readonly apart: number },
): number {
  if (values.every((value) => value === 0)) return 0;
  let before = new Float64Array(values.length + 1);
  for (let taken = 0; taken < Math.min(most, Math.ceil(values.length / apart)); taken++) {
    const now = new Float64Array(values.length + 1);
    values.forEach((value, i) => {
      now[i + 1] = Math.max(now[i]!, value + before[Math.max(0, i + 1 - apart)]!);
    });
    before = now;
  }
  return before.at(-1)!;
}
