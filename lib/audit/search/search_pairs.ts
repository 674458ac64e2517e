import type { Play } from "../play/play.ts";
import type { AuditEffort } from "../prediction/effort.ts";
import type { Pair } from "../../core/relation.ts";
import type { Source } from "../../core/source.ts";
import type { Evidence } from "../betting/evidence.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../betting/shares.ts";
import type { Sampler } from "../drawing/sampler.ts";
import {
  type CandidatePair,
  candidatePairOf,
  expectedLogWealth,
} from "../prediction/candidate_pair.ts";
import { keyOf, mutatePair, randomPair, type SearchSpace } from "./mutate_pairs.ts";
import {
  byRefutableEpsilon,
  HOPE,
  horizonOf,
  NATS,
  rankCandidates,
  refutableEpsilonAhead,
} from "./rank_candidates.ts";
import { seedPairs } from "./seed_pairs.ts";
import { Trials } from "./trials.ts";

/** Pairs on trial at the same time; the least promising makes room for a new one. */
const MAX_CANDIDATES = 24;
/** Pairs to begin with, where not much is known of them. */
const FIRST_CANDIDATES = 5;
/** Draws that every pair gets before pairs are compared. */
const FIRST_DRAWS = { quick: 64, thorough: 2048 };
/** The share of the draws that goes to the pair on trial. */
const TO_TRIAL = { quick: 0.3, focused: 0.05, thorough: 0.5 };
/** Draws are shared among candidates by this power of their rank. */
const STEEPNESS = { quick: 2.6, focused: 4, thorough: 2.6 };
/** A quick search is about to finish when so many times the draws so far would let its leader refute the claim. */
const FINISH_WITHIN = 3;
/**
 * Standard errors by which odds are doubted where many pairs are tried, some of which look good by luck: those of pairs
 * made up on the way in a thorough search, and in a quick one, when draws are shared out, of all that it did not begin
 * with.
 */
const DOUBT = 2;

/** What a search found: a few pairs, the most promising first, and how many it tried. */
export interface SearchResult {
  readonly finalists: readonly CandidatePair[];
  /** Those among them that stay in for having broken most mechanisms, in that order. */
  readonly classics: readonly CandidatePair[];
  readonly tried: number;
}

/** How a search stands. */
export interface Standing {
  /** Whether a candidate promises to refute the target. */
  readonly isInSight: boolean;
  /** Whether the leader is likely to refute it soon. */
  readonly isFinishing: boolean;
  /** Pairs tried so far. */
  readonly tried: number;
}

/** Finalists by what they promised, and the pairs that stay in for having broken most mechanisms. */
const FINALISTS = {
  promising: { quick: 4, thorough: 6 },
  classic: { quick: 2, thorough: FIRST_CANDIDATES },
};

/** What a search needs. */
export interface SearchOptions {
  /** The game that is played. */
  readonly play: Play;
  readonly source: Source;
  readonly bits: boolean;
  /** The ε to bet against: the claim until it is refuted. */
  readonly target: number;
  /** Whether the search is for a refutation soon or for the best pair. */
  readonly effort: AuditEffort;
  /** Ends the search, told how it stands. */
  readonly until: (standing: Standing) => boolean;
}

/** Pairs that are known to be good, the best first. */
interface KnownPairs {
  readonly pairs: readonly Pair[];
  /** How many to begin with. */
  readonly first: number;
  /** Shows a candidate what was drawn on its pair before. */
  readonly teach?: (candidate: CandidatePair) => void;
}

/**
 * Searches for the pair that tells the two sides apart best, while betting on every draw it makes.
 *
 * Draws are shared out by promise: most go to the candidate whose bets against the target are expected to
 * bring most, fewer to the others, and none is dropped for good by bad luck. Every now and then a new pair
 * is tried: first those known to break mechanisms, then mutations of the best. It is on trial for
 * a while, or until it is clearly beaten. Any such choice is made before the draws it leads to, so the
 * bets stay fair.
 *
 * @param known pairs to try first, in place of the patterns known to break mechanisms
 */
