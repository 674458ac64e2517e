import type { Evidence } from "./kernel/betting/claim_evidence.ts";
import type { OutputSummary } from "./output_summary.ts";
import {
  detectableParameter,
  type TestsMade,
  withDraws,
} from "./plan/power/detectable_parameter.ts";
import type { AuditDetails, HistoryPoint, PowerPoint } from "./report.ts";
import type { RankedPair } from "./search/search_pairs.ts";

/** A point of the history is kept when the draws have grown by this factor: some 150 points for 100 million draws. */
const EVERY = 1.1;

/** Numbers of draws as multiples of those that were made: from a 32nd to 32 times, in factors of 2. */
const MULTIPLES = Array.from({ length: 11 }, (_, k) => 2 ** (k - 5));

/** Data that an audit keeps for a page with plots, while it runs. */
export class DetailsKept {
  readonly #history: HistoryPoint[] = [];
  #keepPoint: (options: { readonly isLast: boolean }) => void = () => {};
  /** Fresh outputs on the pair of the report. */
  outputs: OutputSummary | null = null;
  /** Pairs as the search ranked them. */
  pairs: readonly RankedPair[] = [];
  /** The violations that more and fewer draws would have shown. */
  power: readonly PowerPoint[] = [];

  /** Returns the same evidence, whose history is kept. It changes nothing of what is bet. */
  watch(
    evidence: Evidence,
    { betsShare, draws }: { readonly betsShare: number; readonly draws: () => number },
  ): Evidence {
    const keepPoint = ({ isLast }: { readonly isLast: boolean }): void => {
      const now = draws(), before = this.#history.at(-1)?.draws ?? 0;
      if (now <= before || (now < EVERY * before && !isLast)) return;
      this.#history.push({
        draws: now,
        epsilonLowerBound: evidence.lowerBound,
        logEValue: Math.log(betsShare) + evidence.logEValue,
      });
    };
    this.#keepPoint = keepPoint;
    return {
      add(batch): void {
        evidence.add(batch);
        keepPoint({ isLast: false });
      },
      restart(): void {
        evidence.restart();
      },
      get lowerBound(): number {
        return evidence.lowerBound;
      },
      get logEValue(): number {
        return evidence.logEValue;
      },
      get rareCells(): readonly number[] {
        return evidence.rareCells;
      },
      get refuted(): boolean {
        return evidence.refuted;
      },
    };
  }

  /** All that was kept; the history ends with the draws made so far. */
  get all(): AuditDetails {
    this.#keepPoint({ isLast: true });
    const { outputs, pairs, power } = this;
    return { history: this.#history, outputs, pairs, power };
  }
}

/** Returns the violations that a run would have seen by fewer draws and by more, on the same pair and in events of the same share. */
export function powerByDraws(share: number, tests: TestsMade): readonly PowerPoint[] {
  const { draws } = tests.bets;
  if (draws === 0) return [];
  return MULTIPLES.map((times) => Math.round(times * draws)).filter((count) => count > 0)
    .flatMap((count) => {
      const detectable = detectableParameter(share, withDraws(tests, count));
      return detectable === null ? [] : [{ draws: count, detectable }];
    });
}
