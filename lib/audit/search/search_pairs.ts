import type { Pair } from "../../core/relation.ts";
import type { Source } from "../../core/source.ts";
import { ONE_STANDARD_ERROR } from "../betting/shares.ts";
import type { RankedPair } from "../details/audit_details.ts";
import type { Sampler } from "../drawing/sampler.ts";
import type { Play } from "../play/play.ts";
import {
  type CandidatePair,
  candidatePairOf,
  expectedLogWealth,
} from "../prediction/candidate_pair.ts";
import type { AuditEffort } from "../prediction/effort.ts";
import { keyOf, mutatePair, randomPair, type SearchSpace } from "./mutate_pairs.ts";
import {
  byRefutableEpsilon,
  rankCandidates,
  refutableEpsilonAhead,
  REFUTATION_NATS,
} from "./rank_candidates.ts";
import { seedPairs } from "./seed_pairs.ts";
import { type Allocation, furthestBelowShare, SELECTION_ERRORS, sharesOf } from "./share_draws.ts";
import { Trials } from "./trials.ts";

/** Candidates at the same time; the worst one makes room for a new one. */
const MAX_CANDIDATES = 24;
/** Candidates to begin with, where no pairs are known to be good. */
const FIRST_CANDIDATES = 5;
/** Draws that every candidate gets before candidates are compared. */
const FIRST_DRAWS = { quick: 64, thorough: 2048 };
/** The share of the draws that goes to the pair on trial. */
const SHARE_ON_TRIAL = { quick: 0.3, focused: 0.05, thorough: 0.5 };
/** A quick search is about to finish when its leader is expected to refute the claim within so many times the draws so far. */
const FINISH_WITHIN = 3;
/** Candidates are ranked again when the draws have grown by this factor: ranking takes time. */
const RANK_EVERY = 1.02;
/** The leader has at least the most draws of any candidate, divided by this: an estimate from few draws is often too large. */
const LEADER_DIVISOR = 5;
/** How new pairs are made: of one of so many best candidates, in so many attempts. */
const NEW_PAIR = { parents: 4, attempts: 8 };
/** Probabilities that a new pair is random, and that it is two mutations away, in order to leave a local maximum. */
const RANDOM_PAIR = 0.1, SECOND_MUTATION = 0.4;

/** Times that a first pair is looked for once more, where datasets must keep a rule. */
const RARE_TRIALS = 200;

/** Finalists by rank, and the first pairs that are finalists whatever their rank. */
const FINALISTS = {
  best: { quick: 4, thorough: 6 },
  first: { quick: 2, thorough: FIRST_CANDIDATES },
};

/** The result of a search. */
export interface SearchResult {
  /** A few candidates, the best first, then the first pairs. */
  readonly finalists: readonly CandidatePair[];
  /** The first pairs of the search, in its order: finalists whatever their rank, for these patterns break most mechanisms. */
  readonly firstCandidates: readonly CandidatePair[];
  /** How many pairs it tried. */
  readonly tried: number;
}

/** How far a search has come. */
export interface Standing {
  /** Whether the leader is expected to refute the target within the horizon. */
  readonly isInSight: boolean;
  /** Whether the leader is expected to refute it soon. */
  readonly isFinishing: boolean;
  /** Pairs tried so far. */
  readonly tried: number;
}

/** Options of a search. */
export interface SearchOptions {
  /** Makes the draws and bets on them. */
  readonly play: Play;
  /** Makes up new pairs. */
  readonly source: Source;
  /** Whether the bits of doubles are features. */
  readonly bits: boolean;
  /** The claimed ε. */
  readonly target: number;
  /** Whether the search is for a refutation soon or for the best pair. */
  readonly effort: AuditEffort;
  /** Called with the pairs left at the end, the best first. */
  readonly ranked?: (pairs: readonly RankedPair[]) => void;
  /** Ends the search. */
  readonly until: (standing: Standing) => boolean;
}