export async function searchPairs(
  space: SearchSpace,
  { play, source, bits, target, effort, until }: SearchOptions,
  known?: KnownPairs,
): Promise<SearchResult> {
  const waiting = [...known?.pairs ?? seedPairs(space)];
  if (waiting.length === 0) {
    const pair = randomPair(space, source);
    if (pair === undefined) {
      throw new RangeError(
        `Cannot search for pairs: the domain must have two neighbours under ${space.relation.name}: none was found`,
      );
    }
    waiting.push(pair);
  }
  const isThorough = effort === "thorough";
  const { sampler, evidence } = play;
  // Who looks for the best pair tries many; who looks for a refutation wants it soon.
  const learning = { bits, effort: isThorough ? "sparing" as const : "quick" as const };
  const candidates = waiting.splice(0, known?.first ?? FIRST_CANDIDATES).map((pair) =>
    candidatePairOf(pair, learning)
  );
  if (known?.teach !== undefined) candidates.forEach(known.teach);
  const first = new Set(candidates);
  const classics = candidates.slice(0, FINALISTS.classic[effort]);
  const tried = new Set(candidates.map(({ pair }) => keyOf(pair)));
  let isInSight = false, isFinishing = false;
  // Others would only keep a pair waiting that refutes the claim soon, or that is known to be good.
  const allocationNow = (): Allocation =>
    isThorough ? "thorough" : isFinishing || known !== undefined ? "focused" : "quick";
  let allocation: Allocation;
  const isOver = (): boolean => until({ isInSight, isFinishing, tried: tried.size });
  const trials = new Trials(sampler, effort);
  for (
    const enough of [
      () => FIRST_DRAWS[effort],
      (candidate: CandidatePair) => trials.fairDraws(candidate),
    ]
  ) {
    for (const candidate of candidates) {
      while (candidate.predictor.draws < enough(candidate) && !isOver()) {
        await play.step(candidate, "search");
      }
    }
  }
  let leader!: CandidatePair, shares!: Float64Array, rankedAt = 0;
  const rank = (): void => {
    leader = leaderOf(candidates, sampler);
    isInSight = refutableEpsilonAhead(leader, sampler) > target;
    isFinishing = promisesSoon(leader, { sampler, target });
    allocation = allocationNow();
    shares = sharesOf(candidates, { sampler, evidence, target, leader, allocation, first });
    rankedAt = sampler.draws;
  };
  rank();
  while (!isOver()) {
    // Ranking takes time: once in a while is enough.
    if (sampler.draws > rankedAt * 1.02) rank();
    trials.look(leader);
    if (trials.isDue(leader)) {
      const listed = waiting.shift();
      const pair = listed ?? newPair(space, { candidates, source, tried, sampler, effort });
      const doubted = isThorough && listed === undefined;
      const candidate = pair &&
        candidatePairOf(pair, { ...learning, ...(doubted ? { standardErrors: DOUBT } : {}) });
      trials.begin(candidate, { leader, isRefuted: evidence.refuted });
      if (candidate !== undefined) {
        tried.add(keyOf(candidate.pair));
        if (candidates.length >= MAX_CANDIDATES) {
          const worst = rankCandidates(candidates, sampler, effort).findLast((candidate) =>
            !classics.includes(candidate)
          )!;
          candidates.splice(candidates.indexOf(worst), 1);
        }
        candidates.push(candidate);
        rank();
      }
    }
    const candidate = trials.turn(TO_TRIAL[allocation!], leader) ?? neediest(candidates, shares);
    await play.step(candidate, "search");
  }
  const promising = rankCandidates(candidates, sampler, effort).slice(
    0,
    FINALISTS.promising[effort],
  );
  const finalists = [...new Set([...promising, ...classics])];
  return { finalists, classics, tried: tried.size };
}

/** How a search shares out its draws. */
type Allocation = keyof typeof STEEPNESS;

/** Whether a leader is likely to refute the target soon. */
function promisesSoon(
  leader: CandidatePair,
  { sampler, target }: { sampler: Sampler; target: number },
): boolean {
  const draws = FINISH_WITHIN * sampler.draws;
  return expectedLogWealth(leader, { draws, epsilon: target, errors: ONE_STANDARD_ERROR }) >= NATS;
}

/** Each candidate's share of the draws: most for the most promising, the others by a power of their rank. */
function sharesOf(
  candidates: readonly CandidatePair[],
  { sampler, evidence, target, leader, allocation, first }: {
    sampler: Sampler;
    evidence: Evidence;
    target: number;
    leader: CandidatePair;
    allocation: Allocation;
    first: ReadonlySet<CandidatePair>;
  },
): Float64Array {
  const draws = horizonOf(sampler);
  // What counts is to refute the claim; where that is done, or not in sight, how far the best candidates go.
  const reach = 0.97 * refutableEpsilonAhead(leader, sampler);
  const epsilon = evidence.refuted ? reach : Math.min(target, reach);
  const promises = candidates.map((candidate) => {
    const errors = allocation === "thorough" || first.has(candidate)
      ? HOPE
      : STANDARD_ERRORS.indexOf(DOUBT);
    return expectedLogWealth(candidate, { draws, epsilon, errors });
  });
  const order = [...candidates.keys()].sort((a, b) => promises[b]! - promises[a]!);
  const shares = new Float64Array(candidates.length);
  order.forEach((candidate, rank) => shares[candidate] = (rank + 1) ** -STEEPNESS[allocation]);
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/** The candidate that promises the largest ε, of those that had a fair trial: few draws often promise by luck. */
function leaderOf(candidates: readonly CandidatePair[], sampler: Sampler): CandidatePair {
  const most = Math.max(...candidates.map((candidate) => candidate.predictor.draws));
  return byRefutableEpsilon(
    candidates.filter((candidate) => candidate.predictor.draws >= most / 5),
    sampler,
  )[0]!;
}

/** The candidate furthest below its share of the draws, in proportion. */
function neediest(candidates: readonly CandidatePair[], shares: Float64Array): CandidatePair {
  let best = candidates[0]!, least = Infinity;
  candidates.forEach((candidate, k) => {
    const filled = candidate.predictor.draws / shares[k]!;
    if (filled < least) {
      least = filled;
      best = candidate;
    }
  });
  return best;
}

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
  for (let attempt = 0; attempt < 8; attempt++) {
    const parent = ranking[Math.floor(source.uniform() ** 2 * Math.min(4, ranking.length))]!;
    let pair = source.uniform() < 0.1
      ? randomPair(space, source)
      : mutatePair(space, parent.pair, source);
    // Now and then two steps at once, to leave a ridge.
    if (pair !== undefined && source.uniform() < 0.4) {
      pair = mutatePair(space, pair, source) ?? pair;
    }
    if (pair !== undefined && !tried.has(keyOf(pair))) return pair;
  }
  return undefined;
}
