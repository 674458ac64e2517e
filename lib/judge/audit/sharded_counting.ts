import type { EvidenceShown } from "./kernel/betting/evidence.ts";
import type { SerializedPredictor } from "./model/prediction/serialized_predictor.ts";
import type { ShardJob } from "./kernel/shards/shard_job.ts";
import type { LedgerEvent, ShardLedger } from "./kernel/shards/shard_ledger.ts";
import type { SideCounts } from "./kernel/subject.ts";

/** A job with all that counts outputs for it. */
export interface SentJob extends ShardJob {
  /** The partition, and how outputs are encoded for it. */
  readonly predictor: SerializedPredictor;
}

/** How far an audit was when its shards began: with it, and what shards have counted since, the audit can be resumed. */
export interface CountingState {
  readonly job: SentJob;
  /** Draws that the test was planned for. */
  readonly planned: number;
  readonly evidence: EvidenceShown;
  /** Draws before the shards, on all pairs. */
  readonly draws: number;
  /** Those on the pair, by their dataset. */
  readonly drawsOn: SideCounts;
  /** Seconds before the shards. */
  readonly seconds: number;
  readonly pairsTried: number;
}

/** The shards of an audit, and where they end. */
export interface ShardRun {
  readonly job: SentJob;
  readonly ledger: ShardLedger;
  /** When no more attempts are begun, as a time of `performance.now`; infinite where there is no deadline. */
  readonly deadline: number;
  /** Ends it at once. */
  readonly signal: AbortSignal | undefined;
}

/** How the end of an audit is drawn in shards. */
export interface ShardedCounting {
  /** Whether equal seeds give equal outputs: the subject has no randomness but that of its source, and no memory. */
  readonly isFunctionOfSeed: boolean;
  /**
   * Draws all shards, as far as time allows, and has the ledger count them.
   *
   * @throws {SubjectFailure} when the subject fails.
   */
  readonly run: (run: ShardRun) => Promise<void>;
  /**
   * Called when the shards begin; the function that it returns is called for every attempt, before it begins and when it is
   * counted.
   */
  readonly begun?: (state: CountingState) => (event: LedgerEvent) => void;
  /** Where an audit is resumed: how far it was, and what had happened since. */
  readonly resumed?: {
    readonly state: CountingState;
    readonly events: readonly LedgerEvent[];
    readonly record: (event: LedgerEvent) => void;
  };
}
