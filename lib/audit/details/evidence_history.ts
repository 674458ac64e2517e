import type { Evidence } from "../kernel/betting/evidence.ts";
import type { HistoryPoint } from "./audit_details.ts";

/** A point is kept when the draws have grown by this factor: some 150 points for 100 million draws. */
const EVERY = 1.1;

/** The evidence of an audit over its draws, in bounded memory. */
export class EvidenceHistory {
  readonly #points: HistoryPoint[] = [];
  readonly #logShare: number;

  /** A history of bets with this share of α. */
  constructor(betsShare: number) {
    this.#logShare = Math.log(betsShare);
  }

  /** Keeps the evidence after so many draws, if it is time for a point; the last one is always kept. */
  see(
    draws: number,
    evidence: Evidence,
    { isLast = false }: { readonly isLast?: boolean } = {},
  ): void {
    const before = this.#points.at(-1)?.draws ?? 0;
    if (draws <= before || (draws < EVERY * before && !isLast)) return;
    this.#points.push({
      draws,
      epsilonLowerBound: evidence.lowerBound,
      logEValue: this.#logShare + evidence.logEValue,
    });
  }

  /** The points so far, in the order of their draws. */
  get points(): readonly HistoryPoint[] {
    return this.#points;
  }
}
