import { requireKnown } from "../../core/text/known_options.ts";
import { zcdp, type ZcdpClaim } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import type { LabelledRow } from "../../dp/learners/erm/mechanism.ts";
import type { SulqCalibration } from "./sulq_accounting.ts";
import { sampleSulq } from "./sulq_database.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";

/** Options of the private perceptron. The claim is for one row replaced; n is public. */
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
  /** Privacy claim of the weights. */
  readonly claim: ZcdpClaim;
  /** R and T as the SuLQ paper counts: rounds·(d + 1) sums. For `sulqAccounting`. */
  readonly calibration: SulqCalibration;
}

/**
 * Trains a perceptron on noisy sums (Blum, Dwork, McSherry, Nissim 2005): every round asks how many rows
 * are on the wrong side, and the sum of label times features over them, and adds the quotient to
 * the weights. When the noisy number of wrong rows is small it stops; all rounds are paid for in
 * any case. `perceptronGuarantee` says when it provably succeeds.
 *
 * Deviation: ρ is accounted from {@linkcode perceptronSquaredSensitivity}, where the paper counts d + 1 queries a round.
 *
 * @param data rows with d features, and a label of −1 or 1. A row of another label, or with a feature that is not a
 * number, counts as right: a refusal would tell about the row.
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { fitPerceptron } from "./perceptron.ts";
 * const budget = openBudget(zcdp({ rho: 0.5, relation: replaceOne }));
 * const rows = Array.from({ length: 2000 }, (_, i) => {
 *   const x = (i % 11 - 5) / 5;
 *   return { features: [x, 0.5], label: x > 0.1 ? 1 : -1 };
 * });
 * fitPerceptron(rows, { columnCount: 2, rounds: 10, rho: 0.5, budget }).weights; // about c·[1, -0.2]
 * ```
 */
export function fitPerceptron(
  data: Dataset<LabelledRow>,
  given: PerceptronOptions & ReleaseOptions,
): PerceptronModel {
  requireKind("fitPerceptron", "data", data, "list");
  const { budget, source, ...options } = requireFields("fitPerceptron", given, {});
  requireKnown("call fitPerceptron()", given, [
    "columnCount",
    "rounds",
    "rho",
    "tolerance",
    "budget",
    "source",
  ]);
  return spendThen("learn privately", {
    budget,
    source,
    prepare: () => {
      const prepared = sulqNoise(perceptronCalibration(options));
      return {
        claim: zcdp({ rho: options.rho, relation: replaceOne }),
        draw: (secure) => samplePerceptron(secure, { ...options, data, prepared }),
      };
    },
  });
}

/**
 * The largest squared Euclidean change of one round's d + 1 answers when a row is replaced. A wrong row adds 1 to
 * the count and ½ + y·xⱼ/2 to each of d sums, with |xⱼ| ≤ 1; a right row adds 0 to the count and ½ to each sum. Two
 * wrong rows change each sum by at most 1 and the count not at all: d. A wrong row for a right one changes the count by
 * 1 and each sum by at most ½: 1 + d/4. Two right rows change nothing. Rounding to the grid keeps these bounds, for 0, ½
 * and 1 are on it. Which rows are wrong depends on earlier answers alone, so rounds compose (Bun, Steinke 2016, Lemma
 * 2.3). The larger is 5/4 for one column and d for more; both are reached at corners.
 */
function perceptronSquaredSensitivity(
  { columnCount }: Pick<PerceptronOptions, "columnCount">,
): number {
  return Math.max(columnCount, 1 + columnCount / 4);
}

/**
 * Returns T = rounds·(d + 1), the number of noises, and R = rounds·Δ²/(2ρ) with the squared sensitivity Δ² of a round.
 *
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { perceptronCalibration } from "./perceptron.ts";
 * perceptronCalibration({ columnCount: 4, rounds: 10, rho: 0.5 }); // R = 40 for T = 50 sums
 * ```
 */
export function perceptronCalibration(
  options: PerceptronOptions,
): SulqCalibration {
  const { columnCount, rounds, rho, tolerance = 0 } = requireFields(
    "perceptronCalibration",
    options,
    {},
  );
  requireInteger("learn privately", "columnCount", columnCount, { min: 1 });
  requireInteger("learn privately", "rounds", rounds, { min: 1 });
  requirePositive("learn privately", "rho", rho);
  requireNonNegative("learn privately", "tolerance", tolerance);
  const variance = rounds * perceptronSquaredSensitivity({ columnCount }) / (2 * rho);
  return {
    queries: rounds * (columnCount + 1),
    variance: roundUp(variance, { relativeError: Number.EPSILON }),
  };
}

/** {@linkcode fitPerceptron} drawing from a source of either kind: what audits and tests run. */
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
    data: Array.from(data, (row) => heldRow(row, columnCount)),
    ...(prepared === undefined ? {} : { prepared }),
  });
  const weights = new Array<number>(columnCount).fill(0);
  for (let round = 0; round < rounds; round++) {
    // Strictly right rows only count as right: zero weights are wrong everywhere.
    const wrong = (row: LabelledRow | null): row is LabelledRow =>
      row !== null && row.label * product(weights, row) <= 0;
    const count = database.ask((row) => wrong(row) ? 1 : 0);
    if (count <= tolerance) break;
    // Contributions in [−1, 1] are asked as halves around ½, which adds n/2 in all.
    const sums = weights.map((_, j) =>
      2 * database.ask((row) => wrong(row) ? 0.5 + 0.5 * row.label * row.features[j]! : 0.5) -
      data.length
    );
    sums.forEach((sum, j) => weights[j]! += sum / count);
  }
  return { weights, claim: zcdp({ rho: options.rho, relation: replaceOne }), calibration };
}

/**
 * A row with its features brought into [−1, 1]; null for one that counts as right in every round. Rows are read once: one
 * that throws or changes when it is read again would contribute what the sensitivity does not bound.
 */
function heldRow(row: LabelledRow, columnCount: number): LabelledRow | null {
  try {
    const { features, label } = row;
    if (label !== 1 && label !== -1) return null;
    const held = Array.from(
      { length: columnCount },
      (_, j) => Math.min(1, Math.max(-1, features[j]!)),
    );
    return held.some(Number.isNaN) ? null : { features: held, label };
  } catch {
    return null;
  }
}

function product(weights: readonly number[], { features }: LabelledRow): number {
  return weights.reduce((sum, weight, j) => sum + weight * features[j]!, 0);
}
