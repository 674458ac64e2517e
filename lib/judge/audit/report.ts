import type { CutPart } from "./kernel/drawing/time_limit.ts";
import type { LongerRun } from "./plan/power/longer_run.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { OutputSummary } from "./output_summary.ts";
import type { RankedPair } from "./search/search_pairs.ts";
import type { EventReport } from "./counterexample/event_report.ts";

/** An event by which a claim was refuted, apart from those found before it. */
export interface Finding {
  /** The rule that tells the sides of the pair apart, counted on outputs outside of the events found before. */
  readonly event: EventReport;
  /** The pair that it was found on. */
  readonly pair: { readonly left: unknown; readonly right: unknown };
  /** The lower bound that the audit shows which found it. */
  readonly epsilonLowerBound: number;
  /** The e-value of that audit. */
  readonly eValue: number;
  /** The draws of that audit. */
  readonly draws: number;
}

/** Findings about a program's noise, which was watched: no part of the verdict, whose draws are made without it. */
export interface RecordedNoise {
  /**
   * "broken": a declaration is false, for certain; "suspected": the audit confirms it or not; "not followed": there was noise, on some pair
   * at least, that could not be followed, or none was seen, so that nothing found says nothing.
   */
  readonly verdict: "broken" | "suspected" | "nothing found" | "not followed";
  /** The gravest first. */
  readonly findings: readonly RecordedFinding[];
  /** The largest cost of a pair on which the noise covers all that was read, as the parameter of the claim; null where there is none. */
  readonly cost: number | null;
  /** Runs of the program. */
  readonly runs: number;
  /** Pairs that were looked at. */
  readonly pairs: number;
  /** Part of the recording that the limit of seconds cut. Absent where it cut nothing. */
  readonly cut?: readonly CutPart[];
  /** Why noise could not be followed: on how many pairs, 0 where nothing was run; and the line, where one is known, as in "mean.py:14". */
  readonly notFollowed?: {
    readonly reason: string;
    readonly pairs: number;
    readonly place?: string;
  };
}

/** One thing that recordings show, on the smallest pair that was found for it. */
export interface RecordedFinding {
  /** Its kind, as "too-little-noise". */
  readonly kind: string;
  /** File and line, as in "mean.py:14"; "" where it has none. */
  readonly place: string;
  /** The line of a library behind it. */
  readonly library?: string;
  /** By how much the value under the noise moves; null where it is no number. */
  readonly change: number | null;
  /** The change that the noise pays for within the whole claim; null where that has no one answer. */
  readonly pays: number | null;
  /** Loss of the pair, as the parameter of the claim (ε in nats, ρ or μ); null where no noise covers it. */
  readonly cost: number | null;
  /** The two datasets. */
  readonly pair: { readonly left: unknown; readonly right: unknown };
  /** The finding in a sentence. */
  readonly sentence: string;
  /** Reads of noise on both datasets, in order: up to 24 reads around the first that differs, and the output. */
  readonly reads: readonly ReadBeside[];
}

/** A read of noise on one dataset, beside the read of its replay on the other. */
export interface ReadBeside {
  /** File and line, as in "mean.py:14"; "" for the output. */
  readonly place: string;
  /** What the program did there, as "noisy value", "largest of 3", "output". */
  readonly what: string;
  /** The noise in it, as "laplace, scale 0.25". */
  readonly noise: string;
  /** What lies under the noise on the left dataset; null where its run has no such read. */
  readonly left: string | null;
  /** The same on the right dataset. */
  readonly right: string | null;
  /** The law of a single noisy number on each side. */
  readonly curves?: readonly {
    readonly law: string;
    readonly at: number;
    readonly scale: number;
  }[];
  /** Whether the two sides differ. */
  readonly differs: boolean;
}

/** The findings of audits that went on after a refutation. */
export interface FurtherFindings {
  /** All findings, the first refutation's too, in the order in which they were found. */
  readonly findings: readonly Finding[];
  /** The verdict of the last audit, which found no new event. "refuted" where it showed none, or the list is full. */
  readonly rest: "refuted" | "not-refuted" | "inconclusive" | "failed";
}

