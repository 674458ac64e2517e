import type { Evidence } from "../kernel/betting/evidence.ts";

/** The same evidence, which tells `settled` after each batch. It adds nothing to what is bet. */
export function watchedEvidence(evidence: Evidence, settled: () => void): Evidence {
  return {
    add(batch): void {
      evidence.add(batch);
      settled();
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
