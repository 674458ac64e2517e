import type { Claim } from "../../core/claim.ts";
import type { Source } from "../../core/source.ts";
import { logBinomialTail } from "../../numeric/binomial_tail.ts";
import { clopperPearsonLower, clopperPearsonUpper } from "../../numeric/clopper_pearson.ts";
import { tradeOff } from "../../core/trade_off/trade_off.ts";
import { drawBinomial } from "./precedence_binomial.ts";

/** How often one set of outputs, chosen on other runs, occurred on each side. */
export interface AtomCounts {
  /** Hits and runs of the side on which the set is likely. */
  readonly likely: { readonly hits: number; readonly runs: number };
  /** Hits and runs of the other side. */
  readonly rare: { readonly hits: number; readonly runs: number };
}

/** Computed probabilities are enlarged by this share, more than their arithmetic can be wrong. */
const MARGIN = 1e-8;
/** Standard deviations by which the number of runs of a side may exceed its expectation: enough with probability 0.99. */
const SPARE_DEVIATIONS = 2.6;
/** Levels between which a contradiction is searched by bisection, as logarithms, and the precision of that search. */
const LEVELS = { low: Math.log(1e-30), high: -1e-9, precision: 1e-3 };

/**
 * A p-value against the claim from one set of outputs that was chosen without looking at these runs.
 *
 * For a pure claim it is the conditional binomial test (Przyborowski, Wilenski 1940): among T hits on
 * runs whose sides were tossed by a coin, those of the likely side are Binomial(T, θ) with
 * θ ≤ w·e^ε / (w·e^ε + 1 − w). The sizes of the samples are fixed, so the coin is tossed here: a total is fixed for which
 * either side is seldom too small, the number of runs of each side is drawn, and as many runs are picked. Where a side is too
 * small all the same, the p-value is 1, which only loses power.
 *
 * For other claims it is the smallest α at which two one-sided Clopper–Pearson bounds at α/2 each
 * contradict the claim's trade-off function.
 */
export function atomPValue(
  counts: AtomCounts,
  { claim, source }: { readonly claim: Claim; readonly source: Source },
): number {
  if (claim.kind === "pure") return conditionalBinomial(counts, { epsilon: claim.epsilon, source });
  return contradiction(counts, tradeOff(claim));
}

function conditionalBinomial(
  { likely, rare }: AtomCounts,
  { epsilon, source }: { epsilon: number; source: Source },
): number {
  const share = likely.runs / (likely.runs + rare.runs);
  const total = coinTotal(likely.runs, rare.runs);
  const likelyRuns = drawBinomial(source, total, share);
  if (likelyRuns > likely.runs || total - likelyRuns > rare.runs) return 1;
  const likelyHits = pick(source, likely, likelyRuns);
  const rareHits = pick(source, rare, total - likelyRuns);
  const theta = 1 / (1 + ((1 - share) / share) * Math.exp(-epsilon));
  const log = logBinomialTail(likelyHits, likelyHits + rareHits, theta);
  return Math.min(1, Math.exp(log) * (1 + MARGIN));
}

/**
 * The largest total for which neither side is too small unless a deviation exceeds {@linkcode SPARE_DEVIATIONS}; below 0
 * where a side is too small for any.
 */
function coinTotal(a: number, b: number): number {
  const share = a / (a + b);
  const spare = SPARE_DEVIATIONS * Math.sqrt((a + b) * share * (1 - share));
  return Math.floor((a + b) * Math.min((a - spare) / a, (b - spare) / b));
}

/** Hits among `size` runs picked at random without replacement. */
function pick(
  source: Source,
  { hits, runs }: { hits: number; runs: number },
  size: number,
): number {
  let picked = 0;
  for (let i = 0; i < hits; i++) {
    if (source.uniform() * (runs - i) < size - picked) picked++;
  }
  return picked;
}

/** The smallest level at which the two bounds contradict the claim, rounded up; 1 if there is none. */
function contradiction({ likely, rare }: AtomCounts, allowed: (u: number) => number): number {
  const contradicts = (logAlpha: number): boolean => {
    const alpha = Math.exp(logAlpha) / 2;
    const lower = clopperPearsonLower({ successes: likely.hits, trials: likely.runs, alpha });
    const upper = clopperPearsonUpper({ successes: rare.hits, trials: rare.runs, alpha });
    return upper < allowed(lower);
  };
  // The bounds get closer as α grows, so the set of contradicting levels is an interval up to 1.
  let { low, high } = LEVELS;
  if (!contradicts(high)) return 1;
  if (contradicts(low)) return Math.exp(low);
  while (high - low > LEVELS.precision) {
    const middle = (low + high) / 2;
    if (contradicts(middle)) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}
