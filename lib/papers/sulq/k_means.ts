import { requireKnown } from "../../core/text/known_options.ts";
import { zcdp, type ZcdpClaim } from "../../core/claims/claim.ts";
import { type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import { checkedRows } from "../../dp/learners/erm/rows/checked_rows.ts";
import type { DenseRows } from "../../dp/learners/erm/rows/rows.ts";
import { requireBox } from "../../dp/learners/require_box.ts";
import { seedCentres, seedingCells } from "./k_means_seeding.ts";
import { nearestCentre, placeSums, type StepPoints } from "./k_means_sums.ts";
import type { SulqCalibration } from "./sulq_accounting.ts";
import { requireRowRelation } from "../../dp/mechanisms/require_row_relation.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";
import { MOST_STEPS } from "../../dp/mechanisms/unit_steps.ts";

/** Options of private k-means. */
export interface KMeansOptions {
  /** k. */
  readonly clusters: number;
  /** Number of rounds in which the centres are moved: each has the same share of ρ. After private centres one or two do. */
  readonly rounds: number;
  /** The claim of the whole, zero-concentrated, in nats. */
  readonly rho: number;
  /** The box that points are brought into, per column; not taken from the data. */
  readonly bounds: { readonly lower: readonly number[]; readonly upper: readonly number[] };
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** k centres to begin with, not taken from the data. Default: found privately, which takes as much as some rounds, for the same ρ. */
  readonly start?: readonly (readonly number[])[];
}

/** Centres found privately. */
export interface KMeansModel {
  /** k centres of d coordinates. */
  readonly centres: readonly (readonly number[])[];
  /** The noisy numbers of points that were nearest to the centres of the last round. */
  readonly counts: readonly number[];
  /** Privacy claim of centres and counts. */
  readonly claim: ZcdpClaim;
  /** R and T as the SuLQ paper counts: rounds·k·(d + 1) sums, and those for the first centres. For `sulqAccounting`. */
  readonly calibration: SulqCalibration;
}

/**
 * Clusters points by Lloyd's algorithm on noisy sums (Blum, Dwork, McSherry, Nissim 2005): every
 * round asks, for every centre, how many points are nearest to it and what their coordinates sum
 * to, and moves the centre to the quotient. A centre whose noisy count is below two deviations of
 * the noise stays. Where no centres are given, {@linkcode seedCentres} finds some: bad ones are what Lloyd's algorithm
 * cannot mend.
 *
 * Deviations: coordinates are halves of the box's side away from its middle at most; ρ is accounted
 * from {@linkcode kMeansSquaredSensitivity}, where the paper counts k·(d + 1) queries a round.
 *
 * @param points n rows of d numbers, all finite.
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { denseRows } from "../../dp/learners/erm/rows/rows.ts";
 * import { fitKMeans } from "./k_means.ts";
 * const points = denseRows(Array.from({ length: 1000 }, (_, i) => [i % 2 === 0 ? 0.1 : 0.9]));
 * const { centres } = fitKMeans(points, {
 *   clusters: 2,
 *   rounds: 3,
 *   rho: 0.5,
 *   bounds: { lower: [0], upper: [1] },
 *   relation: replaceOne,
 *   start: [[0.3], [0.6]],
 *   budget: openBudget(zcdp({ rho: 0.5, relation: replaceOne })),
 * });
 * centres; // near 0.1 and 0.9
 * ```
 */
export function fitKMeans(
  points: DenseRows,
  given: KMeansOptions & ReleaseOptions,
): KMeansModel {
  requireKind("fitKMeans", "points", points, "record");
  const { budget, source, ...options } = requireFields("fitKMeans", given, {
    bounds: "record",
    relation: "relation",
    start: "list?",
  });
  requireKnown("call fitKMeans()", given, [
    "clusters",
    "rounds",
    "rho",
    "bounds",
    "relation",
    "start",
    "budget",
    "source",
  ]);
  return spendThen("cluster privately", {
    budget,
    source,
    prepare: () => {
      const checked = checkedRows(points);
      if (checked.kind !== "dense") {
        throw new RangeError(
          "Cannot cluster privately: points must be dense rows: they are sparse",
        );
      }
      requireKMeans(options, { columnCount: checked.columnCount });
      const prepared = sulqNoise(kMeansCalibration(options));
      return {
        claim: kMeansClaim(options),
        draw: (secure) => sampleKMeans(secure, { ...options, points: checked, prepared }),
      };
    },
  });
}

/**
 * ρ of the options. @throws {RangeError} unless positive, for a relation that sensitivities are
 * known for.
 */
export function kMeansClaim({ rho, relation }: KMeansOptions): ZcdpClaim {
  requireRowRelation("cluster privately", relation);
  return zcdp({ rho, relation });
}

/**
 * The largest squared Euclidean change of one round's k·(d + 1) answers between neighbours, in units
 * where every column's box has side 1. A row of the record [1, x], |xⱼ| ≤ ½, that is added changes them by
 * 1 + ‖x‖², which is 1 + d/4 at most. One that is replaced moves from a centre to another, which changes
 * two records, 2 + d/2 at most; or it stays with its centre and changes the sum alone, by the squared
 * diagonal of the box, d: more than the former from d = 5 on, and the only way where there is one
 * centre. Both are reached at corners, for the middle of the box is half a step count from its sides.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { kMeansSquaredSensitivity } from "./k_means.ts";
 * const bounds = { lower: new Array(20).fill(0), upper: new Array(20).fill(1) };
 * kMeansSquaredSensitivity({ clusters: 3, bounds, relation: replaceOne }); // 20
 * ```
 */
export function kMeansSquaredSensitivity(
  { clusters, bounds: { lower }, relation }: Pick<
    KMeansOptions,
    "clusters" | "bounds" | "relation"
  >,
): number {
  const columns = lower.length;
  if (relation !== replaceOne) return 1 + columns / 4;
  return clusters === 1 ? columns : Math.max(columns, 2 + columns / 2);
}

/**
 * Returns R, the variance in units where every column's box has side 1, and T.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { kMeansCalibration } from "./k_means.ts";
 * const bounds = { lower: [0, 0], upper: [1, 1] };
 * kMeansCalibration({ clusters: 5, rounds: 10, rho: 0.5, bounds, relation: addRemoveOne });
 * // R = 22.5 for T = 1173 sums
 * ```
 */
export function kMeansCalibration(options: KMeansOptions): SulqCalibration {
  requireFields("kMeansCalibration", options, {
    bounds: "record",
    relation: "relation",
    start: "list?",
  });
  const { rounds, clusters, rho, bounds } = options, { lower } = requireBox("fitKMeans", bounds);
  const columnCount = lower.length;
  requireKMeans(options, { columnCount });
  const cells = isSeeded(options) ? seedingCells(columnCount) : [];
  const releases = rounds + cells.length;
  const places = rounds * clusters + cells.reduce((sum, count) => sum + count, 0);
  const variance = releases * kMeansSquaredSensitivity(options) / (2 * rho);
  return {
    variance: roundUp(variance, { relativeError: Number.EPSILON }),
    queries: places * (columnCount + 1),
  };
}

/** Are the first centres found privately? One centre needs none: all rows are nearest to it. */
function isSeeded({ start, clusters }: KMeansOptions): boolean {
  return start === undefined && clusters > 1;
}

/**
 * {@linkcode fitKMeans} drawing from a source of either kind: what audits, tests and benchmarks run.
 *
 * @throws {RangeError} on options out of range.
 */
export function sampleKMeans(
  source: Source,
  { points, prepared, ...options }: KMeansOptions & {
    readonly points: DenseRows;
    /** The noise, if it was made before: its table takes milliseconds. */
    readonly prepared?: SulqNoise;
  },
): KMeansModel {
  requireKMeans(options, { columnCount: points.columnCount });
  const { clusters, rounds, bounds, start } = options;
  const columns = points.columnCount, width = columns + 1;
  const claim = kMeansClaim(options), calibration = kMeansCalibration(options);
  const { stepsPerUnit, noise } = prepared ?? sulqNoise(calibration);
  const deviation = Math.sqrt(calibration.variance);
  const steps = stepPoints(points, { bounds, stepsPerUnit });
  const half = 0.5 * stepsPerUnit;
  /** Noisy records, in rows and steps: noise is in steps, and counts are units of stepsPerUnit steps. */
  const release = (placeOf: (from: number) => number, count: number): Float64Array => {
    const sums = placeSums(steps, { placeOf, out: new Float64Array(count * width) });
    const noises = noise.fill(source, new Float64Array(sums.length));
    return sums.map((sum, i) =>
      i % width === 0
        ? Math.min(MOST_STEPS / stepsPerUnit, sum) + noises[i]! / stepsPerUnit
        : sum + noises[i]!
    );
  };
  const centres = isSeeded(options)
    ? seedCentres(source, { points: steps, clusters, half, deviation, release })
    : Float64Array.from(
      { length: clusters * columns },
      (_, i) =>
        stepsPerUnit *
        (start === undefined
          ? source.uniform() - 0.5
          : toSteps(start[Math.floor(i / columns)]![i % columns]!, i % columns, bounds)),
    );
  let sums: Float64Array = new Float64Array(0);
  for (let round = 0; round < rounds; round++) {
    sums = release(nearestCentre(steps, centres), clusters);
    for (let k = 0; k < clusters; k++) {
      const at = k * width;
      if (!(sums[at]! > 2 * deviation)) continue;
      for (let j = 0; j < columns; j++) {
        const mean = sums[at + 1 + j]! / sums[at]!;
        centres[k * columns + j] = Math.min(half, Math.max(-half, mean));
      }
    }
  }
  const { lower, upper } = bounds;
  return {
    claim,
    calibration,
    counts: Array.from({ length: clusters }, (_, k) => sums[k * width]!),
    centres: Array.from(
      { length: clusters },
      (_, k) =>
        lower.map((least, j) =>
          least + (upper[j]! - least) * (centres[k * columns + j]! / stepsPerUnit + 0.5)
        ),
    ),
  };
}

type Bounds = KMeansOptions["bounds"];

/** A coordinate as a share of its box, −½ at the lower bound and ½ at the upper. */
function toSteps(value: number, column: number, { lower, upper }: Bounds): number {
  const share = (value - lower[column]!) / (upper[column]! - lower[column]!);
  return Math.min(1, Math.max(0, share)) - 0.5;
}

/** Every row by itself is brought into the box and rounded to whole steps. */
function stepPoints(
  { columnCount, values }: DenseRows,
  { bounds, stepsPerUnit }: { readonly bounds: Bounds; readonly stepsPerUnit: number },
): StepPoints {
  const steps = new Float64Array(values.length);
  for (let i = 0, j = 0; i < values.length; i++) {
    steps[i] = Math.round(toSteps(values[i]!, j, bounds) * stepsPerUnit);
    if (++j === columnCount) j = 0;
  }
  return { columnCount, steps };
}

function requireKMeans(options: KMeansOptions, { columnCount }: { columnCount: number }): void {
  const action = "cluster privately";
  const { clusters, rounds, rho, bounds, start } = options;
  const { lower, upper } = requireBox("fitKMeans", bounds);
  requireInteger(action, "clusters", clusters, { min: 1 });
  requireInteger(action, "rounds", rounds, { min: 1 });
  requirePositive(action, "rho", rho);
  if (lower.length !== columnCount || upper.length !== columnCount || columnCount === 0) {
    throw new RangeError(
      `Cannot ${action}: bounds must be one pair a column: current numbers are ${lower.length} and ${upper.length} for ${columnCount}`,
    );
  }
  lower.forEach((least, j) => {
    requirePositive(action, `bounds.upper[${j}] - bounds.lower[${j}]`, upper[j]! - least);
  });
  if (
    start !== undefined &&
    (start.length !== clusters ||
      !start.every((centre) => centre.length === columnCount && centre.every(Number.isFinite)))
  ) {
    throw new RangeError(
      `Cannot ${action}: start must be ${clusters} centres of ${columnCount} finite numbers: current number is ${start.length}`,
    );
  }
}
