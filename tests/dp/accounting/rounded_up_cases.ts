import { assert } from "@std/assert";
import fc from "fast-check";
import { type BigNumber, bigNumber as big } from "../../core/numeric/big_number.ts";

/** What 80 digits may be wrong where half of them cancel. */
export const LEFT_OVER = big(1e-40);
export const { exp, log, sqrt } = {
  exp: (x: BigNumber): BigNumber => x.exp(),
  log: (x: BigNumber): BigNumber => x.ln(),
  sqrt: (x: BigNumber): BigNumber => x.sqrt(),
};
export const half = big(0.5);

/** Fails unless value is in [exact, exact·(1 + tolerance)]. */
export function assertAbove(value: number, exact: BigNumber, tolerance: number): void {
  assert(
    big(value).gte(exact.times(big(1).minus(LEFT_OVER))),
    `${value} is below ${exact.toString()}`,
  );
  assert(big(value).lte(exact.times(1 + tolerance)), `${value} is far above ${exact.toString()}`);
}

export const scale = (low: number, high: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
export const epsilons = scale(1e-6, 50), deltas = scale(1e-15, 0.5), rates = scale(1e-6, 0.999);
export const counts = fc.integer({ min: 2, max: 1000 }),
  orders = scale(1e-3, 1e4).map((x) => 1 + x);
export const options = { seed: 1510, numRuns: 150 };
