/**
 * e^x − 1 − x: at least 0, and right to a few roundings where subtracting would lose the digits.
 *
 * @example
 * ```ts
 * import { expRemainder } from "./exp_remainder.ts";
 * expRemainder(1e-10); // 5e-21
 * ```
 */
export function expRemainder(x: number): number {
  if (Math.abs(x) > 0.5) return Math.expm1(x) - x;
  let sum = 0, term = 0.5 * x * x;
  for (let k = 3; sum + term !== sum; k++) {
    sum += term;
    term *= x / k;
  }
  return sum;
}
