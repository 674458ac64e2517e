import { roundedDown } from "../../lib/judge/report/bound.ts";
import { shortNumber } from "../../lib/judge/report/short_number.ts";

/** The numbers of a claim, as an entry of a suite names them and a report has them. */
export interface ClaimNumbers {
  readonly epsilon?: unknown;
  readonly delta?: unknown;
  readonly order?: unknown;
  readonly rho?: unknown;
  readonly mu?: unknown;
}

/** A claim in a short phrase, as in `1-DP`. Where an entry names none, its module or mechanism does. */
export function claimWords({ epsilon, delta, order, rho, mu }: ClaimNumbers): string {
  if (rho !== undefined) return `${rho}-zCDP`;
  if (mu !== undefined) return `${mu}-GDP`;
  if (epsilon === undefined) return "that of its file";
  if (order !== undefined) return `(${order}, ${epsilon})-Rényi DP`;
  return delta === undefined || delta === 0 ? `${epsilon}-DP` : `(${epsilon}, ${delta})-DP`;
}

/** A lower bound beside a claim, as in `ε ≥ 0.98`: rounded down. */
export function boundWords({ rho, mu }: ClaimNumbers, bound: number): string {
  const symbol = rho !== undefined ? "ρ" : mu !== undefined ? "μ" : "ε";
  return `${symbol} ≥ ${shortNumber(roundedDown(Math.max(0, bound), 3), 3)}`;
}
