import { requireKnown } from "../../../core/text/known_options.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundDown, roundUp } from "../../../core/numeric/round_outward.ts";
import {
  type PrivacyParameters,
  type PrivacyTotal,
  requireParameters,
  requireSlack,
} from "./privacy_parameters.ts";

/** The printed theorem, or its sharper drift term. */
export type AdvancedForm = "dwork-roth" | "tanh";

/** Number of runs, and the δ′ paid for a smaller ε. */
export interface AdvancedOptions {
  /** A whole number of runs. */
  readonly count: number;
  /** δ′ of the theorem, added to the parts' own δ. */
  readonly slack: number;
  /** `"dwork-roth"` when left out. */
  readonly form?: AdvancedForm;
}

/** Relative error of a few roundings of elementary functions. */
const RELATIVE_ERROR = 1e-14;

function requireAdvanced(action: string, { count, slack }: AdvancedOptions): void {
  requireInteger(action, "count", count, { min: 0 });
  requireSlack(action, slack);
}

/**
 * Returns the ε and δ of advanced composition: `count` adaptive runs of an (ε, δ)-DP mechanism are (ε′, count·δ + slack)-DP
 * for ε′ = √(2·count·ln(1/slack))·ε + count·ε·(e^ε − 1) (Dwork, Roth 2014, Theorem 3.20; Dwork,
 * Rothblum, Vadhan 2010).
 *
 * With the form `"tanh"` the second term is count·ε·(e^ε − 1)/(e^ε + 1), the most that the expected
 * loss can be (Kairouz, Oh, Viswanath 2015, Theorem 3.4, first bound).
 *
 * Rounded up. It may exceed basic composition, for few runs or a large ε: take the smaller.
 *
 * @throws {RangeError} when ε is negative, δ outside [0, 1), count not a whole number or slack not in
 * (0, 1).
 *
 * @example
 * ```ts
 * import { advancedComposition } from "./advanced_composition.ts";
 * advancedComposition({ epsilon: 0.1 }, { count: 100, slack: 1e-6 }); // ε = 6.3, where basic gives 10
 * ```
 */
export function advancedComposition(
  part: PrivacyParameters,
  options: AdvancedOptions,
): PrivacyTotal {
  requireKind("advancedComposition", "part", part, "record");
  requireFields("advancedComposition", options, {});
  requireKnown("call advancedComposition()", options, ["count", "slack", "form"]);
  requireParameters("compose", part);
  requireAdvanced("compose", options);
  const { count, slack } = options;
  if (count === 0) return { epsilon: 0, delta: 0 };
  return {
    epsilon: roundUp(advancedEpsilon(part.epsilon, options), { relativeError: RELATIVE_ERROR }),
    delta: Math.min(
      1,
      roundUp(count * (part.delta ?? 0) + slack, { relativeError: RELATIVE_ERROR }),
    ),
  };
}

function advancedEpsilon(
  epsilon: number,
  { count, slack, form = "dwork-roth" }: AdvancedOptions,
): number {
  const drift = form === "tanh" ? Math.tanh(0.5 * epsilon) : Math.expm1(epsilon);
  return Math.sqrt(-2 * count * Math.log(slack)) * epsilon + count * epsilon * drift;
}

/**
 * The largest ε that each of `count` mechanisms may have so that {@linkcode advancedComposition} still
 * gives `epsilon`; rounded down.
 *
 * @throws {RangeError} unless ε is positive, count a positive integer and slack in (0, 1).
 *
 * @example
 * ```ts
 * import { advancedEpsilonOfEach } from "./advanced_composition.ts";
 * advancedEpsilonOfEach({ epsilon: 1, count: 10_000, slack: Math.exp(-32) }); // 1/812.3
 * ```
 */
export function advancedEpsilonOfEach(
  given: { epsilon: number } & AdvancedOptions,
): number {
  const { epsilon, ...options } = requireFields("advancedEpsilonOfEach", given, {});
  requireKnown("call advancedEpsilonOfEach()", given, ["epsilon", "count", "slack", "form"]);
  requirePositive("share a privacy loss", "epsilon", epsilon);
  requireInteger("share a privacy loss", "count", options.count, { min: 1 });
  requireSlack("share a privacy loss", options.slack);
  // ε′ is increasing in ε, and above √(2·count·ln(1/slack))·ε alone.
  let low = 0, high = epsilon / Math.sqrt(-2 * options.count * Math.log(options.slack));
  for (let step = 0; step < 200 && high > low; step++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (advancedEpsilon(middle, options) <= epsilon) low = middle;
    else high = middle;
  }
  return roundDown(low, { relativeError: 2 * RELATIVE_ERROR });
}
