import type { ZcdpClaim } from "../../core/claim.ts";
import type { Dataset } from "../../core/dataset.ts";
import { replaceOne } from "../../core/relation.ts";
import type { Source } from "../../core/source.ts";
import { requireInteger, requireNonNegative, requirePositive } from "../../numeric/require.ts";
import { roundUp } from "../../numeric/round_outward.ts";
import { type ReleaseOptions, spendThen } from "../../mechanisms/spend_then.ts";
import type { LabelledRow } from "../erm/mechanism.ts";
import type { SulqCalibration } from "./sulq_accounting.ts";
import { sampleSulq, sulqClaim } from "./sulq_database.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";

/** What the private perceptron must be told. The claim is for one row replaced; n is public. */
export interface PerceptronOptions {
  /** d: rows have so many features, each brought into [−1, 1]. */
  readonly columnCount: number;
  /** Updates at most: each asks d + 1 queries. */
  readonly rounds: number;
  /** The claim of the whole, zero-concentrated, in nats. */
  readonly rho: number;
  /**
   * When the noisy number of wrong rows is no larger it stops. Default: two deviations of the noise, below
   * which the sums are noise as well; `perceptronGuarantee` says what is provably enough.
   */
  readonly tolerance?: number;
}

/** A halfspace found privately. */
export interface PerceptronModel {
  /** d weights: the label is the sign of their product with the features. */
  readonly weights: readonly number[];
  /** What the weights keep. */
  readonly claim: ZcdpClaim;
  /** R and T. For `sulqAccounting`. */
  readonly calibration: SulqCalibration;
}

/**
 * The perceptron on noisy sums (Blum, Dwork, McSherry, Nissim 2005): every round asks how many rows
 * are on the wrong side, and the sum of label times features over them, and adds the quotient to
 * the weights. When the noisy number of wrong rows is small it stops; all T queries are paid for in
 * any case. `perceptronGuarantee` says when it provably succeeds.
 *
 * @param data rows with d features, and a label of −1 or 1 (a row of another label counts as right).
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../accounting/budget.ts";
 * import { zcdp } from "../../core/claim.ts";
 * import { replaceOne } from "../../core/relation.ts";
 * import { perceptron } from "./perceptron.ts";
 * const budget = openBudget(zcdp({ rho: 0.5, relation: replaceOne }));
 * const rows = Array.from({ length: 2000 }, (_, i) => {
 *   const x = (i % 11 - 5) / 5;
 *   return { features: [x, 0.5], label: x > 0.1 ? 1 : -1 };
 * });
 * perceptron(rows, { columnCount: 2, rounds: 10, rho: 0.5, budget }).weights; // about c·[1, -0.2]
 * ```
 */
export function perceptron(
  data: Dataset<LabelledRow>,
  { budget, source, ...options }: PerceptronOptions & ReleaseOptions,
): PerceptronModel {
  return spendThen("learn privately", {
    budget,
    source,
    prepare: () => {
      const calibration = perceptronCalibration(options);
      const prepared = sulqNoise(calibration);
      return {
        claim: sulqClaim({ ...calibration, relation: replaceOne }),
        draw: (secure) => samplePerceptron(secure, { ...options, data, prepared }),
      };
    },
  });
}

/**
 * R and T of the options: T = rounds·(d + 1) and R = T/(2ρ).
 *
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { perceptronCalibration } from "./perceptron.ts";
 * perceptronCalibration({ columnCount: 4, rounds: 10, rho: 0.5 }); // R = 50 for T = 50 sums
 * ```
 */
export function perceptronCalibration(
  { columnCount, rounds, rho, tolerance = 0 }: PerceptronOptions,
): SulqCalibration {
  requireInteger("learn privately", "columnCount", columnCount, { min: 1 });
  requireInteger("learn privately", "rounds", rounds, { min: 1 });
  requirePositive("learn privately", "rho", rho);
  requireNonNegative("learn privately", "tolerance", tolerance);
  const queries = rounds * (columnCount + 1);
  // The claim is computed back from R and rounded up: R is large enough that it does not exceed rho.
  return {
    queries,
    variance: roundUp(queries / (2 * rho), { relativeError: 16 * Number.EPSILON }),
  };
}

/** {@linkcode perceptron} drawing from a source of either kind: what audits and tests run. */
export function samplePerceptron(
  source: Source,
  { data, prepared, ...options }: PerceptronOptions & {
    readonly data: Dataset<LabelledRow>;
    /** The noise, if it was made before: its table takes milliseconds. */
    readonly prepared?: SulqNoise;
  },
): PerceptronModel {
  const { columnCount, rounds } = options;
  const calibration = perceptronCalibration(options);
  const tolerance = options.tolerance ?? 2 * Math.sqrt(calibration.variance);
  const database = sampleSulq(source, {
    ...calibration,
    relation: replaceOne,
    data,
    ...(prepared === undefined ? {} : { prepared }),
  });
  const weights = new Array<number>(columnCount).fill(0);
  for (let round = 0; round < rounds; round++) {
    // Strictly right rows only count as right: zero weights are wrong everywhere.
    const wrong = (row: LabelledRow): boolean =>
      isLabel(row) && row.label * product(weights, row) <= 0;
    const count = database.ask((row) => wrong(row) ? 1 : 0);
    if (count <= tolerance) break;
    // Contributions in [−1, 1] are asked as halves around ½, which adds n/2 in all.
    const sums = weights.map((_, j) =>
      2 * database.ask((row) => wrong(row) ? 0.5 + 0.5 * row.label * feature(row, j) : 0.5) -
      data.length
    );
    sums.forEach((sum, j) => weights[j]! += sum / count);
  }
  return { weights, claim: database.claim, calibration };
}

function isLabel({ label }: LabelledRow): boolean {
  return label === 1 || label === -1;
}

function feature({ features }: LabelledRow, column: number): number {
  return Math.min(1, Math.max(-1, features[column]!));
}

function product(weights: readonly number[], row: LabelledRow): number {
  return weights.reduce((sum, weight, j) => sum + weight * feature(row, j), 0);
}
