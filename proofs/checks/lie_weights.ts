import { bitLength } from "../../lib/numeric/rational.ts";
import { exactExp, UNIT_BITS } from "./dyadic_reference.ts";

/** Binary places of weights. */
export const WEIGHT_BITS = 600n;

/** From units of {@linkcode UNIT_BITS} to those of weights. */
export const weightUnits = (value: bigint): bigint => value >> (UNIT_BITS - WEIGHT_BITS);

/** Weights C(count, l)·e^(−lε) of l lies as shares of the largest, in whole numbers of 2^−600, and their sum. */
export function lieWeights(
  { epsilon, count }: { readonly epsilon: number; readonly count: number },
): { readonly weights: readonly bigint[]; readonly total: bigint } {
  const odds = weightUnits(exactExp(-epsilon));
  const weights = new Array<bigint>(count + 1).fill(0n);
  const mode = Math.round(count / (1 + Math.exp(epsilon)));
  weights[mode] = 1n << WEIGHT_BITS;
  for (let lies = mode; lies < count && weights[lies]! > 0n; lies++) {
    weights[lies + 1] = (weights[lies]! * odds * BigInt(count - lies) >> WEIGHT_BITS) /
      BigInt(lies + 1);
  }
  for (let lies = mode; lies > 0 && weights[lies]! > 0n; lies--) {
    weights[lies - 1] = (weights[lies]! * BigInt(lies) << WEIGHT_BITS) /
      (odds * BigInt(count - lies + 1));
  }
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0n) };
}

/** A quotient of whole numbers as a double, to 2^−50 of itself. */
export function quotient(numerator: bigint, denominator: bigint): number {
  const shift = BigInt(bitLength(denominator) - bitLength(numerator) + 80);
  return Number((numerator << (shift > 0n ? shift : 0n)) / denominator) *
    2 ** -Number(shift > 0n ? shift : 0n);
}
