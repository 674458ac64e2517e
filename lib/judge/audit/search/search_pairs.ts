import type { Pair } from "../../../core/relations/relation.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { pointsOf } from "../../../core/claims/claim_curve.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import type { Play } from "../kernel/play.ts";
import type { CandidatePair } from "../model/prediction/candidate_pair.ts";
import type { AuditEffort } from "../model/prediction/effort.ts";
import { keyOf, mutatePair, randomPair, type SearchSpace } from "./mutate_pairs.ts";
import { FIRST_PAIRS, Race } from "./race.ts";
import { rankCandidates, refutableEpsilonAhead } from "./rank_candidates.ts";
import { Screening } from "./screening.ts";
import { areAnswers, seedPairs } from "./seed_pairs.ts";

/** A new pair is made from one of the best candidates, `parents` of them, in `attempts` attempts. */
const NEW_PAIR = { parents: 4, attempts: 8 };
/** Probabilities that a new pair is random, and that it is two mutations away, in order to leave a local maximum. */
const RANDOM_PAIR = 0.5, SECOND_MUTATION = 0.4;

/** Attempts to find a first pair, where datasets must keep a rule. */
const RARE_TRIALS = 200;

/** Finalists by rank, and the first pairs that are finalists whatever their rank. */
const FINALISTS = {
  best: { quick: 4, thorough: 6 },
  first: { quick: 2, thorough: FIRST_PAIRS },
};

/**
 * Shares of the budget at which the search for pairs ends. A quick search is long: most of its draws are bet on all the same,
 * and longest while no pair is about to refute the claim, for a pair that only just keeps it may look by chance as if it broke
 * it.
 */
const SEARCH_SHARE = {
  quick: 0.35,
  quickWithoutRefutation: 0.6,
  thorough: 0.14,
  thoroughWithFewPairs: 0.2,
};
/**
 * Pairs tried, from which and below which a thorough search gets more time. With fewer than `from` the subject is so slow
 * that more time would add few pairs.
 */
const FEW_PAIRS = { from: 24, below: 64 };

/** A pair that was tried, as the search ranked it. */
export interface RankedPair {
  /** One dataset. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
  /** Draws on it in the search. */
  readonly draws: number;
  /** The ε, in nats, that the search expected to refute on it: an estimate, by which pairs were ranked. */
  readonly refutable: number;
}

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
interface Standing {
  /** Whether the leader is expected to refute the claim soon. */
  readonly canRefute: boolean;
  /** Pairs tried so far. */
  readonly tried: number;
}

/**
 * Returns the share of the budget at which a search of this standing ends. A quick one goes on for longer while no violation is in
 * sight, a thorough one while it has tried few pairs.
 */
export function searchUntil(
  effort: AuditEffort,
  { canRefute, tried }: Standing,
): number {
  if (effort === "quick") {
    return canRefute ? SEARCH_SHARE.quick : SEARCH_SHARE.quickWithoutRefutation;
  }
  return tried >= FEW_PAIRS.from && tried < FEW_PAIRS.below
    ? SEARCH_SHARE.thoroughWithFewPairs
    : SEARCH_SHARE.thorough;
}

/** Options of a search. */
export interface SearchOptions {
  /** Makes the draws and bets on them. */
  readonly play: Play;
  /** Makes up new pairs. */
  readonly source: Source;
  /** Whether the bits of doubles are features. */
  readonly bits: boolean;
  /** The claim: pairs are ranked by its points. */
  readonly claim: Claim;
  /** Whether the search is for a refutation soon or for the best pair. */
  readonly effort: AuditEffort;
  /** Called with the pairs left at the end, the best first. */
  readonly ranked?: (pairs: readonly RankedPair[]) => void;
  /** Ends the search. */
  readonly until: (standing: Standing) => boolean;
}

/**
 * Searches for the pair on which the largest ε can be refuted, while betting on every draw it makes: a {@linkcode Race} of the
 * pairs of patterns that break mechanisms ({@linkcode seedPairs}) and of mutations of the best. Where the domain has few
 * datasets, all pairs are screened ({@linkcode Screening}), and go on in the order that this shows.
 *
 * @throws {RangeError} when the domain has no two neighbours
 */
export async function searchPairs(
  space: SearchSpace,
  { play, source, bits, claim, effort, until, ranked }: SearchOptions,
): Promise<SearchResult> {
  const { sampler } = play, points = pointsOf(claim);
  const race: Race = new Race({
    play,
    effort,
    points,
    claim,
    bits,
    isAnswers: effort === "quick" && areAnswers(space),
    makeUp: () =>
      newPair(space, { candidates: race.candidates, source, tried: race.tried, sampler, effort }),
  });
  let listed = firstPairs(space, source), isFraction: boolean | undefined;
  race.list(listed);
  let screening = Screening.of(space);
  while (!until({ canRefute: race.outlook === "soon", tried: race.tried.size })) {
    // The first outputs show their form, and this which patterns are likelier to break the claim.
    if (isFraction === undefined) {
      isFraction = race.candidates[0]?.predictor.isFraction;
      if (isFraction === true) race.list(listed = firstPairs(space, source, { isFraction }));
    }
    // A quick search may end without screening.
    const isDue = effort === "thorough" ||
      (race.outlook !== "soon" && screening?.isDue(sampler, space));
    if (screening !== undefined && isDue) {
      const screened = screening;
      race.list(
        await screening.ranking(sampler, { effort, points, listed }),
        ({ pair, predictor }) => {
          const outputs = effort === "thorough" ? undefined : screened.outputsOn(pair);
          if (outputs !== undefined) predictor.observe(outputs.left, outputs.right);
        },
      );
      screening = undefined;
      isFraction ??= false;
    } else await race.step();
  }
  // There may have been no time for any.
  if (race.candidates.length === 0) race.enter();
  const { candidates, tried } = race;
  const firstCandidates = race.first.slice(0, FINALISTS.first[effort]);
  const ranking = rankCandidates(candidates, sampler, effort);
  ranked?.(ranking.map((candidate) => ({
    left: candidate.pair.left,
    right: candidate.pair.right,
    draws: candidate.predictor.draws,
    refutable: refutableEpsilonAhead(candidate, sampler),
  })));
  const best = ranking.slice(0, FINALISTS.best[effort]);
  return {
    finalists: [...new Set([...best, ...firstCandidates])],
    firstCandidates,
    tried: tried.size,
  };
}

/** Returns the pairs to begin with, at least one. */
function firstPairs(
  space: SearchSpace,
  source: Source,
  form?: { readonly isFraction: boolean },
): Pair[] {
  // A suspicion may be of the wrong pair.
  const pairs = byTurns(space.suspected ?? [], seedPairs(space, form));
  // Few random pairs may keep a rule that is a function.
  const attempts = space.required === undefined ? 1 : RARE_TRIALS;
  for (let attempt = 0; attempt < attempts && pairs.length === 0; attempt++) {
    pairs.push(...[randomPair(space, source)].filter((pair) => pair !== undefined));
  }
  if (pairs.length > 0) return pairs;
  throw new RangeError(
    `Cannot search for pairs: the domain must have two neighbours under ${space.relation.name}${
      space.required === undefined ? "" : ` that keep ${space.required.texts.join(" and ")}`
    }: none was found`,
  );
}

/** Returns a pair not tried before, random or mutated from one of the best; `undefined` when a few attempts find none. */
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
