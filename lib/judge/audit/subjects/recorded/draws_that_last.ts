import { countOf } from "../../kernel/outputs.ts";
import type { Subject } from "../../kernel/subject.ts";

/** Standard deviations of the number of coins of a side that recorded outputs must suffice for. */
const MARGIN = 5;

/**
 * Returns the number N of draws for which recorded outputs suffice on both sides, except with probability 6e-7: of N fair coins,
 * N/2 + MARGIN·√N/2 must not exceed the outputs of a side. It is fixed before any output is read.
 */
export function drawsThatLast({ left, right }: NonNullable<Subject["recorded"]>): number {
  const fewest = Math.min(countOf(left), countOf(right));
  return Math.max(1, Math.floor(((Math.sqrt(MARGIN ** 2 + 8 * fewest) - MARGIN) / 2) ** 2));
}
