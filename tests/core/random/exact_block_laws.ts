import type { BlockLaw } from "../../../lib/core/random/block_table.ts";

export const ONES = 2 ** 32 - 1;

/** Cumulative probabilities that are whole numbers of 2⁻¹²⁸, known exactly at every precision. */
export function exactLaw(shares: readonly bigint[], law: Partial<BlockLaw> = {}): BlockLaw {
  return {
    denominator: 1n,
    blockBits: 0,
    numeratorAt: (magnitude) => magnitude,
    cumulative: ({ precision }) => {
      const bounds = shares.map((share) => share << BigInt(precision - 128));
      return { precision, bounds: bounds.map((bound) => ({ lower: bound, upper: bound })) };
    },
    ...law,
  };
}

export const one = 1n << 128n;
/** 1/2, 3/4, 7/8, … */
export const halves = Array.from({ length: 40 }, (_, j) => one - (one >> BigInt(j + 1)));