/** Pairs that are known to be good, the best first. */
interface KnownPairs {
  readonly pairs: readonly Pair[];
  /** How many to begin with. */
  readonly first: number;
  /** Lets a candidate learn from outputs drawn on its pair before. */
  readonly learnEarlier?: (candidate: CandidatePair) => void;
}

/**
 * Searches for the pair on which the largest ε can be refuted, while betting on every draw it makes.
 *
 * Draws are shared out by expected wealth: most go to the candidate whose bets against the target have the largest one,
 * fewer to the others, so that a few misleading outputs drop none for good. From time to time a new pair is tried: first
 * those of patterns that break mechanisms ({@linkcode seedPairs}), then mutations of the best. It is on trial for a number
 * of draws, or until it is clearly worse than the leader. Every such choice is made before the draws it leads to, so the
 * bets stay fair.
 *
 * @param known pairs to try first, in place of those patterns
 * @throws {RangeError} when the domain has no two neighbours
 */
export async function searchPairs(
  space: SearchSpace,
  { play, source, bits, target, effort, until, ranked }: SearchOptions,
  known?: KnownPairs,
): Promise<SearchResult> {
  const waiting = [...known?.pairs ?? seedPairs(space)];
  if (waiting.length === 0) {
    let pair = randomPair(space, source);
    // Few random pairs may keep a rule that is a function.
    for (let more = 0; more < RARE_TRIALS && pair === undefined && space.required; more++) {
      pair = randomPair(space, source);
    }
    if (pair === undefined) {
      throw new RangeError(
        `Cannot search for pairs: the domain must have two neighbours under ${space.relation.name}${
          space.required === undefined ? "" : ` that keep ${space.required.texts.join(" and ")}`
        }: none was found`,
      );
    }
    waiting.push(pair);
  }
  const isThorough = effort === "thorough";
  const { sampler, evidence } = play;
  // A thorough search tries many pairs, so each is learned sparingly; a quick one wants a refutation soon.
  const learning = { bits, effort: isThorough ? "sparing" as const : "quick" as const };
  const candidates = waiting.splice(0, known?.first ?? FIRST_CANDIDATES).map((pair) =>
    candidatePairOf(pair, learning)
  );
  if (known?.learnEarlier !== undefined) candidates.forEach(known.learnEarlier);
  const begunWith = new Set(candidates);
  const firstCandidates = candidates.slice(0, FINALISTS.first[effort]);
  const tried = new Set(candidates.map(({ pair }) => keyOf(pair)));
  let isInSight = false, isFinishing = false;
  // Draws on others would only delay a leader that is about to refute the claim, or one that is known to be good.
  const allocationNow = (): Allocation =>
    isThorough ? "thorough" : isFinishing || known !== undefined ? "focused" : "quick";
  let allocation: Allocation;
  const isOver = (): boolean => until({ isInSight, isFinishing, tried: tried.size });
  const trials = new Trials(sampler, effort);
  // The first batch on a pair shows how long its outputs take: slow ones wait until the others had theirs.
  for (const candidate of candidates) {
    while (!sampler.isLookedAt(candidate.pair) && !isOver()) await play.step(candidate, "search");
  }
  for (
    const enough of [
      () => FIRST_DRAWS[effort],
      (candidate: CandidatePair) => trials.fairDraws(candidate),
    ]
  ) {
    for (const candidate of candidates) {
      while (
        candidate.predictor.draws < enough(candidate) && !sampler.isSlow(candidate.pair) &&
        !isOver()
      ) {
        await play.step(candidate, "search");
      }
    }
  }
  let leader!: CandidatePair, shares!: Float64Array, rankedAt = 0;
  const rank = (): void => {
    leader = leaderOf(candidates, sampler);
    isInSight = refutableEpsilonAhead(leader, sampler) > target;
    isFinishing = refutesSoon(leader, { sampler, target });
    allocation = allocationNow();
    shares = sharesOf(candidates, { sampler, evidence, target, leader, allocation, begunWith });
    rankedAt = sampler.draws;
  };
  rank();
  while (!isOver()) {
    if (sampler.draws > rankedAt * RANK_EVERY) rank();
    trials.endIfOver(leader);
    if (trials.isDue(leader)) {
      const listed = waiting.shift();
      const pair = listed ?? newPair(space, { candidates, source, tried, sampler, effort });
      const isMadeUp = isThorough && listed === undefined;
      const candidate = pair && candidatePairOf(pair, {
        ...learning,
        ...(isMadeUp ? { standardErrors: SELECTION_ERRORS } : {}),
      });
      trials.begin(candidate, { leader, isRefuted: evidence.refuted });
      if (candidate !== undefined) {
        tried.add(keyOf(candidate.pair));
        if (candidates.length >= MAX_CANDIDATES) {
          const worst = rankCandidates(candidates, sampler, effort).findLast((candidate) =>
            !firstCandidates.includes(candidate)
          )!;
          candidates.splice(candidates.indexOf(worst), 1);
        }
        candidates.push(candidate);
        rank();
      }
    }
    const candidate = trials.turn(SHARE_ON_TRIAL[allocation!], leader) ??
      furthestBelowShare(candidates, { shares, sampler });
    await play.step(candidate, "search");
  }
  const ranking = rankCandidates(candidates, sampler, effort);
  ranked?.(ranking.map((candidate) => ({
    left: candidate.pair.left,
    right: candidate.pair.right,
    draws: candidate.predictor.draws,
    refutable: refutableEpsilonAhead(candidate, sampler),
  })));
  const best = ranking.slice(0, FINALISTS.best[effort]);
  const isQuick = ({ pair }: CandidatePair): boolean =>
    pair === ranking[0]!.pair || !sampler.isSlow(pair);
  const finalists = [...new Set([...best, ...firstCandidates])].filter(isQuick);
  return { finalists, firstCandidates: firstCandidates.filter(isQuick), tried: tried.size };
}

