import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { basicComposition } from "./basic_composition.ts";
import { type CompositionGroup, optimalEpsilon } from "./optimal_composition.ts";
import { type PrivacyParameters, type PrivacyTotal, requireSlack } from "./privacy_parameters.ts";

/** Of each term below. */
const RELATIVE_ERROR = 1e-14;

/** Combinations of losses up to which the optimal bound is computed. */
const MOST_COMBINATIONS = 20_000;

/**
 * Returns the ε and δ of advanced composition of mechanisms with different ε and δ, in closed form for any number of them:
 * with D = Σ ε_i·(e^(ε_i) − 1)/(e^(ε_i) + 1) and V = Σ ε_i², all are (ε, 1 − (1 − slack)·Π(1 − δ_i))-DP for
 * the least of Σε_i, D + √(2V·ln(1/slack)) and D + √(2V·ln(e + √V/slack)) (Kairouz, Oh, Viswanath 2015,
 * Theorem 3.5). Rounded up; parts whose ε and δ are 0 cost nothing. Where the parts are of few kinds, up to 20,000 combinations of losses, ε is the optimal one for this δ
 * ({@linkcode optimalEpsilon}), which is up to 30% less.
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
  const total = Math.min(1, roundUp(-Math.expm1(logKept), { relativeError }));
  return {
    epsilon: Math.min(
      optimalOf(parts, total),
      // Of doubles, which may be above their decimals.
      roundUp(basic.epsilon, { relativeError: Number.EPSILON }),
      roundUp(drift + spread, { relativeError }),
    ),
    delta: total,
  };
}

/** The least ε that holds for all such mechanisms with this δ; Infinity where it is not computed. */
function optimalOf(parts: readonly PrivacyParameters[], delta: number): number {
  if (!(delta < 1)) return Infinity;
  const groups = new Map<string, CompositionGroup>();
  for (const { epsilon, delta: own = 0 } of parts) {
    if (epsilon === 0 && own === 0) continue;
    const key = `${epsilon} ${own}`, count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { epsilon, delta: own, count });
  }
  const each = [...groups.values()];
  const combinations = each.reduce((product, { count }) => product * (count + 1), 1);
  if (combinations > MOST_COMBINATIONS) return Infinity;
  return optimalEpsilon(each, { delta }) ?? Infinity;
}