/** The parts of a report that every verdict has. */
export interface AuditFigures {
  /** The subject's name. */
  readonly subject: string;
  /** The claim under test. JSON has its numbers, its kind and the name of its relation. */
  readonly claim: Claim;
  /**
   * With the stated confidence, the program is not ε-DP for any ε up to this (δ as claimed). Where a claim is about ρ
   * or μ, the bound is on that.
   */
  readonly epsilonLowerBound: number;
  /** Confidence of the lower bound: 1 − alpha. */
  readonly confidence: number;
  /** The largest probability of refuting a true claim. */
  readonly alpha: number;
  /**
   * Evidence against the claim: its expectation is at most 1 if the claim is true. 0 where the subject failed, unless the claim
   * had been refuted and nothing more was bet on.
   */
  readonly eValue: number;
  /** Outputs drawn for the verdict, both sides together. */
  readonly draws: number;
  /** Seconds that these took. */
  readonly seconds: number;
  /** The pair that refuted the claim or came closest; `null` if none was tried. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
  /** The rule that tells the sides of that pair apart; `null` if none was found. */
  readonly event: EventReport | null;
  /**
   * Events whose outputs were left out: nothing was bet on them, and `event` was counted without them. Absent where there are
   * none.
   */
  readonly except?: readonly string[];
  /** Rules that every dataset tried keeps. Absent without rules. */
  readonly require?: readonly string[];
  /** With `all`: what was found after the refutation, with each found event left out. */
  readonly further?: FurtherFindings;
  /** Seed of coins and search. */
  readonly seed: number;
  /** The command, or the lines of code, that run this audit again. */
  readonly replay: string;
  /**
   * An event of this probability on one dataset of the pair that was drawn on last, which the other dataset never has, is
   * refuted by the bets of this run with probability 0.9, whenever it comes first; 1 where the draws are too few. (That pair is
   * the one of the report before it was made small.) The event is a value, a kind or a key of outputs, or numbers beyond a threshold.
   */
  readonly smallestEventProbability: number;
  /**
   * A violation above this ε (ρ or μ, where the claim is about that), on the pair of this run and in an event that a share
   * `detectableShare` of outputs have, would be refuted with probability 0.9; infinite where none would be, `null` where nothing
   * was drawn or the subject failed. The event is one of the values, kinds or keys of outputs, or numbers beyond a threshold.
   */
  readonly detectableEpsilon: number | null;
  /**
   * The share of outputs, averaged over both datasets, in the rarer part when outputs are divided as evenly as their values allow:
   * next to 0 where nearly all are equal, and 1/2 where they are spread out.
   */
  readonly detectableShare: number;
  /** After few draws: what a run of more would have seen. Absent after many. */
  readonly longerRun?: LongerRun;
  /** A run whose `detectableEpsilon` is more than this many times the claim is inconclusive. */
  readonly requiredPower: number;
  /** Pairs of datasets tried. */
  readonly pairsTried: number;
  /**
   * What the limit of seconds cut, in order, which depends on the machine. Absent where it cut nothing: equal seeds, options and
   * programs then give equal reports but for `seconds`.
   */
  readonly cut?: readonly CutPart[];
  /** Whether the bits of doubles were features. */
  readonly bits: boolean;
  /** Versions of dpcheck and of the runtime, `deno` or `node`. */
  readonly versions: Record<string, string>;
  /** Data for a page with plots, where they were asked for. JSON leaves them out. */
  readonly details?: AuditDetails;
  /** Set where the audit was interrupted: its figures are those up to then. */
  readonly interrupted?: true;
  /**
   * Of a program or a module that was not refuted: what two new starts of it drew, and whether that differs. Where they drew
   * the same beyond chance, the verdict is "failed". Absent where nothing can be started again.
   */
  readonly starts?: {
    /** Outputs of each that were compared. */
    readonly outputs: number;
    /** Whether they differ: where they do not, they vary too little to tell, or time was over. */
    readonly differ: boolean;
  };
  /**
   * Of a module that was not refuted: set where all paths of its draws can be run, on this number of datasets, so that `dpcheck
   * audit --exact` decides the claim.
   */
  readonly exactDecides?: { readonly datasets: number };
  /** What the program's noise shows that was watched beside the audit. Absent where it was not. */
  readonly recording?: RecordedNoise;
  /** Of a function: whether it was called with the dataset alone, or with a source as its second argument, as it declares. */
  readonly calledWith?: "data" | "data and source";
  /** Set where outputs are declared independent, so that they may be asked for in blocks of one dataset. */
  readonly declaredIndependent?: true;
  /**
   * Set where the subject was asked for outputs before it had answered for those before: a true claim is refuted with
   * probability at most α if it computes each output before it reads on.
   */
  readonly askedAhead?: true;
}

