import type { AuditReport } from "../audit/report.ts";
import { parameterOf } from "../../core/claims/claim_curve.ts";
import { groupedNumber, shortNumber } from "./short_number.ts";

const SYMBOLS = { epsilon: "ε", rho: "ρ", mu: "μ" } as const;

/** Returns the parameter that a lower bound is about, as the claim has it. */
export function claimedParameter(
  { claim }: Pick<AuditReport, "claim">,
): { symbol: string; value: number } {
  const { name, value } = parameterOf(claim);
  return { symbol: SYMBOLS[name], value };
}

/**
 * Returns the lower bound of a report, as in `ε ≥ 1.072`: rounded down, with the digits that it takes to lie above a claim
 * that is refuted. Where nothing more than the claim is refuted, as in `ε > 1`.
 */
export function boundOf(report: AuditReport): string {
  const { symbol, value } = claimedParameter(report);
  const bound = Math.max(0, report.epsilonLowerBound);
  const refuted = report.verdict === "refuted";
  if (refuted && bound === value) return `${symbol} > ${value}`;
  let digits = 4;
  if (refuted && bound > value) { while (roundedDown(bound, digits) <= value) digits++; }
  return `${symbol} ≥ ${shortNumber(roundedDown(bound, digits), digits)}`;
}

/** Rounding error of a quotient of doubles. */
export const ROUNDING = 1e-12;
/** The times of a claim from which on they are said. */
const FEWEST_TIMES = 1.1;

/** Returns how many times the claim a lower bound is, rounded down; `undefined` where that is hardly more than once. */
export function timesTheClaim(bound: number, claimed: number): string | undefined {
  const times = bound / claimed * (1 + ROUNDING);
  return times < FEWEST_TIMES ? undefined : groupedNumber(roundedDown(times, times < 10 ? 2 : 1));
}

/** Returns a confidence in percent: below 100%, as all are. */
export function inPercent(confidence: number): string {
  return `${shortNumber(Math.min(100 * confidence, 99.99))}%`;
}

/** Returns a number that is not negative with so many significant digits, rounded toward zero. */
export function roundedDown(value: number, digits: number): number {
  const rounded = Number(value.toPrecision(digits));
  if (!(rounded > value)) return rounded;
  return Number((rounded - 10 ** (Math.floor(Math.log10(value)) - digits + 1)).toPrecision(digits));
}

/** Returns a number that is not negative with three significant digits, rounded toward zero. */
export function shownBelow(value: number): string {
  return shortNumber(roundedDown(value, 3), 3);
}
