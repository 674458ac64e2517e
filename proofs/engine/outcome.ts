import type { Outcome } from "./theorem.ts";

/** Rounding that a floating-point comparison with an exact bound may show, relative. */
export const ROUNDING = 1e-9;

/**
 * The outcome of measuring something that must not exceed a bound: it holds when value/bound ≤ 1 within
 * `tolerance`.
 */
export function atMost(
  bound: number,
  { value, detail, witness, tolerance = ROUNDING }: {
    readonly value: number;
    readonly detail: string;
    /** Shown when the bound is broken. */
    readonly witness?: string;
    readonly tolerance?: number;
  },
): Outcome {
  const margin = bound === 0 && value === 0 ? 0 : value / bound;
  const holds = margin <= 1 + tolerance;
  return { holds, margin, detail, ...(holds || witness === undefined ? {} : { witness }) };
}

/** The outcome of a number that must come out as stated, within `tolerance` (absolute); its margin is a share of that. */
export function equals(
  expected: number,
  { value, detail, tolerance }: {
    readonly value: number;
    readonly detail: string;
    readonly tolerance: number;
  },
): Outcome {
  const off = Math.abs(value - expected), holds = off <= tolerance;
  return {
    holds,
    margin: off === 0 ? 0 : off / tolerance,
    detail,
    ...(holds ? {} : { witness: `${value} where ${expected} is stated` }),
  };
}

/** Several outcomes as one: holds when all do; margin and witness are those of the worst. */
export function all(outcomes: readonly Outcome[], detail: string): Outcome {
  const failed = outcomes.find(({ holds }) => !holds);
  const margin = outcomes.reduce((worst, outcome) => Math.max(worst, outcome.margin), 0);
  return {
    holds: failed === undefined,
    margin: failed === undefined ? margin : failed.margin,
    detail,
    ...(failed === undefined ? {} : { witness: failed.witness ?? failed.detail }),
  };
}

/** Four significant digits, for sentences. */
export function short(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);
}
