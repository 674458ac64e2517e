import { approximate } from "../../core/claims/claim_of_amounts.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { share } from "../accounting/budget/share.ts";
import type { Amount } from "../../core/numeric/amount.ts";
import { divide, rational } from "../../core/numeric/rational.ts";
import { requireChance, requireOneOf } from "../../core/numeric/require.ts";
import { bernoulli } from "../../core/random/bernoulli.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import { type Prepared, readingInMemory, rowsAsked, type View } from "./ask.ts";
import { cellOf } from "./column_values.ts";
import type { Found, Plan } from "./engine/plan.ts";
import type { ContributionBounds } from "./sensitivity.ts";

/** Rule by which keys that are not public are chosen. */
export interface SelectionRule {
  /** Price of the choice. */
  readonly epsilon: Amount;
  /** The chance that a choice tells of one unit for certain. */
  readonly delta: Amount;
  /**
   * "optimal": each key with the largest probability that (ε, δ) allows for its number of units (Desfontaines, Voss, Gipson, Mandayam 2022).
   * "laplace": keys whose number of units with Laplace noise reaches a threshold (Korolova, Kenthapadi, Mishra, Ntoulas 2009).
   */
  readonly rule: "optimal" | "laplace";
}

/** Of one key: what it may cost that one unit has it or not. */
export interface KeyPrice {
  readonly epsilon: number;
  readonly delta: number;
}

/** A rule for keys. */
export interface KeyRule {
  /** Whether a key of so many units, at least 1, is chosen. */
  readonly draw: (units: number, source: Source) => boolean;
  /** The probability of it; exact for the optimal rule. */
  readonly probability: (units: number) => number;
}

/**
 * Returns the price of each key. A unit that is added or removed is in so many keys, and their costs add up. One that is replaced is removed, and another added:
 * two steps of (ε/2, δ′) are (ε, δ′ + e^(ε/2)·δ′).
 */
export function keyPrice(
  { epsilon, delta }: KeyPrice,
  { groups, addRemove }: { readonly groups: number; readonly addRemove: boolean },
): KeyPrice {
  if (addRemove) return { epsilon: share(epsilon, groups), delta: share(delta, groups) };
  return {
    epsilon: share(epsilon, 2 * groups),
    delta: delta / (1 + Math.exp(epsilon / 2)) / groups * (1 - 1e-14),
  };
}

/**
 * The optimal rule, π(0) = 0 and π(n + 1) = min(e^ε·π(n) + δ, 1 − e^−ε·(1 − π(n) − δ), 1), of Theorem 1 of Desfontaines et al., rounded down, and
 * drawn with exactly the probabilities that are doubles. Next to 1 the rounding may stop it from rising; where 1 − π(n) < δ, π(n + 1) = 1.
 */
export function optimalRule({ epsilon, delta }: KeyPrice): KeyRule {
  const margin = 2 ** -48, chances = [0];
  const probability = (units: number): number => {
    for (let last = chances.at(-1)!; chances.length <= units && last < 1;) {
      const rising = (Math.exp(epsilon) * last + delta) * (1 - margin);
      const closing = 1 - Math.exp(-epsilon) * (1 - last - delta) - margin;
      last = 1 - last < delta ? 1 : Math.max(last, Math.min(rising, closing));
      // It rises no more.
      if (last === chances.at(-1)) return last;
      chances.push(last);
    }
    return chances[Math.min(units, chances.length - 1)]!;
  };
  return {
    probability,
    draw: (units, source) =>
      bernoulli(source, new Uint8Array(1), { probability: probability(units) })[0] === 1,
  };
}

/** Laplace noise of scale 1/ε on the number of units, and the least threshold that one unit reaches with a probability of at most δ. */
export function laplaceRule(
  { epsilon, delta }: KeyPrice,
): KeyRule & { readonly threshold: number } {
  const law = discreteLaplace({ scale: divide(rational(1), rational(epsilon)) });
  const most = Math.log(delta) - 1e-9;
  // P(X ≥ t) = e^(−εt)/(1 + e^−ε) for t ≥ 1.
  let threshold = Math.max(1, Math.ceil((-most - Math.log1p(Math.exp(-epsilon))) / epsilon)) + 1;
  while (law.logUpperTail(threshold - 1) > most) threshold++;
  return {
    threshold,
    probability: (units) => units === 0 ? 0 : Math.exp(law.logUpperTail(threshold - units)),
    draw: (units, source) => units + law.fill(source, new Float64Array(1))[0]! >= threshold,
  };
}

/** A choice of keys that was prepared: keys in the order of their texts. */
export interface AskedKeys extends Prepared<readonly string[]> {
  /** The units of each key. */
  readonly units: ReadonlyMap<string, number>;
  readonly rule: KeyRule;
}

/** Prepares a choice among the values of a column. */
export function askedKeys(
  view: View,
  { column, bounds, epsilon, delta, rule }: SelectionRule & {
    readonly column: string;
    readonly bounds: ContributionBounds;
  },
): AskedKeys {
  const action = "select keys", { groups } = bounds;
  requireOneOf(action, "rule", rule, ["optimal", "laplace"]);
  const { relation, addRemove } = view.schema;
  const claim = approximate({ epsilon, delta, relation });
  requireChance(action, "delta", claim.delta);
  const price = keyPrice(claim, { groups, addRemove });
  const ruled = rule === "optimal" ? optimalRule(price) : laplaceRule(price);
  const units = new Map<string, number>();
  const plans = (source: Pick<Source, "uint32">): readonly Plan[] => [{
    ...rowsAsked(view, bounds, source),
    parts: [],
    clipped: undefined,
    wanted: { kind: "units", cell: cellOf(view.schema, column) },
  }];
  const receive = ([found]: readonly Found[]): void => {
    if (found!.kind !== "units") {
      throw new TypeError(
        `Cannot answer: an engine must give units: current kind is ${found!.kind}`,
      );
    }
    units.clear();
    found!.units.forEach((count, key) => units.set(key, count));
  };
  return {
    claim,
    alsoKeeps: [],
    rule: ruled,
    units,
    plans,
    receive,
    open: readingInMemory({ plans, receive }),
    draw: (source) =>
      [...units].sort(([a], [b]) => a < b ? -1 : 1)
        .filter(([, count]) => ruled.draw(count, source)).map(([key]) => key),
  };
}
