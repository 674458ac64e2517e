import { rational } from "../../../core/numeric/rational.ts";
import { type Polynomial, polynomial } from "../polynomial.ts";
import { nonNegativeFrom } from "../sturm.ts";
import { differencesOf, type LawsOfPair } from "./compare_laws.ts";
import { type ExponentialSum, leastExponent } from "./exponential_sum.ts";
import { gcd, type OutcomeUnits } from "./law_outcomes.ts";

/** Inequalities up to which they are decided for all t, and the degree up to which each is. */
const MOST_INEQUALITIES = 20_000, MOST_DEGREE = 120;

/** An inequality e^ε·Q(o) − P(o) ≥ 0 as a polynomial in t, for t ≥ 1. */
export interface OutputInequality {
  /** Which pair, by its place; odd places are reversed pairs. */
  readonly pair: number;
  readonly key: string;
  readonly polynomial: Polynomial;
}

/** The inequalities of a pure claim in t = e^(ε/power). */
export interface Inequalities {
  readonly power: number;
  readonly inequalities: readonly OutputInequality[];
}

/**
 * Returns the inequalities of complete laws as polynomials in one t, where all exponents and ε are whole multiples of one number with
 * few of them; `undefined` where they are not.
 */
export function inequalitiesOf(
  pairs: readonly LawsOfPair[],
  { epsilon, units }: { readonly epsilon: number; readonly units: OutcomeUnits },
): Inequalities | undefined {
  if (pairs.reduce((sum, { left }) => sum + left.outputs.size, 0) > MOST_INEQUALITIES) {
    return undefined;
  }
  const sums: { pair: number; key: string; sum: ExponentialSum }[] = [];
  const { numerator, denominator } = rational(epsilon);
  const claimed = numerator * (units.scale / denominator);
  let common = claimed;
  pairs.forEach((laws, pair) => {
    const differences = differencesOf(laws, { epsilon, units });
    for (const key of laws.left.outputs.keys()) {
      const sum = differences.at(key);
      sums.push({ pair, key, sum });
      for (const x of sum.keys()) common = gcd(common, x < 0n ? -x : x);
    }
  });
  const inequalities: OutputInequality[] = [];
  for (const { pair, key, sum } of sums) {
    if (sum.size === 0) continue;
    const least = leastExponent(sum);
    let most = least;
    for (const x of sum.keys()) if (x > most) most = x;
    const degree = (most - least) / common;
    if (degree > BigInt(MOST_DEGREE)) return undefined;
    // exp(−x) is t^(−x/common): over t^(−most/common) powers are whole.
    const coefficients = new Array<bigint>(Number(degree) + 1).fill(0n);
    for (const [x, c] of sum) coefficients[Number((most - x) / common)] = -c;
    inequalities.push({ pair, key, polynomial: polynomial(coefficients) });
  }
  return { power: Number(claimed / common), inequalities };
}

/** Returns true if all of them hold for every t ≥ 1: by the signs of coefficients in powers of t − 1, else by Sturm's theorem. */
export function holdForEveryT({ inequalities }: Inequalities): boolean {
  return inequalities.every(({ polynomial }) => nonNegativeFrom(polynomial, { from: 1n }).holds);
}

/** Returns true if the signs of coefficients in powers of t − 1 are enough to see that. */
export function byCoefficients({ inequalities }: Inequalities): boolean {
  return inequalities.every(({ polynomial }) => {
    const { holds, method } = nonNegativeFrom(polynomial, { from: 1n });
    return holds && method === "coefficients";
  });
}
