import type { Source } from "../../core/mechanism/source.ts";
import type { Rational } from "../../core/numeric/rational.ts";
import { exponentialBernoulli } from "../../core/random/exact_bernoulli.ts";
import { randomInteger } from "../../core/random/random_integer.ts";

/**
 * Index i with probability exactly ∝ exp(rate·scores[i]): the exponential mechanism (McSherry, Talwar
 * 2007) by rejection. An index drawn uniformly is kept with probability exp(−rate·(best − its score)),
 * which compares integers alone; of thousands of scores only a few are looked at, where a table of
 * cumulative weights would take their exponentials. The number of tries depends on the scores: whoever
 * can time a release to microseconds is not defended against.
 *
 * @param scores integers, exact as doubles; not empty.
 */
export function chooseQuery(
  source: Source,
  { scores, rate: { numerator, denominator } }: { scores: Float64Array; rate: Rational },
): number {
  let best = -Infinity;
  for (let i = 0; i < scores.length; i++) best = Math.max(best, scores[i]!);
  for (;;) {
    const index = randomInteger(source, { below: scores.length });
    const gap = BigInt(best - scores[index]!);
    if (exponentialBernoulli(source, { exponent: { numerator: gap * numerator, denominator } })) {
      return index;
    }
  }
}