/** Whether a leader is expected to refute the target soon. */
function refutesSoon(
  leader: CandidatePair,
  { sampler, target }: { sampler: Sampler; target: number },
): boolean {
  const draws = FINISH_WITHIN * sampler.draws;
  return expectedLogWealth(leader, { draws, epsilon: target, errors: ONE_STANDARD_ERROR }) >=
    REFUTATION_NATS;
}

/** The candidate of the largest refutable ε, of those with enough draws. */
function leaderOf(candidates: readonly CandidatePair[], sampler: Sampler): CandidatePair {
  const most = Math.max(...candidates.map((candidate) => candidate.predictor.draws));
  return byRefutableEpsilon(
    candidates.filter((candidate) => candidate.predictor.draws >= most / LEADER_DIVISOR),
    sampler,
  )[0]!;
}

/** A pair not tried before, random or mutated from one of the best; `undefined` when a few attempts find none. */
function newPair(
  space: SearchSpace,
  { candidates, source, tried, sampler, effort }: {
    candidates: readonly CandidatePair[];
    source: Source;
    tried: ReadonlySet<string>;
    sampler: Sampler;
    effort: AuditEffort;
  },
): Pair | undefined {
  const ranking = rankCandidates(candidates, sampler, effort);
  for (let attempt = 0; attempt < NEW_PAIR.attempts; attempt++) {
    const parents = Math.min(NEW_PAIR.parents, ranking.length);
    // The square makes better parents likelier.
    const parent = ranking[Math.floor(source.uniform() ** 2 * parents)]!;
    let pair = source.uniform() < RANDOM_PAIR
      ? randomPair(space, source)
      : mutatePair(space, parent.pair, source);
    if (pair !== undefined && source.uniform() < SECOND_MUTATION) {
      pair = mutatePair(space, pair, source) ?? pair;
    }
    if (pair !== undefined && !tried.has(keyOf(pair))) return pair;
  }
  return undefined;
}
