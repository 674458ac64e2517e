import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";
import type { RandomisationOperator } from "./randomisation_operator.ts";

/** A set of values, such as "the age is above 80". */
export type Property = (value: number) => boolean;

/** Probability of a property before and after an output was seen. */
export interface Belief {
  /** The probability before. */
  readonly prior: number;
  /** The probability after. */
  readonly posterior: number;
}

/** Throws unless `prior` has an entry of at least 0 for each input and sums to 1 (within 1e-9). */
export function requirePrior(prior: readonly number[], operator: RandomisationOperator): void {
  const action = "measure a randomisation operator";
  requireInteger(action, "the number of prior probabilities", prior.length, {
    min: operator.inputs,
    max: operator.inputs,
  });
  const sum = prior.reduce((total, probability) => total + probability, 0);
  if (!(prior.every((probability) => probability >= 0) && Math.abs(sum - 1) <= 1e-9)) {
    throw new RangeError(
      `Cannot ${action}: prior must be at least 0 everywhere and sum to 1: current sum is ${sum}`,
    );
  }
}

/**
 * The distribution of the value given that `output` was seen, by Bayes' rule; `undefined` when that
 * output is impossible.
 *
 * @throws {RangeError} when the prior does not fit the operator or there is no such output.
 */
export function posteriorOf(
  prior: readonly number[],
  options: { operator: RandomisationOperator; output: number },
): readonly number[] | undefined {
  requireKind("posteriorOf", "prior", prior, "list");
  const { operator, output } = requireFields("posteriorOf", options, { operator: "record" });
  requirePrior(prior, operator);
  requireInteger("measure a randomisation operator", "output", output, {
    min: 0,
    max: operator.outputs - 1,
  });
  const joint = prior.map((probability, value) =>
    probability * operator.probability(value, output)
  );
  const evidence = joint.reduce((sum, probability) => sum + probability, 0);
  return evidence > 0 ? joint.map((probability) => probability / evidence) : undefined;
}

/**
 * Returns the belief in a property before and after `output` is seen; `undefined` when that output is impossible.
 *
 * @throws {RangeError} as {@linkcode posteriorOf}.
 *
 * @example
 * ```ts
 * import { beliefIn } from "./privacy_breach.ts";
 * import { replaceByAnother } from "./randomisation_operator.ts";
 * const prior = Array.from({ length: 1001 }, (_, value) => value === 0 ? 0.01 : 0.00099);
 * const operator = replaceByAnother({ size: 1001, keep: 0.2 });
 * beliefIn((x) => x === 0, { prior, operator, output: 0 }); // 1% before, 71.6% after
 * ```
 */
export function beliefIn(
  property: Property,
  options: {
    prior: readonly number[];
    operator: RandomisationOperator;
    output: number;
  },
): Belief | undefined {
  requireKind("beliefIn", "property", property, "function");
  const { prior, operator, output } = requireFields("beliefIn", options, {
    prior: "list",
    operator: "record",
  });
  const posterior = posteriorOf(prior, { operator, output });
  if (posterior === undefined) return undefined;
  const within = (probabilities: readonly number[]): number =>
    Math.min(1, probabilities.reduce((sum, p, value) => property(value) ? sum + p : sum, 0));
  return { prior: within(prior), posterior: within(posterior) };
}

/** Probabilities that count as very unlikely (`rho1`) and as very likely (`rho2`). */
export interface BreachLevels {
  /** Very unlikely, such as 0.14. */
  readonly rho1: number;
  /** Very likely, such as 0.5. */
  readonly rho2: number;
}

/** Throws unless 0 < rho1 < rho2 < 1. */
export function requireLevels({ rho1, rho2 }: BreachLevels): void {
  if (!(rho1 > 0 && rho1 < rho2 && rho2 < 1)) {
    throw new RangeError(
      "Cannot look for breaches: rho1 and rho2 must be in (0, 1), in this order: " +
        `current values are ${rho1} and ${rho2}`,
    );
  }
}

