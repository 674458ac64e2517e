/** The probabilities of the same outputs, or cells of outputs, on two datasets. */
export interface Laws {
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
}

/** An (ε, δ) claim: no event of probability p on the one side has more than e^ε p + δ on the other. */
export interface Allowed {
  readonly epsilon: number;
  readonly delta?: number;
}

/** Sweeps over the multipliers, and steps of a search for the best value of one; more change nothing in the first six digits. */
const SWEEPS = 40, STEPS = 60;
/** A divergence that is smaller comes from rounding: the claim allows the laws. */
const ROUNDING = 1e-12;

/**
 * Draws, both sides together, that any test of level `alpha` takes on average to refute a claim on outputs of these laws: ln(1/α) over
 * {@linkcode leastDivergence}. docs/limit_of_draws.md derives it.
 */
export function limitOfDraws(laws: Laws, allowed: Allowed, alpha: number): number {
  const divergence = leastDivergence(laws, allowed);
  return divergence > ROUNDING ? -Math.log(alpha) / divergence : Infinity;
}

/**
 * The least Kullback–Leibler divergence, in nats, from the joint law of a fair coin and the output on its side to the joint laws that
 * the claim allows. It is the largest value of the dual problem, which is found coordinate by coordinate, and never above the truth.
 */
export function leastDivergence(laws: Laws, { epsilon, delta = 0 }: Allowed): number {
  // Logits of a/(a + b), and of what λ and μ are of the most that they can be: for pure claims all of it.
  const at = [0, 0, 0];
  const value = ([share, high, low]: readonly number[]): number =>
    divergence(laws, {
      epsilon,
      delta,
      share: logistic(share!),
      high: delta === 0 ? 1 : logistic(high!),
      low: delta === 0 ? 1 : logistic(low!),
    });
  for (let sweep = 0; sweep < (delta === 0 ? 1 : SWEEPS); sweep++) {
    for (let k = 0; k < (delta === 0 ? 1 : at.length); k++) {
      at[k] = largestAt((x) => value(at.with(k, x)), { from: -30, to: 30 });
    }
  }
  return value(at);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Finds where a function that rises and then falls is largest, by the golden section. */
function largestAt(
  of: (x: number) => number,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = from, high = to;
  let a = high - ratio * (high - low), b = low + ratio * (high - low), atA = of(a), atB = of(b);
  for (let step = 0; step < STEPS; step++) {
    if (atA >= atB) {
      [high, b, atB] = [b, a, atA];
      atA = of(a = high - ratio * (high - low));
    } else {
      [low, a, atA] = [a, b, atB];
      atB = of(b = low + ratio * (high - low));
    }
  }
  return (low + high) / 2;
}

/** The dual problem at multipliers that are scaled so that a + b + δ (λ + μ) = 1. */
function divergence(
  { left, right }: Laws,
  { epsilon, delta, share, high, low }: Required<Allowed> & {
    readonly share: number;
    readonly high: number;
    readonly low: number;
  },
): number {
  const factor = Math.exp(epsilon);
  const scale = 1 / (1 + delta * (high * (1 - share) + low * share) / factor);
  const a = share * scale, b = (1 - share) * scale;
  let total = 0;
  for (let i = 0; i < left.length; i++) {
    const p = left[i]!, q = right[i]!;
    if (p * b > factor * q * a) total += beyond(p, q, { a, b, part: high, factor });
    else if (q * a > factor * p * b) total += beyond(q, p, { a: b, b: a, part: low, factor });
    else total += times(p, Math.log(2 * a)) + times(q, Math.log(2 * b));
  }
  return total / 2;
}

/** The part of an output of more than e^ε times the odds: it has that many, or, as far as δ allows it, more. */
function beyond(
  p: number,
  q: number,
  { a, b, part, factor }: {
    readonly a: number;
    readonly b: number;
    readonly part: number;
    readonly factor: number;
  },
): number {
  const more = a + part * b / factor, less = b * (1 - part);
  if (p * less >= factor * q * more) {
    return times(p, Math.log(2 * more)) + times(q, Math.log(2 * less));
  }
  const nearest = (p + q) / (2 * (a * factor + b));
  return times(p, Math.log(p / (factor * nearest))) + times(q, Math.log(q / nearest));
}

/** 0 times anything is 0. */
function times(mass: number, log: number): number {
  return mass === 0 ? 0 : mass * log;
}
