import type { Claim } from "../../core/claims/claim.ts";
import { requireClaim } from "../../core/claims/claim_brand.ts";
import { pointsOf } from "../../core/claims/claim_curve.ts";
import {
  requireChance,
  requireFields,
  requireInteger,
  requireOneOf,
  requirePositive,
} from "../../core/numeric/require.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import type { Pair, Relation } from "../../core/relations/relation.ts";
import type { SearchSpace } from "../audit/search/mutate_pairs.ts";
import { requireDomain } from "../audit/search/require_domain.ts";
import { DEFAULT_ALPHA, DEFAULT_SECONDS } from "../audit/validate_options.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import type { Point } from "./leaking_event.ts";
import { QuestionKinds, type QuestionSpecs } from "./question_kinds.ts";
import { requireStrategy, type Strategy } from "./strategy.ts";
import { moveNamesOf, wordsOf } from "./strategy_moves.ts";
import type { Lifetime } from "./users.ts";

/** Options of an audit of sessions. The claim, the kinds of questions and the datasets have no default. */
export interface AuditInteractiveOptions {
  /** The claim to test: of everything that an adversary sees in the lifetime below. */
  readonly claim: Claim;
  /** Kinds of questions with the values of their arguments, as data or as arbitraries of fast-check. No question is written by hand. */
  readonly questions: QuestionSpecs;
  /** Datasets to search. May be left out where a pair is given. */
  readonly domain?: Domain;
  /** The neighbouring relation: the claim's if absent. */
  readonly relation?: Relation;
  /** A fixed pair of neighbours; otherwise pairs are searched together with strategies. */
  readonly pair?: Pair;
  /** A fixed strategy, as a report has it: nothing is searched. It needs a pair. */
  readonly strategy?: Strategy;
  /** Scope of the claim: one session, all sessions of a user, or all sessions of all users. Default "service". */
  readonly lifetime?: Lifetime;
  /**
   * What a restart of the service keeps: with "everything" the claim covers what is asked before and after it; with "nothing" a new
   * claim begins, and strategies do not restart. Default "everything".
   */
  readonly restartKeeps?: "everything" | "nothing";
  /** The largest probability of refuting a true claim. Default 0.01. */
  readonly alpha?: number;
  /** Transcripts of the search, both sides together. Default: 300,000 of a service of this process, fewer of others. */
  readonly maxSearchDraws?: number;
  /** Transcripts of each of the bets, of which there are at most three. Default: 40,000 of a service of this process. */
  readonly maxDraws?: number;
  /** The audit is cut after this many seconds. Default 600. */
  readonly maxSeconds?: number;
  /** Seconds that a transcript may take before the service counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Make a strategy that is found smaller. Default true. */
  readonly shrink?: boolean;
  /** Seed of the search, the coins and the service's source. Default: chosen at random and reported. */
  readonly seed?: number;
  /** Aborts the audit: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of an audit once they are read. */
export interface SessionSettings {
  readonly claim: Claim;
  readonly points: readonly Point[];
  readonly alpha: number;
  readonly seed: number;
  readonly lifetime: Lifetime;
  readonly kinds: QuestionKinds;
  readonly space: SearchSpace;
  readonly pair: Pair | undefined;
  readonly strategy: Strategy | undefined;
  readonly mayRestart: boolean;
  /** Moves of the search, in words. */
  readonly moveWords: readonly string[];
  readonly maxSearchDraws: number;
  readonly maxDraws: number;
  readonly shrink: boolean;
  /** When the audit is cut, in milliseconds of `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the options of an audit of sessions.
 *
 * @throws {RangeError} when one is out of its bounds or something needed is missing.
 */
export async function settingsOf(
  program: InteractiveProgram,
  options: AuditInteractiveOptions,
): Promise<SessionSettings> {
  const action = "audit sessions";
  requireFields("auditInteractive", options, {
    claim: "record",
    questions: "record",
    domain: "record?",
    relation: "relation?",
    pair: "record?",
    strategy: "list?",
    shrink: "boolean?",
    signal: "signal?",
  });
  const {
    claim,
    alpha = DEFAULT_ALPHA,
    lifetime = "service",
    restartKeeps = "everything",
    seed = crypto.getRandomValues(new Uint32Array(1))[0]!,
    maxSearchDraws = program.usualDraws.search,
    maxDraws = program.usualDraws.bet,
    maxSeconds = DEFAULT_SECONDS,
    shrink = true,
    domain,
    pair,
    strategy,
    signal,
  } = options;
  requireClaim(action, claim);
  requireChance(action, "alpha", alpha);
  requireOneOf<Lifetime>(action, "lifetime", lifetime, ["session", "user", "service"]);
  requireOneOf(action, "restartKeeps", restartKeeps, ["everything", "nothing"] as const);
  requireInteger(action, "seed", seed, { min: 0 });
  requireInteger(action, "maxSearchDraws", maxSearchDraws, { min: 1 });
  requireInteger(action, "maxDraws", maxDraws, { min: 1 });
  requirePositive(action, "maxSeconds", maxSeconds);
  const needs = (what: string): never => {
    throw new RangeError(`Cannot audit sessions: ${what}: current value is undefined`);
  };
  if (pair === undefined && domain === undefined) needs("domain must be given, or a pair");
  if (domain !== undefined) requireDomain(action, domain);
  if (strategy !== undefined && pair === undefined) needs("pair must be given with strategy");
  const mayRestart = program.mayRestart && restartKeeps === "everything" && lifetime !== "session";
  if (strategy !== undefined) {
    requireStrategy(strategy, { kinds: Object.keys(options.questions), lifetime, mayRestart });
  }
  return {
    claim,
    points: pointsOf(claim),
    alpha,
    seed,
    lifetime,
    kinds: await QuestionKinds.of(options.questions, { rows: domain?.rows, seed }),
    space: {
      domain: domain ?? { rows: { type: "boolean" }, size: { min: 0, max: 0 } },
      relation: options.relation ?? pair?.relation ?? claim.relation,
    },
    pair,
    strategy,
    mayRestart,
    moveWords: wordsOf(moveNamesOf({ lifetime, mayRestart, isGiven: pair !== undefined })),
    maxSearchDraws,
    maxDraws,
    shrink,
    deadline: performance.now() + maxSeconds * 1000,
    signal,
  };
}
