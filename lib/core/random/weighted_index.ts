import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";
import { randomBigInteger } from "./exact_bernoulli.ts";

/**
 * Makes a sampler of indices, index i with probability exactly weights[i] over the sum of all.
 *
 * @throws {RangeError} unless weights are at least 0 and some weight is positive.
 */
export function weightedIndex(weights: readonly bigint[]): (source: Source) => number {
  const sums: bigint[] = [];
  let total = 0n;
  for (const weight of weights) {
    if (weight < 0n) throw new RangeError("Cannot choose: weights must be at least 0");
    sums.push(total += weight);
  }
  if (total === 0n) throw new RangeError("Cannot choose: some weight must be positive");
  const exponent = { numerator: 0n, denominator: 1n };
  const law: DiscreteLaw = {
    kind: "choice",
    weights: weights.map((multiplicity) => ({ exponent, multiplicity })),
  };
  return (source) => {
    if (source.branch !== undefined) return source.branch(law);
    const at = randomBigInteger(source, { below: total });
    return sums.findIndex((sum) => at < sum);
  };
}
