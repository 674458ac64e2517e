import { keepsByFractions } from "../../../../lib/judge/exact/alignment/keeps_claim.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { isShift } from "../../../../lib/judge/exact/alignment/shift.ts";

/** The steps that a mutant may stand in for. */
export const steps = { keepsByFractions, neighbourCases, isShift };

/** Those steps. */
export type Steps = typeof steps;