/** The bound and the evidence of the bets after some draws. */
export interface HistoryPoint {
  /** Draws so far, both sides together. */
  readonly draws: number;
  /** The lower bound of the bets on the parameter of the claim: ε, ρ or μ. */
  readonly epsilonLowerBound: number;
  /** Natural logarithm of the e-value of the bets, weighted by their share of α. */
  readonly logEValue: number;
}

/** The violation that a number of draws on the pair of a run would have shown, in events as common as `detectableShare`. */
export interface PowerPoint {
  /** Draws, both sides together, of which the test at the end has the same share. */
  readonly draws: number;
  /** A violation above this (ε, ρ or μ) would have been refuted with probability 0.9; infinite where none would be. */
  readonly detectable: number;
}

/** Data of a page with plots, in addition to the figures of an audit: kept in bounded memory, with the option `details`. */
export interface AuditDetails {
  /** Evidence over draws, at numbers of draws that grow by a tenth. */
  readonly history: readonly HistoryPoint[];
  /** Fresh outputs on the pair of the report, counted; `null` where none were drawn. */
  readonly outputs: OutputSummary | null;
  /** Pairs of the search that were left at its end, the best first; none where the pair was given. */
  readonly pairs: readonly RankedPair[];
  /** The violations that more and fewer draws would have shown. */
  readonly power: readonly PowerPoint[];
}

/** Draws on the pair of a report, made after it was chosen, and their e-value. */
export interface FreshDraws {
  /** Their number, both sides together. */
  readonly draws: number;
  /** Evidence against the claim from these draws alone. */
  readonly eValue: number;
}

/** The claim is refuted. A true claim is refuted with probability at most α. */
export interface RefutedReport extends AuditFigures {
  /** Tells the kinds of report apart. */
  readonly verdict: "refuted";
  /**
   * Whether draws made after the refutation refute the claim once more. Where they do not, the refutation stands, for a true claim
   * meets it with probability α at most: the program changes between draws.
   */
  readonly confirmed: boolean;
  /** The draws that refute the claim once more, on the pair of this report; absent where there are none. */
  readonly confirmation?: FreshDraws;
  /** Draws after the refutation, on the pair of this report, that do not refute the claim again; absent where there are none. */
  readonly unconfirmed?: FreshDraws;
  /** Set where the subject failed after the refutation: what it did. */
  readonly failure?: string;
}

/** The claim was not refuted. This is no proof of it. */
export interface NotRefutedReport extends AuditFigures {
  /** Tells the kinds of report apart. */
  readonly verdict: "not-refuted";
  /** Only of a refutation. */
  readonly confirmation?: never;
  /** Only of a refutation. */
  readonly unconfirmed?: never;
  /** Only of a subject that failed. */
  readonly failure?: never;
}

/** The claim was not refuted, and the run could not have seen a violation worth the name, or was interrupted. */
export interface InconclusiveReport extends AuditFigures {
  /** Tells the kinds of report apart. */
  readonly verdict: "inconclusive";
  /** Why nothing can be concluded, in a sentence. */
  readonly reason: string;
  /** Only of a refutation. */
  readonly confirmation?: never;
  /** Only of a refutation. */
  readonly unconfirmed?: never;
  /** Only of a subject that failed. */
  readonly failure?: never;
}

/** The subject crashed, hung, or answered with something that is not an answer or with errors alone. */
export interface FailedReport extends AuditFigures {
  /** Tells the kinds of report apart. */
  readonly verdict: "failed";
  /** How the subject failed. */
  readonly failure: string;
  /** Only of a refutation. */
  readonly confirmation?: never;
  /** Only of a refutation. */
  readonly unconfirmed?: never;
}

/** The result of an audit. The verdict is never "private": runs cannot prove privacy. */
export type AuditReport =
  | RefutedReport
  | NotRefutedReport
  | InconclusiveReport
  | FailedReport;