/**
 * Returns the kind of privacy breach that a change of belief is, `undefined` for none (Evfimievski, Gehrke, Srikant 2003):
 * `"straight"` from at most rho1 to at least rho2, `"inverse"` from at least rho2 to at most rho1.
 *
 * @throws {RangeError} unless 0 < rho1 < rho2 < 1.
 */
export function breachIn(
  options: Belief,
  levels: BreachLevels,
): "straight" | "inverse" | undefined {
  const { prior, posterior } = requireFields("breachIn", options, {});
  requireKind("breachIn", "levels", levels, "record");
  requireLevels(levels);
  if (prior <= levels.rho1 && posterior >= levels.rho2) return "straight";
  if (prior >= levels.rho2 && posterior <= levels.rho1) return "inverse";
  return undefined;
}

/** A breach that was found: the values that the property holds for, and what was seen. */
export interface Breach extends Belief {
  /** Which way belief went. */
  readonly kind: "straight" | "inverse";
  /** The values that have the property. */
  readonly values: readonly number[];
  /** Observed output. */
  readonly output: number;
}

/** A breach, or whether there is proof that no property has one. */
export type BreachSearch =
  | { readonly found: Breach }
  | { readonly found: undefined; readonly ruledOut: boolean };

/**
 * Looks through all properties, of which there are 2^inputs, for a breach under one prior.
 *
 * For each output the values are taken in the order of how much likelier the output makes them. The
 * first of them up to a prior of rho1 make the property that gains most; with a fraction of the next
 * value, they bound what any property can gain (the knapsack problem's relaxation). When neither side
 * of that decides, `ruledOut` is false. An inverse breach is the straight breach of the property's
 * opposite, at levels 1 − rho2 and 1 − rho1.
 *
 * @throws {RangeError} when the prior does not fit, or unless 0 < rho1 < rho2 < 1.
 */
export function findBreach(
  operator: RandomisationOperator,
  options: { prior: readonly number[] } & BreachLevels,
): BreachSearch {
  requireKind("findBreach", "operator", operator, "record");
  const { prior, rho1, rho2 } = requireFields("findBreach", options, { prior: "list" });
  requireLevels({ rho1, rho2 });
  let ruledOut = true;
  for (let output = 0; output < operator.outputs; output++) {
    const posterior = posteriorOf(prior, { operator, output });
    if (posterior === undefined) continue;
    const { bound, ...straight } = mostGained(prior, { posterior, allowed: rho1 });
    if (straight.posterior >= rho2) {
      return { found: { kind: "straight", output, ...straight } };
    }
    const opposite = mostGained(prior, { posterior, allowed: 1 - rho2 });
    if (opposite.posterior >= 1 - rho1) {
      const excluded = new Set(opposite.values);
      return {
        found: {
          kind: "inverse",
          output,
          prior: 1 - opposite.prior,
          posterior: 1 - opposite.posterior,
          values: prior.map((_, value) => value).filter((value) => !excluded.has(value)),
        },
      };
    }
    ruledOut &&= bound < rho2 && opposite.bound < 1 - rho1;
  }
  return { found: undefined, ruledOut };
}

interface Gain extends Belief {
  /** The values that have the property. */
  readonly values: readonly number[];
  /** No property of that prior has a larger posterior. */
  readonly bound: number;
}

function mostGained(
  prior: readonly number[],
  { posterior, allowed }: { posterior: readonly number[]; allowed: number },
): Gain {
  const order = prior.map((_, value) => value).filter((value) => prior[value]! > 0)
    .sort((a, b) => posterior[b]! / prior[b]! - posterior[a]! / prior[a]!);
  const values: number[] = [];
  let before = 0, after = 0, bound: number | undefined;
  for (const value of order) {
    const p = prior[value]!;
    if (before + p <= allowed) {
      values.push(value);
      before += p;
      after += posterior[value]!;
    } else {
      // The first value that does not fit closes the bound; later, lighter ones may still fit.
      bound ??= after + (posterior[value]! * (allowed - before)) / p;
    }
  }
  return { prior: before, posterior: after, values, bound: (bound ?? after) + 1e-12 };
}
