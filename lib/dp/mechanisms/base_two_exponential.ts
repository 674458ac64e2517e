import { requireKnown } from "../../core/text/known_options.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { toNumber } from "../../core/numeric/rational.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { weightedIndex } from "../../core/random/weighted_index.ts";
import {
  asComputed,
  selection,
  SELECTION_FIELDS,
  SELECTION_OPTIONS,
  type SelectionOptions,
  selectionRate,
} from "./exponential_mechanism.ts";
import { fromBest, gridSensitivity, gridStep } from "./grid.ts";

/** Utilities further below the best than this many steps are counted as this far. */
const MOST_STEPS = 100_000;

/**
 * The base-2 exponential mechanism (Ilvento 2020): utilities are rounded to whole steps of
 * `granularity`, and a candidate s steps below the best has probability ∝ (x/2^bits)^s, a fraction, so
 * that the weights are whole numbers and an exact uniform integer chooses. x is the least integer with
 * x/2^bits ≥ exp(−ε/(2·⌈sensitivity/granularity⌉)), or exp(−ε/⌈…⌉) for monotone utilities: the loss is
 * at most ε.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a utility is not finite.
 *
 * @example
 * ```ts
 * import { baseTwoExponential } from "./base_two_exponential.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const colour = baseTwoExponential<string, string>({
 *   candidates: ["red", "green"],
 *   utilities: (rows) => ["red", "green"].map((name) => rows.filter((row) => row === name).length),
 *   epsilon: 1,
 *   sensitivity: 1,
 *   monotone: false,
 *   bits: 20,
 *   relation: replaceOne,
 * });
 * ```
 */
export function baseTwoExponential<Row, Candidate>(
  stated: SelectionOptions<Row, Candidate> & {
    /** The step to which utilities are rounded: a power of two. Default: a sixteenth of the sensitivity, or less. */
    readonly granularity?: number | undefined;
    /** Binary digits of the base. */
    readonly bits: number;
  },
): Mechanism<Row, Candidate> {
  requireFields("baseTwoExponential", stated, SELECTION_FIELDS);
  requireKnown("call baseTwoExponential()", stated, [...SELECTION_OPTIONS, "granularity", "bits"]);
  const action = "make the base-2 exponential mechanism";
  const options = asComputed(action, stated);
  const { epsilon, sensitivity, bits, monotone } = options;
  selectionRate(action, options);
  const granularity = gridStep(action, {
    granularity: stated.granularity,
    sensitivity,
    scale: sensitivity,
    bits: 4,
  });
  requireInteger(action, "bits", bits, { min: 1, max: 48 });
  const steps = gridSensitivity(action, { sensitivity, granularity });
  // One unit above the double result: never below the exponential it stands for.
  const numerator = Math.ceil(
    Math.exp(-epsilon / (steps * (monotone ? 1 : 2))) * (1 + 2 ** -50) * 2 ** bits,
  );
  if (numerator >= 2 ** bits) {
    throw new RangeError(
      `Cannot ${action}: bits must be enough to tell exp(-epsilon/(2*sensitivity)) from 1: current value is ${bits}`,
    );
  }
  const weights = (utilities: readonly number[]): bigint[] => {
    // Bringing far scores nearer moves no two neighbours' scores apart.
    const below = fromBest("release", utilities, granularity)
      .map((score) => Math.min(MOST_STEPS, -score));
    const furthest = below.reduce((a, b) => Math.max(a, b), 0);
    return below.map((s) => BigInt(numerator) ** BigInt(s) << BigInt(bits * (furthest - s)));
  };
  return selection("base-2 exponential mechanism", options, {
    boundedRange: true,
    chooser: (utilities) => weightedIndex(weights(utilities)),
    probabilities: (utilities) => {
      const all = weights(utilities);
      const total = all.reduce((a, b) => a + b);
      return all.map((weight) => toNumber({ numerator: weight, denominator: total }));
    },
  });
}
