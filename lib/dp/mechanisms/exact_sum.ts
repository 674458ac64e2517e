/** Integers up to here are added as doubles. */
const MOST_NEAR = 2 ** 52;

/**
 * The exact sum of integers within ±2⁵², however many they are: a double where that is exact, else a `bigint`. No
 * number of rows is too large, for a refusal or a sum that stopped short would depend on the data.
 *
 * @example
 * ```ts
 * import { exactSum } from "./exact_sum.ts";
 * exactSum([2 ** 52, 2 ** 52, 1]); // 9007199254740993n
 * ```
 */
export function exactSum(integers: Iterable<number>): number | bigint {
  let near = 0, far = 0n;
  for (const integer of integers) {
    near += integer;
    if (Math.abs(near) > MOST_NEAR) {
      far += BigInt(near);
      near = 0;
    }
  }
  return exactly(far + BigInt(near));
}

/** An integer as a double where that is exact. */
export function exactly(integer: bigint): number | bigint {
  const rounded = Number(integer);
  return Number.isFinite(rounded) && BigInt(rounded) === integer ? rounded : integer;
}

/** The double nearest to a sum plus an integer of noise: rounded once, so it depends on their exact sum alone. */
export function plusInteger(sum: number | bigint, noise: number): number {
  return typeof sum === "number" ? sum + noise : Number(sum + BigInt(noise));
}

/** {@linkcode plusInteger} of each integer of noise, times `step`, in place. The hot loop: a sum that is a double has no branch in it. */
export function plusIntegers(
  sum: number | bigint,
  { noise, step }: { readonly noise: Float64Array; readonly step: number },
): void {
  if (typeof sum === "number") {
    for (let i = 0; i < noise.length; i++) noise[i] = (sum + noise[i]!) * step;
  } else {
    for (let i = 0; i < noise.length; i++) noise[i] = plusInteger(sum, noise[i]!) * step;
  }
}

/** An integer minus a sum, as the nearest double. */
export function minusSum(integer: number, sum: number | bigint): number {
  return typeof sum === "number" ? integer - sum : Number(BigInt(integer) - sum);
}
