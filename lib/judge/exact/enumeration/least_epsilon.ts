import { approximateEpsilon } from "./approximate_epsilon.ts";
import { compareLaws, fraction, type LawsOfPair } from "./compare_laws.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";

/** Two doubles with a real between them. */
export interface Bounds {
  /** At most the real. */
  readonly lower: number;
  /** At least the real. */
  readonly upper: number;
}

/** The loss of one output: ln of the ratio of its probabilities. */
export interface OutputLoss {
  readonly key: string;
  /** ln(P/Q) in nats; Infinity where Q is 0. */
  readonly loss: Bounds;
  /** P of the output on the left. */
  readonly left: Bounds;
  /** Q of the output on the right. */
  readonly right: Bounds;
}

/** ε beyond which a loss counts as infinite. */
const MOST = 700;

/**
 * Returns the output with the largest loss. Of complete laws the loss is known up to rounding, but for outputs whose lower bounds have no
 * digit: their loss may be any. Of others it is what the remainder of the right law cannot explain.
 */
export function largestLoss(
  { left, right }: LawsOfPair,
  { bits }: { readonly bits: number },
): OutputLoss | undefined {
  const complete = left.complete && right.complete;
  const unit = BigInt(bits);
  let best: string | undefined, bestLoss = -Infinity, p = 0n, q = 1n, vague = false;
  for (const [key, output] of left.outputs) {
    const other = right.outputs.get(key);
    // What the other law has, too rarely for its bound to have a digit, may be as likely as what rounding took away.
    const rounded = complete && other?.lower === 0n;
    if (rounded || (complete && output.lower === 0n)) vague = true;
    const against = (other?.lower ?? 0n) + (complete && !rounded ? 0n : right.remainder);
    if (against === 0n) {
      best = key;
      p = output.lower;
      q = 0n;
      break;
    }
    if (output.lower === 0n) continue;
    // Cross products decide where doubles cannot.
    const loss = logarithm(output.lower, against).lower;
    if (loss > bestLoss + 1e-9 || (loss > bestLoss - 1e-9 && output.lower * q > p * against)) {
      [best, bestLoss, p, q] = [key, loss, output.lower, against];
    }
  }
  if (best === undefined) return undefined;
  const bounds = (lower: bigint, remainder: bigint): Bounds => ({
    lower: fraction(lower, unit, false),
    upper: Math.min(1, fraction(lower + remainder, unit, true)),
  });
  const found = {
    key: best,
    left: bounds(p, left.remainder),
    right: bounds(
      right.outputs.get(best)?.lower ?? 0n,
      right.outputs.has(best) || !complete ? right.remainder : 0n,
    ),
  };
  if (q === 0n) return { ...found, loss: { lower: Infinity, upper: Infinity } };
  // Equal laws are one: nothing was rounded apart.
  if (left === right && complete) return { ...found, loss: { lower: 0, upper: 0 } };
  const lower = logarithm(p, (right.outputs.get(best)?.lower ?? 0n) + right.remainder).lower;
  const upper = complete && !vague ? logarithm(p + left.remainder, q).upper : Infinity;
  return { ...found, loss: { lower, upper } };
}

/** Bounds of ln(p/q), both above 0. */
function logarithm(p: bigint, q: bigint): Bounds {
  if (p < q) {
    const { lower, upper } = logarithm(q, p);
    return { lower: -upper, upper: -lower };
  }
  const ratio = (p << 128n) / q;
  const spare = Math.max(0, ratio.toString(16).length * 4 - 64);
  // Powers of two by multiplication, for their logarithms would cancel; those beyond the doubles apart.
  const beyond = Math.max(0, spare - 900);
  const head = Number(ratio >> BigInt(spare)) * 2 ** (spare - beyond - 128);
  const value = Math.log(head) + beyond * Math.LN2;
  const roundingMargin = 2 ** -48 * (1 + value);
  return { lower: Math.max(0, value - roundingMargin), upper: value + roundingMargin };
}

/**
 * Returns the least ε that the laws of these pairs do not refute with this δ, by bisection; the ends are certain: the lower is refuted,
 * the upper is not. Infinity above 700.
 */
export function leastEpsilon(
  pairs: Iterable<LawsOfPair>,
  { delta, units }: { readonly delta: number; readonly units: OutcomeUnits },
): Bounds {
  const refuted = (laws: LawsOfPair, epsilon: number): boolean =>
    compareLaws(laws, { epsilon, delta, units }).refuted;
  let lower = 0, upper = 0;
  for (const laws of pairs) {
    if (!refuted(laws, upper)) continue;
    if (refuted(laws, MOST)) return { lower: MOST, upper: Infinity };
    let low = upper, high = MOST;
    // Doubles find the place, whole numbers confirm it.
    const near = approximateEpsilon(laws, { delta, bits: units.bits, from: upper, most: MOST });
    const [below, above] = [near - 1e-11 * (1 + near), near + 1e-11 * (1 + near)];
    if (below > low && refuted(laws, below)) low = below;
    if (above < high && above > low && !refuted(laws, above)) high = above;
    while (high - low > 3e-11 * (1 + low)) {
      const middle = (low + high) / 2;
      if (refuted(laws, middle)) low = middle;
      else high = middle;
    }
    [lower, upper] = [low, high];
  }
  return { lower, upper };
}
