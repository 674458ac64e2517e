import type { SideCounts } from "../subject.ts";
import type { LeafValues } from "./leaf_law.ts";

/**
 * A bet on the cells of a partition against every claim of one kind at once. Its factors for a parameter θ are numbers E(cell,
 * label) that are not negative, with expectation at most 1 under every pair of laws that keeps the claim with parameter θ, for
 * a fair coin. They fall as θ rises. So the product over draws is an e-process against θ, and where it refutes θ it refutes
 * every smaller parameter too: no grid is needed.
 */
export interface ClaimBet {
  /** Returns the factor of each cell and label against a parameter; `undefined` where one of them would be negative: no bet. */
  factorsAt(parameter: number): LeafValues | undefined;
}

/** A bet with its share of the stake of a test. */
export interface SharedBet {
  readonly bet: ClaimBet;
  readonly share: number;
}

/** Returns the logarithm of the wealth against a parameter after some draws; −∞ without a bet. */
export function logWealthOf(bet: ClaimBet, counts: LeafValues, parameter: number): number {
  const factors = bet.factorsAt(parameter);
  if (factors === undefined) return -Infinity;
  let log = 0;
  for (const side of ["left", "right"] as const) {
    const own = counts[side], values = factors[side];
    for (let i = 0; i < own.length; i++) {
      if (own[i]! > 0) log += own[i]! * Math.log(values[i]!);
    }
  }
  return log;
}

/** Returns the logarithm of the smallest factor that these draws can multiply the wealth by, whatever their outputs; −∞ without a bet. */
export function logSmallestWealthOf(bet: ClaimBet, draws: SideCounts, parameter: number): number {
  if (draws.left + draws.right === 0) return 0;
  const factors = bet.factorsAt(parameter);
  if (factors === undefined) return -Infinity;
  let log = 0;
  for (const side of ["left", "right"] as const) {
    if (draws[side] > 0) log += draws[side] * Math.log(Math.min(...factors[side]));
  }
  return log;
}

/** Throws unless no stake is negative: only then has a bet an expectation of at most 1. */
export function requireStakes(stakes: ArrayLike<number>): void {
  for (let i = 0; i < stakes.length; i++) {
    if (stakes[i]! < 0) {
      throw new RangeError(
        `Cannot bet: a stake must not be negative: current value is ${stakes[i]}`,
      );
    }
  }
}

/** Returns these factors if none of them is negative. */
export function unlessNegative(factors: LeafValues): LeafValues | undefined {
  // NaN is refused as well.
  return factors.left.every((x) => x >= 0) && factors.right.every((x) => x >= 0)
    ? factors
    : undefined;
}
