import { requireKnown } from "../../core/text/known_options.ts";
import { alsoOfBoundedRange } from "../../core/claims/bounded_range.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import { type FieldKind, requireFields, requirePositive } from "../../core/numeric/require.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../core/numeric/rational.ts";
import { exactChoice } from "../../core/random/exact_choice.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import { computedSensitivity } from "./grid.ts";

/** Options of a mechanism that selects among candidates. */
export interface SelectionOptions<Row, Candidate> {
  /** Candidates to choose from; not empty. */
  readonly candidates: readonly Candidate[];
  /** Returns the utility of each candidate on the data, in their order: finite numbers, larger is better. */
  readonly utilities: (data: Dataset<Row>) => readonly number[];
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The most one utility changes between neighbours. */
  readonly sensitivity: number;
  /**
   * The most that a utility as computed differs from the exact one, for which the sensitivity holds: the law pays for it.
   * Default 0: utilities are not rounded, as counts.
   */
  readonly queryError?: number | undefined;
  /**
   * True if between neighbours all utilities change in the same direction (counts when a row is
   * added, say): then half the noise is enough. With a `queryError` it is not, for rounding has any direction.
   */
  readonly monotone: boolean;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/**
 * The exponential mechanism (McSherry, Talwar 2007, Theorem 6): a candidate with probability
 * ∝ exp(ε·utility/(2·sensitivity)), without the 2 when utilities are monotone. The choice is exact for
 * the doubles that the utilities are: no exponential is rounded. The log-ratio of probabilities varies by at most ε
 * between neighbours, so it also keeps ε²/8-zCDP (Cesar, Rogers 2021).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a utility is not finite.
 *
 * @example
 * ```ts
 * import { exponentialMechanism } from "./exponential_mechanism.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const favourite = exponentialMechanism<string, string>({
 *   candidates: ["tea", "coffee"],
 *   utilities: (rows) => ["tea", "coffee"].map((name) => rows.filter((row) => row === name).length),
 *   epsilon: 1,
 *   sensitivity: 1,
 *   monotone: true,
 *   relation: addRemoveOne,
 * });
 * release(favourite, ["tea", "tea"], { budget: openBudget(favourite.claim) });
 * ```
 */
export function exponentialMechanism<Row, Candidate>(
  stated: SelectionOptions<Row, Candidate>,
): Mechanism<Row, Candidate> {
  requireFields("exponentialMechanism", stated, SELECTION_FIELDS);
  requireKnown("call exponentialMechanism()", stated, [
    ...SELECTION_OPTIONS,
    "noise",
    "granularity",
  ]);
  const options = asComputed("make the exponential mechanism", stated);
  const rate = selectionRate("make the exponential mechanism", options);
  const perUnit = options.epsilon / options.sensitivity / (options.monotone ? 1 : 2);
  return selection("exponential mechanism", options, {
    boundedRange: true,
    chooser: (utilities) =>
      exactChoice(
        utilities.map((utility) => ({ exponent: multiply(rational(-utility), rate) })),
      ),
    probabilities: (utilities) => {
      const scores = utilities.map((utility) => utility * perUnit);
      const total = logSumExp(scores);
      return scores.map((score) => Math.exp(score - total));
    },
  });
}

/** Options that every choice among candidates takes. */
export const SELECTION_OPTIONS: readonly string[] = [
  ...["candidates", "utilities", "epsilon", "sensitivity"],
  ...["queryError", "monotone", "relation", "domain"],
];

/** Kinds of the options of a selection. */
export const SELECTION_FIELDS: Readonly<Record<string, FieldKind | `${FieldKind}?`>> = {
  candidates: "list",
  utilities: "function",
  relation: "relation",
  domain: "record?",
};

/** The options as they hold of utilities that are computed with an error. */
export function asComputed<
  Options extends Pick<
    SelectionOptions<never, unknown>,
    "sensitivity" | "queryError" | "monotone"
  >,
>(action: string, options: Options): Options {
  // Whatever else is true would count as monotone, with half the noise.
  if (typeof options.monotone !== "boolean") {
    throw new RangeError(
      `Cannot ${action}: monotone must be true or false: current value is ${options.monotone}`,
    );
  }
  return {
    ...options,
    sensitivity: computedSensitivity(action, options),
    monotone: options.monotone && (options.queryError ?? 0) === 0,
  };
}

/** ε/(2·sensitivity), or ε/sensitivity for monotone utilities, as a fraction. */
export function selectionRate(
  action: string,
  { epsilon, sensitivity, monotone, candidates }: Pick<
    SelectionOptions<never, unknown>,
    "epsilon" | "sensitivity" | "monotone" | "candidates"
  >,
): Rational {
  requirePositive(action, "epsilon", epsilon);
  requirePositive(action, "sensitivity", sensitivity);
  if (candidates.length === 0) {
    throw new RangeError(`Cannot ${action}: candidates must not be empty: current number is 0`);
  }
  return divide(rational(epsilon), rational(monotone ? sensitivity : 2 * sensitivity));
}

/** Draws an index and computes its probabilities, for one law of selection. */
export interface SelectionLaw {
  /** Prepares draws of an index for these utilities. */
  readonly chooser: (utilities: readonly number[]) => (source: Source) => number;
  /** The probability of each index. */
  readonly probabilities: (utilities: readonly number[]) => readonly number[];
  /** True if log-ratios of probabilities vary by at most ε over the candidates: then ε²/8-zCDP holds too. */
  readonly boundedRange: boolean;
}

/** The mechanism that selects a candidate by a law; numeric candidates come in blocks too. */
export function selection<Row, Candidate>(
  name: string,
  { candidates, utilities, epsilon, relation, domain }: SelectionOptions<Row, Candidate>,
  { chooser, probabilities, boundedRange }: SelectionLaw,
): Mechanism<Row, Candidate> {
  const scored = evaluatedOnce((data: Dataset<Row>): readonly number[] => {
    const scores = utilities(data);
    if (scores.length !== candidates.length) {
      throw new RangeError(
        `Cannot release ${name}: utilities must be as many as candidates: current numbers are ${scores.length} and ${candidates.length}`,
      );
    }
    if (!scores.every(Number.isFinite)) {
      throw new RangeError(`Cannot release ${name}: utilities must be finite`);
    }
    return scores;
  });
  const values = candidates.every((candidate) => typeof candidate === "number")
    ? candidates as readonly number[]
    : undefined;
  return {
    name,
    claim: pure({ epsilon, relation }),
    ...(boundedRange ? { alsoKeeps: alsoOfBoundedRange({ epsilon, relation }) } : {}),
    ...(domain === undefined ? {} : { domain }),
    check: (data) => void scored(data),
    sample: (data, source) => candidates[chooser(scored(data))(source)]!,
    ...(values === undefined ? {} : {
      width: 1,
      sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
        const choose = chooser(scored(data));
        const out = new Float64Array(count);
        for (let i = 0; i < count; i++) out[i] = values[choose(source)]!;
        return out;
      },
    }),
    distribution(data: Dataset<Row>): { output: Candidate; probability: number }[] {
      const chances = probabilities(scored(data));
      return candidates.map((output, i) => ({ output, probability: chances[i]! }));
    },
  };
}

/** Returns the exact difference between the best utility and each one. */
export function shortfalls(utilities: readonly number[]): Rational[] {
  const best = rational(utilities.reduce((a, b) => Math.max(a, b), -Infinity));
  return utilities.map((utility) => subtract(best, rational(utility)));
}
