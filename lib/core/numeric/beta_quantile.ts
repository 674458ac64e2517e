import { logBetaWeight, logIncompleteBeta } from "./incomplete_beta.ts";

/**
 * The x with ln P(Beta(a, b) ≤ x) = `logProbability` (or, for the `upper` tail, ln P(Beta(a, b) ≥ x)).
 * Newton's method on the logarithm of the tail as a function of logit x, held inside a bracket: the
 * logit keeps its digits at both ends, the logarithm in both tails.
 *
 * @throws {RangeError} unless logProbability is below 0 (0 and −∞ give the ends 1 and 0).
 *
 * @example
 * ```ts
 * import { betaQuantile } from "./beta_quantile.ts";
 * betaQuantile(Math.log(0.25), { a: 2, b: 1 }); // 0.5
 * ```
 */
export function betaQuantile(
  logProbability: number,
  { a, b, tail = "lower" }: { a: number; b: number; tail?: "lower" | "upper" },
): number {
  if (!(logProbability <= 0)) {
    throw new RangeError(
      `Cannot invert the beta distribution: logProbability must be at most 0: ` +
        `current value is ${logProbability}`,
    );
  }
  // The upper tail of Beta(a, b) at x is the lower tail of Beta(b, a) at 1 − x.
  const logit = tail === "lower"
    ? lowerTailLogit(logProbability, a, b)
    : -lowerTailLogit(logProbability, b, a);
  return logistic(logit);
}

function logistic(t: number): number {
  return t >= 0 ? 1 / (1 + Math.exp(-t)) : Math.exp(t) / (1 + Math.exp(t));
}

/** Beyond this logit the nearer end is not a normal double any more. */
const FARTHEST_LOGIT = 708;

function lowerTailLogit(target: number, a: number, b: number): number {
  if (target === 0) return Infinity;
  if (target === -Infinity) return -Infinity;
  let low = -FARTHEST_LOGIT, high = FARTHEST_LOGIT;
  let t = Math.log(a / b);
  for (let i = 0; i < 200; i++) {
    const x = logistic(t), y = logistic(-t);
    const tails = logIncompleteBeta(x, { a, b, y });
    // Compare on the smaller tail: near probability 1 the lower tail's logarithm has no digits.
    const useUpper = target > -Math.LN2;
    const value = useUpper ? tails.upper : tails.lower;
    const wanted = useUpper ? Math.log(-Math.expm1(target)) : target;
    const error = useUpper ? wanted - value : value - wanted;
    if (error === 0) return t;
    if (error > 0) high = t;
    else low = t;
    // d/dt of the logarithm of the tail: density·x·y / tail.
    const slope = Math.exp(logBetaWeight(a, b, x, y) - value);
    let next = t - error / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - t) <= 4e-16 * Math.max(1, Math.abs(t))) return next;
    t = next;
  }
  return t;
}
