import { countOf } from "../outputs.ts";
import type { Subject } from "../subject.ts";

/** How far below the expectation the number of draws stays, in standard deviations of the labels. */
const MARGIN = 5;

/**
 * The draws for which the coin that labels them leaves enough recorded outputs on both sides, but for a chance of
 * 6e-7: of N fair labels, N/2 + MARGIN·√N/2 must not exceed the outputs of a side. Fixed before anything is looked at.
 */
export function drawsThatLast({ left, right }: NonNullable<Subject["recorded"]>): number {
  const fewest = Math.min(countOf(left), countOf(right));
  return Math.max(1, Math.floor(((Math.sqrt(MARGIN ** 2 + 8 * fewest) - MARGIN) / 2) ** 2));
}
