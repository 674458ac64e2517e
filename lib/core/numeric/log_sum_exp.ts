/**
 * ln Σ exp(logs[i]), without overflow or underflow: −∞ for no terms at all.
 *
 * @example
 * ```ts
 * import { logSumExp } from "./log_sum_exp.ts";
 * logSumExp([-1000, -1000]); // −1000 + ln 2
 * ```
 */
export function logSumExp(logs: ArrayLike<number>): number {
  let largest = -Infinity;
  for (let i = 0; i < logs.length; i++) {
    const log = logs[i]!;
    if (Number.isNaN(log)) return NaN;
    if (log > largest) largest = log;
  }
  // Infinity − Infinity would be NaN below.
  if (!Number.isFinite(largest)) return largest;
  let sum = 0;
  for (let i = 0; i < logs.length; i++) sum += Math.exp(logs[i]! - largest);
  return largest + Math.log(sum);
}

/** ln(e^a + e^b). */
export function logAddExp(a: number, b: number): number {
  const larger = Math.max(a, b);
  if (!Number.isFinite(larger)) return larger;
  return larger + Math.log1p(Math.exp(-Math.abs(a - b)));
}
