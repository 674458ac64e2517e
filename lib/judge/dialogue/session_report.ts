import type { Claim } from "../../core/claims/claim.ts";
import type { Strategy } from "./strategy.ts";
import type { Lifetime } from "./users.ts";

/** The adversary that an audit tried. */
export interface TriedAdversary {
  /** Strategies with their pairs; 0 where the strategy was given. */
  readonly strategies: number;
  /** How many of them were looked at by one run with watched noise, where the service draws its noise from its source. */
  readonly watched: number;
  /** Transcripts that were drawn to choose among them: none of them is part of the verdict. */
  readonly transcripts: number;
  /** Kinds of questions that were asked. */
  readonly kinds: readonly string[];
  /** The moves that strategies were made of, in words. */
  readonly moves: readonly string[];
  /** The most steps, repeats of a step and items of a transcript. */
  readonly most: { readonly steps: number; readonly times: number; readonly answers: number };
}

/** Report of an audit of a service that answers questions. */
export interface SessionReport {
  /**
   * "refuted": a true claim gets this with probability at most α. "not-refuted": not seen by this adversary, which is no proof.
   * "inconclusive": too little was tried. "failed": the service did not hold sessions.
   */
  readonly verdict: "refuted" | "not-refuted" | "inconclusive" | "failed";
  /** The service's name. */
  readonly subject: string;
  /** The claim under test. */
  readonly claim: Claim;
  /** Scope of the claim. */
  readonly lifetime: Lifetime;
  /** With the stated confidence, the service is not ε-DP for any ε up to this (or ρ or μ, where the claim is about that). */
  readonly epsilonLowerBound: number;
  /** 1 − alpha. */
  readonly confidence: number;
  /** The largest probability of refuting a true claim. */
  readonly alpha: number;
  /** E-value against the claim of the bet that this report is about, which is chosen among up to three: of all of them together it is none. */
  readonly eValue: number;
  /** Transcripts that were bet on. */
  readonly draws: number;
  /** The adversary that was tried. */
  readonly adversary: TriedAdversary;
  /** The strategy that refuted the claim or came closest; `null` where none was bet on. */
  readonly strategy: Strategy | null;
  /** Its pair of datasets. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
  /** The strategy as lines to follow by hand. */
  readonly script: readonly string[];
  /**
   * The event of transcripts that tells the datasets apart, and how many of the transcripts had it that were drawn after it was
   * selected; `null` where none was found.
   */
  readonly event: {
    readonly text: string;
    readonly left: number;
    readonly right: number;
    /** Transcripts of each side. */
    readonly of: number;
    /** Numbers of the answers that it looks at, from 1 on, where these are a few. */
    readonly answers: readonly number[];
  } | null;
  /** What the event says of the service, in a sentence; `null` where it says nothing plain. */
  readonly advice: string | null;
  /** Seed of the search, the coins and the service's source. */
  readonly seed: number;
  /** Seconds that the audit took. */
  readonly seconds: number;
  /** How to run the bet again. */
  readonly replay: string;
  /** How the service failed. */
  readonly failure?: string;
  /** Why nothing can be concluded. */
  readonly reason?: string;
  /** Versions of dpcheck and of the runtime. */
  readonly versions: Record<string, string>;
}
