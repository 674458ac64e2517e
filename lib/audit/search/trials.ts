import type { Sampler } from "../drawing/sampler.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import type { AuditEffort } from "../prediction/effort.ts";
import { refutableEpsilonAhead } from "./rank_candidates.ts";

/** Draws of the whole search before its first new pair. */
const FIRST_TRIAL_AT = 1024;
/**
 * In a thorough search all pairs that it begins with, and all on trial, get so many draws: the time to grow their
 * partitions is spent by then, and a few more draws would show little. Where rows are few, learning takes next to no time,
 * and a trial may be long. A trial takes at most this share of the draws of the whole audit.
 */
const FAIR_TRIAL = { manyRows: 49_152, fewRows: 1 << 19, share: 1 / 100 };
/** A new pair is on trial until it has this share of the leader's draws, more in a thorough search. */
const TRIAL_SHARE = { quick: 0.05, thorough: 0.12 };
/** In a quick search a trial is no longer than this, which grows with all its draws: so many pairs get a trial. */
const SHORT_TRIAL = { draws: 1024, share: 1 / 256 };
/** The share of a quick search's draws that trials take. */
const ALL_TRIALS = 0.13;
/** In a thorough search a new pair is tried when the draws have grown by this factor, sooner after a refutation. */
const NEW_PAIR_EVERY = { before: 1.3, after: 1.15 };
/**
 * A pair on trial is compared with the leader at so many draws, and whenever these have doubled. A quick search drops most pairs at
 * the first comparison, so that more get a trial: without it 300,000 draws do not refute a median of ages with the noise of a mean. A thorough
 * search compares later, for a predictor of effort `sparing` may begin its counts again after some thousand draws.
 */
const COMPARED_FROM = { quick: 256, thorough: 1 << 14 };
/** A trial ends when the pair's refutable ε by point estimates is below this share of the leader's. */
const CLEARLY_WORSE = 0.7;
/** In a thorough search the leader gets no more draws than this, or this share of the whole audit, while others are tried. */
const LEADER_WAITS = { draws: 100_000, share: 1 / 40 };

/** New pairs on trial, one at a time: when each begins, when it is its turn, and when it is over. */
export class Trials {
  readonly #sampler: Sampler;
  readonly #effort: AuditEffort;
  #candidate: CandidatePair | undefined;
  #begun = 0;
  #comparedAt = 0;
  #nextAt = FIRST_TRIAL_AT;

  /** Begins without a pair on trial. */
  constructor(sampler: Sampler, effort: AuditEffort) {
    this.#sampler = sampler;
    this.#effort = effort;
  }

  /** Whether it is time for a new pair. */
  isDue(leader: CandidatePair): boolean {
    return this.#candidate === undefined &&
      (this.#sampler.draws >= this.#nextAt || this.#isWaiting(leader));
  }

  /** Draws that a pair of a thorough search gets before it is compared with others. */
  fairDraws({ predictor }: CandidatePair): number {
    if (this.#effort === "quick") return 0;
    const draws = predictor.seesFewRows ? FAIR_TRIAL.fewRows : FAIR_TRIAL.manyRows;
    return Math.min(draws, FAIR_TRIAL.share * this.#plannedDraws);
  }

  /** Puts a pair on trial, if there is one, and fixes when the next is due. */
  begin(
    candidate: CandidatePair | undefined,
    { leader, isRefuted }: { leader: CandidatePair; isRefuted: boolean },
  ): void {
    const { draws } = this.#sampler;
    this.#candidate = candidate;
    this.#begun = draws;
    this.#comparedAt = COMPARED_FROM[this.#effort];
    this.#nextAt = this.#effort === "quick"
      ? draws + this.#shortTrial(leader) / ALL_TRIALS
      : Math.max(1.01 * this.#nextAt, draws * NEW_PAIR_EVERY[isRefuted ? "after" : "before"]);
  }

  /** Ends the trial of a pair that has had its draws, is slow, or is clearly worse than the leader. */
  endIfOver(leader: CandidatePair): void {
    if (this.#candidate === undefined) return;
    const { draws } = this.#candidate.predictor;
    const isCompared = draws >= this.#comparedAt;
    if (
      this.#sampler.isSlow(this.#candidate.pair) ||
      draws > this.#drawsOf(this.#candidate, leader) ||
      (isCompared && this.#isClearlyWorse(this.#candidate, leader))
    ) {
      this.#candidate = undefined;
      // What an early end saves goes to further trials.
      if (this.#effort === "quick") {
        this.#nextAt = Math.min(this.#nextAt, this.#begun + draws / ALL_TRIALS);
      }
    } else if (isCompared) this.#comparedAt *= 2;
  }

  /** The pair on trial, if the next draws are on it: as long as it had less than this share of the draws since it began. */
  turn(share: number, leader: CandidatePair): CandidatePair | undefined {
    const had = this.#candidate?.predictor.draws ?? Infinity;
    const isTurn = this.#isWaiting(leader) || had <= share * (this.#sampler.draws - this.#begun);
    return isTurn ? this.#candidate : undefined;
  }

  /** Whether a leader of a thorough search waits while others are tried. */
  #isWaiting({ predictor }: CandidatePair): boolean {
    const most = Math.max(LEADER_WAITS.draws, LEADER_WAITS.share * this.#plannedDraws);
    return this.#effort === "thorough" && predictor.draws >= most;
  }

  get #plannedDraws(): number {
    return this.#sampler.draws + this.#sampler.remainingDraws;
  }

  #drawsOf(candidate: CandidatePair, leader: CandidatePair): number {
    return this.#effort === "quick"
      ? this.#shortTrial(leader)
      : Math.max(TRIAL_SHARE.thorough * leader.predictor.draws, this.fairDraws(candidate));
  }

  #shortTrial({ predictor }: CandidatePair): number {
    const most = Math.max(SHORT_TRIAL.draws, SHORT_TRIAL.share * this.#sampler.draws);
    return Math.min(TRIAL_SHARE.quick * predictor.draws, most);
  }

  /** Compares the pair's point estimate with the leader's less its standard errors, which favours the pair. */
  #isClearlyWorse(candidate: CandidatePair, leader: CandidatePair): boolean {
    return refutableEpsilonAhead(candidate, this.#sampler, 0) <
      CLEARLY_WORSE * refutableEpsilonAhead(leader, this.#sampler);
  }
}
