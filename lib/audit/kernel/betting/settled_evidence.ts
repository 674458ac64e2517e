import type { Evidence } from "./evidence.ts";

/** What bets had shown when they ended. */
export type EvidenceShown = Pick<Evidence, "lowerBound" | "logEValue" | "refuted">;

/** The evidence of bets that ended before: no more are made. */
export function settledEvidence({ lowerBound, logEValue, refuted }: EvidenceShown): Evidence {
  return {
    lowerBound,
    logEValue,
    refuted,
    rareCells: [],
    add(): never {
      throw new Error("Cannot bet: the bets of this audit have ended");
    },
    restart: () => {},
  };
}
