import type { AuditEffort } from "../prediction/effort.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import { refutableEpsilonAhead } from "./rank_candidates.ts";
import type { Sampler } from "../drawing/sampler.ts";

/** Draws before the first new pair. */
const SETTLE = 1024;
/**
 * In a thorough search all pairs that it begins with, and all on trial, get so many draws: what a predictor
 * costs is paid by then, and few more draws would tell little. Where rows are few a predictor costs next to nothing,
 * and the trial may be a long one. Fewer draws where the audit is to make few.
 */
const FAIR_TRIAL = { many: 49_152, few: 1 << 19, share: 1 / 100 };
/** A new pair is on trial until it has this share of the leader's draws, more in a thorough search. */
const TRIAL_SHARE = { quick: 0.05, thorough: 0.12 };
/** In a quick search no longer than this, which grows with all its draws: many pairs are to have their turn. */
const SHORT_TRIAL = { draws: 1024, share: 1 / 256 };
/** The share of a quick search's draws that trials take. */
const ALL_TRIALS = 0.13;
/** In a thorough search a new pair is tried when the draws have grown by this factor, oftener after a refutation. */
const NEW_PAIR_EVERY = { before: 1.3, after: 1.15 };
/**
 * A pair on trial races the leader from so many draws on, and goes on unless at best it is so much worse. A sparing
 * predictor may count from nothing after some thousands.
 */
const RACE_FROM = { quick: 1 << 13, thorough: 1 << 14 };
const CLEARLY_WORSE = 0.7;
/** In a thorough search the leader waits at this share of the draws of the whole audit while others are tried. */
const LEADER_WAITS = { draws: 100_000, share: 1 / 40 };

/** New pairs on trial, one at a time: when each begins, when it is its turn, and when it is over. */
export class Trials {
  readonly #sampler: Sampler;
  readonly #effort: AuditEffort;
  #candidate: CandidatePair | undefined;
  #begun = 0;
  #raceAt = 0;
  #nextAt = SETTLE;

  /** Nothing is on trial yet. */
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
  fairDraws({ predictor: predictor }: CandidatePair): number {
    if (this.#effort === "quick") return 0;
    const draws = predictor.seesFewRows ? FAIR_TRIAL.few : FAIR_TRIAL.many;
    return Math.min(draws, FAIR_TRIAL.share * this.#plannedDraws);
  }

  /** Puts a pair on trial, if there is one, and says when the next is due. */
  begin(
    candidate: CandidatePair | undefined,
    { leader, isRefuted }: { leader: CandidatePair; isRefuted: boolean },
  ): void {
    const { draws } = this.#sampler;
    this.#candidate = candidate;
    this.#begun = draws;
    this.#raceAt = RACE_FROM[this.#effort];
    this.#nextAt = this.#effort === "quick"
      ? draws + this.#shortTrial(leader) / ALL_TRIALS
      : Math.max(1.01 * this.#nextAt, draws * NEW_PAIR_EVERY[isRefuted ? "after" : "before"]);
  }

  /** Ends the trial of a pair that has had its draws, or is worse than the leader even if its luck was bad so far. */
  look(leader: CandidatePair): void {
    if (this.#candidate === undefined) return;
    const { draws } = this.#candidate.predictor;
    const races = draws >= this.#raceAt;
    if (
      draws > this.#drawsOf(this.#candidate, leader) ||
      (races && this.#isBeaten(this.#candidate, leader))
    ) {
      this.#candidate = undefined;
    } else if (races) this.#raceAt *= 2;
  }

  /** The pair on trial, if it is its turn: while it has had less than this share of the draws since it began. */
  turn(share: number, leader: CandidatePair): CandidatePair | undefined {
    const had = this.#candidate?.predictor.draws ?? Infinity;
    const isTurn = this.#isWaiting(leader) || had <= share * (this.#sampler.draws - this.#begun);
    return isTurn ? this.#candidate : undefined;
  }

  #isWaiting({ predictor: predictor }: CandidatePair): boolean {
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

  #shortTrial({ predictor: predictor }: CandidatePair): number {
    const most = Math.max(SHORT_TRIAL.draws, SHORT_TRIAL.share * this.#sampler.draws);
    return Math.min(TRIAL_SHARE.quick * predictor.draws, most);
  }

  #isBeaten(candidate: CandidatePair, leader: CandidatePair): boolean {
    return refutableEpsilonAhead(candidate, this.#sampler, 0) <
      CLEARLY_WORSE * refutableEpsilonAhead(leader, this.#sampler);
  }
}
