import type { Claim } from "../../core/claims/claim.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import type { Pair, Relation } from "../../core/relations/relation.ts";
import type { Progress } from "./kernel/drawing/progress.ts";
import type { DatasetRule } from "./search/dataset_rules.ts";
import type { AuditEffort } from "./model/prediction/effort.ts";

/** Options of an audit. The claim has no default; budgets and α have the defaults stated. */
export interface AuditOptions {
  /** The claim to test; the subject's own if it makes one and this is absent. */
  readonly claim?: Claim;
  /** A fixed pair of different neighbours; otherwise pairs are searched in `domain`. */
  readonly pair?: Pair;
  /** Datasets to search; the subject's own if it has one and this is absent. */
  readonly domain?: Domain;
  /**
   * Numbers that the subject may treat apart, as those in its text (`numbersInProgram`): some of the first pairs of a search have
   * a row with one of them. Default: none.
   */
  readonly numbers?: readonly number[];
  /**
   * Pairs that are looked at before all others, as those on which recorded noise does not cover what a program puts out. They must
   * be neighbours in the domain. Default: none.
   */
  readonly suspected?: readonly Pair[];
  /**
   * Public rows that stand before every dataset: a promise of the domain that the searched rows need not keep, as rows of every
   * class. They are not part of the pair that is reported. Default: none.
   */
  readonly withRows?: readonly unknown[];
  /**
   * Rules that every dataset keeps, public rows included: a promise of the domain, as `every value of label` or `rows >= 5`. No
   * other datasets are tried, and a given pair must keep it. In words ({@linkcode DatasetRule}) or as a function. Default:
   * nothing.
   */
  readonly require?: readonly DatasetRule[];
  /**
   * Events that are known to break the claim, as reports print them (`output = error 7`): outputs that satisfy one of them are one
   * output that nothing is bet on, so that an easy leak does not hide the next. Default: none.
   */
  readonly except?: readonly string[];
  /**
   * After a refutation, go on by fresh draws with each found event excepted, and list what is found. Each audit has the whole
   * budget. Any wrong finding has probability at most `alpha`. Default false.
   */
  readonly all?: boolean;
  /** The neighbouring relation of the search: the claim's if absent. */
  readonly relation?: Relation;
  /** The largest probability of refuting a true claim, in (0, 1). Default 0.01. */
  readonly alpha?: number;
  /**
   * The draws of the audit, both sides together: what it does, and in which order, follows from this number and the seed. To make a
   * refuted pair small and to count an event takes more. Default, by the kind of subject: a mechanism with `sampleMany` 1,000,000, an
   * endpoint 20,000, a program 50,000, and all others 200,000, five times as many with effort "thorough"; or as many as recorded
   * outputs suffice for.
   */
  readonly maxDraws?: number;
  /**
   * The audit is cut after this many seconds, whatever it does then: a report says what was cut, for that depends on the machine. The
   * clock decides nothing else. Default 600.
   */
  readonly maxSeconds?: number;
  /** Seed of coins, search and of seeded subjects. Default: chosen at random and reported. */
  readonly seed?: number;
  /**
   * "quick" ends with the first refutation; "thorough" spends the whole budget for the best lower bound.
   * Default "quick".
   */
  readonly effort?: AuditEffort;
  /** Use the bits of doubles as features too, which finds floating-point leaks. Default false. */
  readonly bits?: boolean;
  /** Confirm a refutation on fresh draws, and reduce its pair to a small one. Default true. */
  readonly shrink?: boolean;
  /**
   * Ask for one output a request, and for the next one when it has come. Otherwise programs and endpoints are asked ahead, and the
   * statement of error assumes that they compute each output before they read on. Default false.
   */
  readonly oneAtATime?: boolean;
  /**
   * A claim that is not refuted gets the verdict "inconclusive" where a violation of this many times the claimed parameter would
   * not have been refuted with probability 0.9. Above 1; `Infinity` asks for no power. Default 2.
   */
  readonly requirePower?: number;
  /** Keep what a page with plots shows: evidence over draws, counts of fresh outputs, pairs by rank. Default false. */
  readonly details?: boolean;
  /** Aborts the audit: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Ends the audit early: it resolves with a report of what was found so far, marked as interrupted. The bets count, for they
   * may be read at any time; a test that is read at the end of the budget does not.
   */
  readonly interrupt?: AbortSignal;
  /** Called a few times a second. */
  readonly onProgress?: (progress: Progress) => void;
}
