import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { divide, rational, toNumber } from "../../core/numeric/rational.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import { COMPARED_BITS, computedSensitivity, gridSensitivity, gridStep, toGrid } from "./grid.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import { paddedBlocks } from "./padded_blocks.ts";

/** Transcripts up to which all are enumerated. */
const MOST_ENUMERATED = 4096;

/** Options of the sparse vector technique. */
export interface SparseVectorOptions<Row> {
  /** The stream of answers on the data, in order. */
  readonly answers: (data: Dataset<Row>) => readonly number[];
  /** The claim for the whole transcript, in nats. */
  readonly epsilon: number;
  /** The most one answer changes between neighbours. */
  readonly sensitivity: number;
  /** Threshold that answers are compared with. */
  readonly threshold: number;
  /** Answers above the threshold after which it stops. */
  readonly count: number;
  /** The most that an answer as computed differs from the exact one: the noise pays for it. Default 0. */
  readonly queryError?: number | undefined;
  /** The step to which answers and threshold are rounded: a power of two. Default: small beside noise and sensitivity. */
  readonly granularity?: number | undefined;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** With it, at most 64, above threshold is drawn in blocks too where there are no more answers. */
  readonly mostAnswers?: number;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/** The options, by name. */
const OPTIONS = [
  ...["answers", "epsilon", "sensitivity", "threshold", "count", "queryError"],
  ...["granularity", "relation", "mostAnswers", "domain"],
];

/**
 * Above threshold, the sparse vector technique in its correct form (Dwork, Roth 2014, section 3.6;
 * Lyu, Su, Li 2017, Algorithm 1): the threshold gets Laplace noise of scale 2Δ/ε once, each answer
 * fresh noise of scale 4cΔ/ε, true is told where noisy answer ≥ noisy threshold, and after c times
 * true it stops. Forms without noise on answers, without the factor c, or that release the noisy
 * answer itself are not private (Lyu, Su, Li 2017, section 3) and not offered.
 *
 * Answers are rounded to the grid and the noise is exact, so that ties have the same probabilities on
 * neighbours as the proof needs.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @returns a mechanism whose output is true or false for each answer until it stops. Blocks hold 1 and 0,
 * and NaN after it stopped.
 * @throws {RangeError} when a parameter is out of range, or at release an answer is not finite.
 *
 * @example
 * ```ts
 * import { aboveThreshold } from "./sparse_vector.ts";
 * import { changeEach } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const alarms = aboveThreshold<number>({
 *   answers: (rows) => rows,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   threshold: 100,
 *   count: 1,
 *   relation: changeEach({ by: 1 }),
 * });
 * release(alarms, [3, 250, 7], { budget: openBudget(alarms.claim) }); // most likely [false, true]
 * ```
 */
export function aboveThreshold<Row>(
  options: SparseVectorOptions<Row>,
): Mechanism<Row, boolean[]> {
  requireFields("aboveThreshold", options, {
    answers: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call aboveThreshold()", options, OPTIONS);
  const { count, epsilon, relation, domain } = options;
  const claim = pure({ epsilon, relation });
  const parts = calibrate("above threshold", options, { threshold: 2, answer: 4 * count });
  return {
    name: "above threshold",
    claim,
    ...(domain === undefined ? {} : { domain }),
    check: (data) => void parts.centers(data),
    ...paddedBlocks<Row>({
      name: "above threshold",
      most: options.mostAnswers,
      prepare: (data) => {
        const at = parts.centers(data), { length } = at;
        return {
          length,
          fill(rows, { width, source }): void {
            const runs = rows.length / width;
            const shifts = parts.thresholdNoise.fill(source, new Float64Array(runs));
            const noise = parts.answerNoise.fill(source, new Float64Array(runs * length));
            for (let run = 0; run < runs; run++) {
              const limit = shifts[run]!;
              for (let i = 0, left = count; i < length && left > 0; i++) {
                const above = at[i]! + noise[run * length + i]! >= limit;
                rows[run * width + i] = Number(above);
                if (above) left--;
              }
            }
          },
        };
      },
    }),
    sample(data: Dataset<Row>, source: Source): boolean[] {
      const at = parts.centers(data);
      const limit = parts.thresholdNoise.fill(source, new Float64Array(1))[0]!;
      const noise = parts.answerNoise.fill(source, new Float64Array(at.length));
      const said: boolean[] = [];
      for (let i = 0, left = count; i < at.length && left > 0; i++) {
        const above = at[i]! + noise[i]! >= limit;
        said.push(above);
        if (above) left--;
      }
      return said;
    },
    logDensity: (output, data) =>
      transcriptLogProbability(output, parts.centers(data), parts, count),
    distribution(data: Dataset<Row>): { output: boolean[]; probability: number }[] {
      const at = parts.centers(data);
      return transcripts(at.length, count).map((output) => ({
        output,
        probability: Math.exp(transcriptLogProbability(output, at, parts, count)),
      }));
    },
  };
}

/**
 * The numeric sparse vector technique (Dwork, Roth 2014, Algorithm 3; Lyu, Su, Li 2017, section 3.1):
 * above threshold with a third of ε each for the threshold (scale 3Δ/ε), the comparisons (6cΔ/ε) and
 * the answers released in place of true, each with fresh noise of scale 3cΔ/ε. An answer below the
 * threshold gives null. It is not drawn in blocks: NaN would stand there both for null and for the end.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release an answer is not finite.
 *
 * @example
 * ```ts
 * import { numericSparseVector } from "./sparse_vector.ts";
 * import { changeEach } from "../../core/relations/relation.ts";
 * const peaks = numericSparseVector<number>({
 *   answers: (rows) => rows,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   threshold: 100,
 *   count: 2,
 *   relation: changeEach({ by: 1 }),
 * });
 * ```
 */
export function numericSparseVector<Row>(
  options: SparseVectorOptions<Row>,
): Mechanism<Row, (number | null)[]> {
  requireFields("numericSparseVector", options, {
    answers: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call numericSparseVector()", options, OPTIONS);
  const { count, epsilon, relation, domain } = options;
  const claim = pure({ epsilon, relation });
  const parts = calibrate("the numeric sparse vector", options, {
    threshold: 3,
    answer: 6 * count,
  });
  const releaseNoise = parts.noise(3 * count);
  return {
    name: "numeric sparse vector",
    claim,
    ...(domain === undefined ? {} : { domain }),
    check: (data) => void parts.centers(data),
    sample(data: Dataset<Row>, source: Source): (number | null)[] {
      const at = parts.centers(data);
      const limit = parts.thresholdNoise.fill(source, new Float64Array(1))[0]!;
      const noise = parts.answerNoise.fill(source, new Float64Array(at.length));
      const fresh = releaseNoise.fill(source, new Float64Array(count));
      const said: (number | null)[] = [];
      for (let i = 0, told = 0; i < at.length && told < count; i++) {
        const above = at[i]! + noise[i]! >= limit;
        said.push(above ? (parts.limit + (at[i]! + fresh[told]!)) * parts.granularity : null);
        if (above) told++;
      }
      return said;
    },
    logDensity(output: (number | null)[], data: Dataset<Row>): number {
      const at = parts.centers(data);
      const told = output.reduce<number>(
        (sum, value, i) =>
          value === null
            ? sum
            : sum + releaseNoise.logProbability(value / parts.granularity - parts.limit - at[i]!),
        0,
      );
      return told + transcriptLogProbability(output.map((v) => v !== null), at, parts, count);
    },
  };
}

interface Parts<Row> {
  readonly centers: (data: Dataset<Row>) => readonly number[];
  /** The threshold, in steps: answers are counted from it. */
  readonly limit: number;
  readonly granularity: number;
  readonly thresholdNoise: IntegerNoise;
  readonly answerNoise: IntegerNoise;
  /** Of scale `factor` times what one answer loses: factor · sensitivity/ε, in steps. */
  readonly noise: (factor: number) => IntegerNoise;
  /** Threshold noise worth summing over: beyond it less than e^−45. */
  readonly reach: number;
}

function calibrate<Row>(
  name: string,
  { answers, epsilon, threshold, count, mostAnswers, ...options }: SparseVectorOptions<Row>,
  factors: { threshold: number; answer: number },
): Parts<Row> {
  const action = `make ${name}`;
  requireInteger(action, "count", count, { min: 1, max: 2 ** 30 });
  if (mostAnswers !== undefined) requireInteger(action, "mostAnswers", mostAnswers, { min: 1 });
  if (!Number.isFinite(threshold)) {
    throw new RangeError(
      `Cannot ${action}: threshold must be a finite number: current value is ${threshold}`,
    );
  }
  const sensitivity = computedSensitivity(action, options);
  const scale = sensitivity * Math.min(factors.threshold, factors.answer) / epsilon;
  const granularity = gridStep(action, { ...options, sensitivity, scale, bits: COMPARED_BITS });
  const steps = gridSensitivity(action, { sensitivity, granularity });
  const limit = Math.round(threshold / granularity) + 0;
  if (!Number.isFinite(limit)) {
    throw new RangeError(
      `Cannot ${action}: threshold must be at most 2^1023 steps of the granularity: current value is ${threshold}`,
    );
  }
  const noise = (factor: number): IntegerNoise =>
    discreteLaplace({ scale: divide(rational(steps * factor), rational(epsilon)) });
  return {
    centers: evaluatedOnce((data: Dataset<Row>) =>
      answers(data).map((answer) => toGrid(`release ${name}`, answer, granularity, limit))
    ),
    limit,
    granularity,
    thresholdNoise: noise(factors.threshold),
    answerNoise: noise(factors.answer),
    noise,
    reach: Math.ceil(
      45 * toNumber(divide(rational(steps * factors.threshold), rational(epsilon))),
    ),
  };
}

/** Σ over the threshold's noise of its probability times those of the comparisons given it. */
function transcriptLogProbability<Row>(
  said: readonly boolean[],
  at: readonly number[],
  { thresholdNoise, answerNoise, reach }: Parts<Row>,
  count: number,
): number {
  const told = said.filter((above) => above).length;
  const stopped = told === count && said.at(-1) === true;
  const complete = stopped || (said.length === at.length && told < count);
  if (said.length > at.length || !complete) return -Infinity;
  // The terms are largest between no noise and what brings the threshold to the furthest answer.
  const from = at.reduce((least, answer) => Math.min(least, answer), 0) - reach;
  const to = at.reduce((most, answer) => Math.max(most, answer), 0) + reach;
  const logs = new Float64Array(to - from + 1);
  for (let shift = from; shift <= to; shift++) {
    let log = thresholdNoise.logProbability(shift);
    for (let i = 0; i < said.length; i++) {
      const gap = shift - at[i]!;
      // P(noise < gap) = P(noise ≥ 1 − gap), for the noise is even.
      log += answerNoise.logUpperTail(said[i] ? gap : 1 - gap);
    }
    logs[shift - from] = log;
  }
  return logSumExp(logs);
}

/** Every list that the technique can tell of so many answers. */
function transcripts(length: number, count: number): boolean[][] {
  if (count === 0 || length === 0) return [[]];
  const lists = [
    ...transcripts(length - 1, count).map((rest) => [false, ...rest]),
    ...transcripts(length - 1, count - 1).map((rest) => [true, ...rest]),
  ];
  if (lists.length > MOST_ENUMERATED) {
    throw new RangeError(
      `Cannot enumerate transcripts: there must be at most ${MOST_ENUMERATED}: answers are ${length}`,
    );
  }
  return lists;
}
