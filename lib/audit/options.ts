import type { AuditEffort } from "./prediction/effort.ts";
import type { Claim } from "../core/claim.ts";
import type { Domain } from "../core/dataset.ts";
import type { Pair, Relation } from "../core/relation.ts";
import type { Progress } from "./drawing/progress.ts";

/** What an audit needs to know. No default for the claim; budgets and α have the defaults stated. */
export interface AuditOptions {
  /** The claim to test; the subject's own if it makes one and this is absent. */
  readonly claim?: Claim;
  /** A fixed pair of different neighbours; otherwise pairs are searched in `domain`. */
  readonly pair?: Pair;
  /** Datasets to search; the subject's own if it has one and this is absent. */
  readonly domain?: Domain;
  /** The neighbouring relation of the search: the claim's if absent. */
  readonly relation?: Relation;
  /** Chance of refuting a true claim, at most. Default 0.01. */
  readonly alpha?: number;
  /**
   * Stop after this many draws, both sides together. Making a refuted pair small and counting an event take more.
   * Default: no limit, or as many as recorded outputs last for.
   */
  readonly maxDraws?: number;
  /** Stop after this many seconds. Default 20, or no limit where draws have one. */
  readonly maxSeconds?: number;
  /** Seed of labels, search and of seeded subjects. Default: chosen at random and reported. */
  readonly seed?: number;
  /**
   * "quick" ends with the first refutation; "thorough" spends the whole budget for the best lower bound.
   * Default "quick".
   */
  readonly effort?: AuditEffort;
  /** Look at the bits of doubles too: finds floating-point leaks. Default false. */
  readonly bits?: boolean;
  /** Confirm a refutation on fresh draws, and reduce its pair to a small one. Default true. */
  readonly shrink?: boolean;
  /** Aborts the audit: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called a few times a second. */
  readonly onProgress?: (progress: Progress) => void;
}
