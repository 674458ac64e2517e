import { requireKnown } from "../../core/text/known_options.ts";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { type Relation, replaceOne } from "../../core/relations/relation.ts";
import { integerGaussian } from "../../dp/mechanisms/gaussian.ts";
import type { GridNoise } from "../../dp/mechanisms/grid_mechanism.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import { denseRows } from "../../dp/learners/erm/rows/rows.ts";
import { clipRows } from "../../dp/learners/erm/rows/clip_rows.ts";
import { requireRowRelation } from "../../dp/mechanisms/require_row_relation.ts";

/** Options of the noisy second moments. */
export interface SecondMomentOptions {
  /** d. */
  readonly columnCount: number;
  /** Longer rows are scaled down to this Euclidean norm; not taken from the data. */
  readonly normBound: number;
  /** The claim, zero-concentrated, in nats. */
  readonly rho: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/** Refuses options of second moments that are out of range, but for ρ. @throws {RangeError} */
export function requireSecondMoments(
  action: string,
  { columnCount, normBound, relation }: Omit<SecondMomentOptions, "rho">,
): void {
  requireInteger(action, "columnCount", columnCount, { min: 1 });
  requirePositive(action, "normBound", normBound);
  requireRowRelation(action, relation);
}

/** Products of coordinates, in units of the squared norm bound, are whole multiples of 2⁻²⁰. */
const STEPS = 2 ** 20;

/**
 * Returns the matrix Σ xxᵀ with symmetric Gaussian noise (Blum, Dwork, McSherry, Nissim 2005; the noise as
 * in Dwork, Talwar, Thakurta, Zhang 2014, Algorithm 1): noise on every entry of the upper triangle,
 * mirrored. The upper triangle of xxᵀ is no longer than ‖x‖², so a row added changes the entries by
 * normBound² in Euclidean norm, one replaced by √2·normBound² (normBound² if d = 1). Every product is rounded to a grid
 * and the sums are of integers; the sensitivity is raised for the rounding, and the noise is
 * discrete Gaussian. (The noise of Wishart law that keeps the matrix positive adds ε that was not
 * accounted for; it is not here.)
 *
 * @returns a mechanism from rows to the upper triangle, row by row: d(d + 1)/2 numbers.
 * @throws {RangeError} on options out of range, or at release on rows of another length.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { noisySecondMoments } from "./principal_directions.ts";
 * const moments = noisySecondMoments(
 *   { columnCount: 2, normBound: 1, rho: 0.5, relation: addRemoveOne },
 * );
 * moments.sample([[0.6, 0.8], [1, 0]], new SeededSource(1)); // 1.36, 0.48, 0.64 and noise
 * ```
 */
export function noisySecondMoments(
  options: SecondMomentOptions,
): Mechanism<readonly number[], number[]> & { readonly grid: GridNoise } {
  const { columnCount, normBound, rho, relation, domain } = requireFields(
    "noisySecondMoments",
    options,
    { relation: "relation", domain: "record?" },
  );
  requireKnown("call noisySecondMoments()", options, [
    "columnCount",
    "normBound",
    "rho",
    "relation",
    "domain",
  ]);
  const action = "release second moments";
  requireSecondMoments(action, { columnCount, normBound, relation });
  const dimension = columnCount * (columnCount + 1) / 2;
  const rows = relation === replaceOne ? 2 : 1;
  const noisy = integerGaussian<readonly number[]>({
    query: (data) => momentSteps(data, { columnCount, normBound }),
    dimension,
    rho,
    // Half a step of rounding an entry and row; the triangle of xxᵀ − yyᵀ is at most √2 long, and 1 for
    // numbers, whose squares have one sign.
    sensitivity: (columnCount === 1 ? 1 : Math.sqrt(rows)) * STEPS +
      rows * 0.5 * Math.sqrt(dimension) + 1,
    relation,
  });
  const unit = normBound * normBound / STEPS;
  return {
    name: "noisy second moments",
    claim: noisy.claim,
    grid: { ...noisy.grid, granularity: unit },
    ...(domain === undefined ? {} : { domain }),
    width: dimension,
    check: (data) => noisy.check(data),
    sample: (data, source) => noisy.sample(data, source).map((steps) => steps * unit),
    sampleMany: (data, count, source) =>
      noisy.sampleMany!(data, count, source).map((steps) => steps * unit),
  };
}

/**
 * The upper triangle of Σ xxᵀ/normBound² in steps: every row's products are rounded by themselves.
 */
function momentSteps(
  data: Dataset<readonly number[]>,
  { columnCount, normBound }: { columnCount: number; normBound: number },
): number[] {
  const { values } = clipRows(denseRows(data, { columnCount }), { normBound });
  const sums = new Array<number>(columnCount * (columnCount + 1) / 2).fill(0);
  for (let from = 0; from < values.length; from += columnCount) {
    let at = 0;
    for (let i = 0; i < columnCount; i++) {
      for (let j = i; j < columnCount; j++) {
        const product = (values[from + i]! / normBound) * (values[from + j]! / normBound);
        sums[at]! += Math.round(product * STEPS);
        at++;
      }
    }
  }
  return sums;
}

/** Directions of most variance, and how much of it each has. */
export interface PrincipalDirections {
  /** Unit vectors, the one of the largest eigenvalue first. */
  readonly directions: readonly (readonly number[])[];
  /** Eigenvalues of the matrix, falling; noise can make them negative. */
  readonly values: readonly number[];
}

/**
 * Returns the leading eigenvectors of a symmetric matrix given by its upper triangle: post-processing of
 * {@linkcode noisySecondMoments}, which costs no privacy.
 *
 * @throws {RangeError} unless the triangle has d(d + 1)/2 entries and count is from 1 to d.
 *
 * @example
 * ```ts
 * import { principalDirections } from "./principal_directions.ts";
 * principalDirections([2, 0, 1], { columnCount: 2, count: 1 }).values; // 2
 * ```
 */
export function principalDirections(
  triangle: readonly number[],
  options: { readonly columnCount: number; readonly count: number },
): PrincipalDirections {
  requireKind("principalDirections", "triangle", triangle, "list");
  const { columnCount, count } = requireFields("principalDirections", options, {});
  requireKnown("call principalDirections()", options, ["columnCount", "count"]);
  const action = "find principal directions";
  requireInteger(action, "count", count, { min: 1, max: columnCount });
  requireInteger(action, "entries", triangle.length, {
    min: columnCount * (columnCount + 1) / 2,
    max: columnCount * (columnCount + 1) / 2,
  });
  const matrix = Matrix.zeros(columnCount, columnCount);
  let at = 0;
  for (let i = 0; i < columnCount; i++) {
    for (let j = i; j < columnCount; j++) {
      matrix.set(i, j, triangle[at]!);
      matrix.set(j, i, triangle[at]!);
      at++;
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, {
    assumeSymmetric: true,
  });
  const order = realEigenvalues.map((_, k) => k)
    .sort((a, b) => realEigenvalues[b]! - realEigenvalues[a]!)
    .slice(0, count);
  return {
    directions: order.map((k) => eigenvectorMatrix.getColumn(k)),
    values: order.map((k) => realEigenvalues[k]!),
  };
}
