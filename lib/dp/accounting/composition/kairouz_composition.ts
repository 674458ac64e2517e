import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { basicComposition } from "./basic_composition.ts";
import { type PrivacyParameters, type PrivacyTotal, requireSlack } from "./privacy_parameters.ts";

/** Of each term below. */
const RELATIVE_ERROR = 1e-14;

/**
 * Advanced composition of mechanisms with different ε and δ, in closed form for any number of them:
 * with D = Σ ε_i·(e^(ε_i) − 1)/(e^(ε_i) + 1) and V = Σ ε_i², all are (ε, 1 − (1 − slack)·Π(1 − δ_i))-DP for
 * the least of Σε_i, D + √(2V·ln(1/slack)) and D + √(2V·ln(e + √V/slack)) (Kairouz, Oh, Viswanath 2015,
 * Theorem 3.5). Rounded up; parts whose ε and δ are 0 cost nothing.
 *
 * If Σε_i is the smallest bound, slack buys nothing but still counts in δ: use {@linkcode basicComposition}.
 *
 * @throws {RangeError} when a part's ε or δ is out of range or slack is not in (0, 1).
 *
 * @example
 * ```ts
 * import { kairouzComposition } from "./kairouz_composition.ts";
 * kairouzComposition([{ epsilon: 0.1 }, { epsilon: 0.2, delta: 1e-9 }], { slack: 1e-6 });
 * ```
 */
export function kairouzComposition(
  parts: readonly PrivacyParameters[],
  options: { slack: number },
): PrivacyTotal {
  requireKind("kairouzComposition", "parts", parts, "list");
  const { slack } = requireFields("kairouzComposition", options, {});
  requireKnown("call kairouzComposition()", options, ["slack"]);
  requireSlack("compose", slack);
  const basic = basicComposition(parts);
  let drift = 0, squares = 0, logKept = Math.log1p(-slack);
  for (const { epsilon, delta = 0 } of parts) {
    drift += epsilon * Math.tanh(0.5 * epsilon);
    squares += epsilon * epsilon;
    logKept += Math.log1p(-delta);
  }
  const spread = Math.min(
    Math.sqrt(-2 * squares * Math.log(slack)),
    Math.sqrt(2 * squares * Math.log(Math.E + Math.sqrt(squares) / slack)),
  );
  const relativeError = RELATIVE_ERROR + 2 * Number.EPSILON * parts.length;
  return {
    epsilon: Math.min(
      // Of doubles, which may be above their decimals.
      roundUp(basic.epsilon, { relativeError: Number.EPSILON }),
      roundUp(drift + spread, { relativeError }),
    ),
    delta: Math.min(1, roundUp(-Math.expm1(logKept), { relativeError })),
  };
}
