import type { Evidence } from "../kernel/betting/evidence.ts";
import type { AuditDetails, PowerPoint, RankedPair } from "./audit_details.ts";
import { EvidenceHistory } from "./evidence_history.ts";
import type { OutputSummary } from "./output_summary.ts";
import { watchedEvidence } from "./watched_evidence.ts";

/** Data that an audit keeps for a page with plots, while it runs. */
export class DetailsKept {
  #history: EvidenceHistory | undefined;
  #seeLast: () => void = () => {};
  /** Fresh outputs on the pair of the report. */
  outputs: OutputSummary | null = null;
  /** Pairs as the search ranked them. */
  pairs: readonly RankedPair[] = [];
  /** The violations that more and fewer draws would have shown. */
  power: readonly PowerPoint[] = [];

  /** The same evidence, whose history is kept. */
  watch(
    evidence: Evidence,
    { betsShare, draws }: { readonly betsShare: number; readonly draws: () => number },
  ): Evidence {
    const history = this.#history = new EvidenceHistory(betsShare);
    this.#seeLast = () => history.see(draws(), evidence, { isLast: true });
    return watchedEvidence(evidence, () => history.see(draws(), evidence));
  }

  /** All that was kept. */
  get all(): AuditDetails {
    this.#seeLast();
    const { outputs, pairs, power } = this;
    return { history: this.#history?.points ?? [], outputs, pairs, power };
  }
}
