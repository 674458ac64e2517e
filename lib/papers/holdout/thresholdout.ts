import { requireKnown } from "../../core/text/known_options.ts";
import { advancedComposition } from "../../dp/accounting/composition/advanced_composition.ts";
import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import { approximate, type Claim, pure } from "../../core/claims/claim.ts";
import type { Dataset, RowSpec } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { multiply, rational } from "../../core/numeric/rational.ts";
import {
  requireDelta,
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";

/** Values of statistics are rounded to steps of 2⁻¹⁶: their sums are then exact integers. */
const STEPS = 2 ** 16;
/** Relative error of a few roundings of elementary functions. */
const RELATIVE_ERROR = 1e-14;

/** A statistic of one row, in [0, 1]; values outside are brought into it. */
export type Statistic<Row> = (row: Row) => number;

/** Answers about a holdout, until its budget is spent. */
export interface ReusableHoldout<Row> {
  /** Privacy claim of all answers together, for a row of the holdout. */
  readonly claim: Claim;
  /** B, how many times the holdout may still contradict the training set. */
  readonly remaining: number;
  /** The mean of a statistic, or `null` when the budget is spent. */
  answer(statistic: Statistic<Row>): number | null;
}

/** Options of Thresholdout. */
export interface ThresholdoutOptions {
  /** T: how far training and holdout may differ before the holdout is asked. At least 0. */
  readonly threshold: number;
  /** σ: the scale of the noise on an answer; 2σ on the threshold, 4σ on a difference. */
  readonly noiseScale: number;
  /** B: how many answers may come from the holdout. */
  readonly count: number;
  /**
   * δ of the claim, 0 unless given: above 0 the claim grows with the root of B, by advanced
   * composition.
   */
  readonly delta?: number;
}

/**
 * Returns the privacy claim of Thresholdout for a row of the holdout: 2B/(σn)-DP, for each answer from the holdout
 * costs 1/(σn) in comparisons and 1/(σn) for its value (Dwork, Feldman, Hardt, Pitassi, Reingold, Roth
 * 2015, "Generalization in adaptive data analysis and holdout reuse"). For δ > 0, B such parts by
 * `advancedComposition` where that is less. The relation is replace-one; n is public.
 *
 * @throws {RangeError} when an option is out of range.
 *
 * @example
 * ```ts
 * import { thresholdoutClaim } from "./thresholdout.ts";
 * const options = { threshold: 0.04, noiseScale: 0.01, count: 50 };
 * thresholdoutClaim(options, { rowCount: 10_000 }); // 1-DP
 * ```
 */
export function thresholdoutClaim(
  { threshold, noiseScale, count, delta = 0 }: ThresholdoutOptions,
  { rowCount }: { rowCount: number },
): Claim {
  const action = "open a reusable holdout";
  requireNonNegative(action, "threshold", threshold);
  requirePositive(action, "noiseScale", noiseScale);
  requireInteger(action, "count", count, { min: 1 });
  requireInteger(action, "number of holdout rows", rowCount, { min: 1, max: 2 ** 32 });
  requireDelta(action, "delta", delta);
  const part = partOf({ noiseScale }, { rowCount }), basic = count * part;
  if (delta === 0) return pure({ epsilon: basic, relation: replaceOne });
  const advanced = advancedComposition({ epsilon: part }, { count, slack: delta });
  return advanced.epsilon < basic
    ? approximate({ epsilon: advanced.epsilon, delta, relation: replaceOne })
    : pure({ epsilon: basic, relation: replaceOne });
}

/** At least 2/(σn), by more than the rounding of its multiples and its square. */
function partOf(
  { noiseScale }: Pick<ThresholdoutOptions, "noiseScale">,
  { rowCount }: { rowCount: number },
): number {
  return roundUp(2 / (noiseScale * rowCount), { relativeError: RELATIVE_ERROR });
}

/** Returns the further claim of Thresholdout: B parts that are 2/(σn)-DP each, B·(2/(σn))²/2-zCDP. */
function alsoKept(
  { noiseScale, count }: ThresholdoutOptions,
  { rowCount }: { rowCount: number },
): readonly Claim[] {
  const part = partOf({ noiseScale }, { rowCount });
  return alsoConcentrated({ rho: 0.5 * count * part * part, relation: replaceOne });
}

/** The noise of Thresholdout in steps of a sum over the holdout. */
interface Noise {
  readonly threshold: IntegerNoise;
  readonly difference: IntegerNoise;
  readonly answer: IntegerNoise;
}

/** Scales 2σ, 4σ and σ, times n for sums and in steps; made once, for the tables take time. */
function noiseOf(
  { noiseScale }: ThresholdoutOptions,
  { rowCount }: { rowCount: number },
): Noise {
  const scale = multiply(rational(noiseScale), rational(rowCount * STEPS));
  const times = (factor: number): IntegerNoise =>
    discreteLaplace({ scale: multiply(scale, rational(factor)) });
  return { threshold: times(2), difference: times(4), answer: times(1) };
}

function open<Row>(
  source: Source,
  { training, holdout, noise, ...options }: ThresholdoutOptions & {
    readonly training: Dataset<Row>;
    readonly holdout: Dataset<Row>;
    readonly noise: Noise;
  },
): ReusableHoldout<Row> {
  const claim = thresholdoutClaim(options, { rowCount: holdout.length });
  requireInteger("open a reusable holdout", "number of training rows", training.length, { min: 1 });
  const unit = holdout.length * STEPS, limit = Math.round(options.threshold * unit);
  const draw = (law: IntegerNoise): number => law.fill(source, new Float64Array(1))[0]!;
  let remaining = options.count;
  let noisyLimit = limit + draw(noise.threshold);
  return {
    claim,
    get remaining(): number {
      return remaining;
    },
    answer(statistic): number | null {
      if (remaining < 1) return null;
      let total = 0, steps = 0;
      for (const row of training) total += valueOf(statistic, row);
      for (const row of holdout) steps += Math.round(valueOf(statistic, row) * STEPS);
      const trained = total / training.length;
      const difference = Math.abs(steps - Math.round(trained * unit));
      if (!(difference > noisyLimit + draw(noise.difference))) return trained;
      const answer = (steps + draw(noise.answer)) / unit;
      remaining--;
      noisyLimit = limit + draw(noise.threshold);
      return answer;
    },
  };
}

/** Returns a row's value, clamped to [0, 1]. A statistic that is no number or throws counts as 0: an error would reveal such a row. */
function valueOf<Row>(statistic: Statistic<Row>, row: Row): number {
  try {
    const value = statistic(row);
    return value > 0 ? Math.min(1, value) : 0;
  } catch {
    return 0;
  }
}

/**
 * A reusable holdout on a source of either kind, for audits, tests and benchmarks. Users call
 * {@linkcode openReusableHoldout}.
 *
 * @throws {RangeError} when an option is out of range.
 */
export function sampleReusableHoldout<Row>(
  source: Source,
  options: ThresholdoutOptions & {
    readonly training: Dataset<Row>;
    readonly holdout: Dataset<Row>;
  },
): ReusableHoldout<Row> {
  return open(source, {
    ...options,
    noise: noiseOf(options, { rowCount: options.holdout.length }),
  });
}

/**
 * Opens a holdout that may be asked again and again, by Thresholdout (Dwork, Feldman, Hardt, Pitassi,
 * Reingold, Roth 2015): a question gets the mean on the training set, unless that differs from the
 * holdout's by more than a noisy threshold; then it gets the holdout's mean with Laplace noise of scale
 * σ, and one of B such answers is spent. After B nothing is told any more. Whoever chooses questions by
 * earlier answers so learns little that is true of the holdout alone.
 *
 * Deviations: values of statistics on the holdout are rounded to 2⁻¹⁶ and the noise is exact discrete
 * Laplace in those steps, so that no float sum or noise can betray a row. The claim is about rows of the
 * holdout; the training set is taken to be known to whoever asks. A statistic must depend on its row
 * only; where it throws the row counts 0.
 *
 * @throws {RangeError} when an option is out of range, or the budget cannot pay; then nothing is drawn.
 * @throws {TypeError} when the source is not secure (for callers without types).
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { pure } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openReusableHoldout } from "./thresholdout.ts";
 * const budget = openBudget(pure({ epsilon: 5, relation: replaceOne }));
 * const training = Array.from({ length: 500 }, (_, i) => i % 2), holdout = training.map(() => 1);
 * const asked = openReusableHoldout(
 *   { training, holdout },
 *   { threshold: 0.1, noiseScale: 0.01, count: 10, budget },
 * );
 * asked.answer((row) => row); // near 1: the training set says 0.5
 * asked.remaining; // 9
 * ```
 */
export function openReusableHoldout<Row>(
  data: { readonly training: Dataset<Row>; readonly holdout: Dataset<Row> },
  given: ThresholdoutOptions & ReleaseOptions,
): ReusableHoldout<Row> {
  requireKind("openReusableHoldout", "data", data, "record");
  const { budget, source, ...options } = requireFields("openReusableHoldout", given, {});
  requireKnown("call openReusableHoldout()", given, [
    "threshold",
    "noiseScale",
    "count",
    "delta",
    "budget",
    "source",
  ]);
  const action = "open a reusable holdout";
  return spendThen(action, {
    budget,
    source,
    prepare: () => {
      const { training, holdout } = data;
      const shape = { rowCount: holdout.length };
      const claim = thresholdoutClaim(options, shape), noise = noiseOf(options, shape);
      requireInteger(action, "number of training rows", training.length, { min: 1 });
      return {
        claim,
        alsoKeeps: alsoKept(options, shape),
        draw: (secure) => open(secure, { ...options, training, holdout, noise }),
      };
    },
  });
}

/**
 * Thresholdout as a mechanism, for audits: from a holdout of `rowCount` rows to the answers to a fixed
 * list of statistics, `null` where the budget was spent.
 *
 * @throws {RangeError} when an option is out of range.
 *
 * @example
 * ```ts
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { thresholdoutMechanism } from "./thresholdout.ts";
 * const asked = thresholdoutMechanism<number>({
 *   training: [0, 1, 1],
 *   statistics: [(row) => row, (row) => 1 - row],
 *   rowCount: 3,
 *   threshold: 0.2,
 *   noiseScale: 1,
 *   count: 1,
 * });
 * asked.sample([1, 1, 1], new SeededSource(1)); // two answers, or null for the second
 * ```
 */
export function thresholdoutMechanism<Row>(
  given: ThresholdoutOptions & {
    /** The training set, which is public. */
    readonly training: Dataset<Row>;
    /** Statistics to ask for, in this order. */
    readonly statistics: readonly Statistic<Row>[];
    /** Rows of the holdout. */
    readonly rowCount: number;
    /** Rows that a search may put into the holdout. */
    readonly rows?: RowSpec;
  },
): Mechanism<Row, (number | null)[]> {
  const { training, statistics, rowCount, rows, ...options } = requireFields(
    "thresholdoutMechanism",
    given,
    { training: "list", statistics: "list", rows: "record?" },
  );
  requireKnown("call thresholdoutMechanism()", given, [
    "threshold",
    "noiseScale",
    "count",
    "delta",
    "training",
    "statistics",
    "rowCount",
    "rows",
  ]);
  requireInteger("ask a holdout", "rowCount", rowCount, { min: 1, max: 2 ** 32 });
  const claim = thresholdoutClaim(options, { rowCount });
  const noise = noiseOf(options, { rowCount });
  const check = (holdout: Dataset<Row>): void =>
    requireInteger("ask a holdout", "number of holdout rows", holdout.length, {
      min: rowCount,
      max: rowCount,
    });
  return {
    name: "thresholdout",
    claim,
    alsoKeeps: alsoKept(options, { rowCount }),
    ...(rows === undefined ? {} : { domain: { rows, size: { min: rowCount, max: rowCount } } }),
    check,
    sample(holdout, source): (number | null)[] {
      check(holdout);
      const asked = open(source, { ...options, training, holdout, noise });
      return statistics.map((statistic) => asked.answer(statistic));
    },
  };
}
