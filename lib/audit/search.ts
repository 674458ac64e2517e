import type { Pair } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { type Arm, armOf, merit } from "./arm.ts";
import type { Evidence } from "./evidence.ts";
import { firstPairs, keyOf, mutatePair, randomPair, type SearchSpace } from "./propose.ts";
import type { Session } from "./session.ts";

/** Pairs on trial at the same time; the least promising makes room for a new one. */
const MAX_ARMS = 24;
/** Draws that every pair gets before pairs are compared. */
const FIRST_DRAWS = 64;
/** A new pair is tried each time the draws have grown by this factor. */
const NEW_PAIR_EVERY = 1.25;
/** Draws before the first new pair. */
const SETTLE = 2048;
/** Logarithm of wealth that a pair is asked to promise when pairs are compared. */
const NATS = 6;

/** What a search found, best pair first, and how many pairs it tried. */
export interface SearchResult {
  readonly best: Arm;
  readonly tried: number;
}

/**
 * Searches for the pair that tells the two sides apart best, while betting on every draw it makes.
 *
 * Draws are shared out by rank: about half go to the pair that is expected to refute the largest ε
 * with as many draws again, the rest to the others, fewer the lower they rank, so that no pair is
 * dropped for good by bad luck. Again and again the best pairs are mutated, and the new pair is on
 * trial until it has a tenth of the leader's draws. Any such choice is made before the draws it leads
 * to, so the bets stay fair.
 *
 * @param until ends the search
 */
export async function searchPairs(
  space: SearchSpace,
  { session, evidence, source, bits, until }: {
    session: Session;
    evidence: Evidence;
    source: Source;
    bits: boolean;
    until: () => boolean;
  },
): Promise<SearchResult> {
  const arms = firstPairs(space).slice(0, MAX_ARMS - 4).map((pair) => armOf(pair, { bits }));
  if (arms.length === 0) {
    const pair = randomPair(space, source);
    if (pair === undefined) {
      throw new RangeError(
        `Cannot search for pairs: the domain must have two neighbours under ${space.relation.name}: none was found`,
      );
    }
    arms.push(armOf(pair, { bits }));
  }
  const tried = new Set(arms.map(({ pair }) => keyOf(pair)));
  let nextPair = SETTLE;
  let trial: Arm | undefined;
  let ranking = arms;
  let rankedAt = 0;
  for (const arm of arms) {
    while (arm.learner.draws < FIRST_DRAWS && !until()) {
      await session.step(arm, evidence, "search");
    }
  }
  while (!until()) {
    if (session.draws > rankedAt * 1.02) {
      ranking = rank(arms, session);
      rankedAt = session.draws;
    }
    if (trial !== undefined && trial.learner.draws > established(ranking).learner.draws / 10) {
      trial = undefined;
    }
    if (trial === undefined && session.draws >= nextPair) {
      nextPair = Math.max(nextPair * 1.02, session.draws * NEW_PAIR_EVERY);
      const pair = newPair(space, { ranking, source, tried });
      if (pair !== undefined) {
        if (arms.length >= MAX_ARMS) arms.splice(arms.indexOf(ranking.at(-1)!), 1);
        trial = armOf(pair, { bits });
        arms.push(trial);
        ranking = rank(arms, session);
      }
    }
    const arm = trial !== undefined && source.uniform() < 0.3 ? trial : neediest(ranking);
    await session.step(arm, evidence, "search");
  }
  return { best: established(rank(arms, session)), tried: tried.size };
}

/** Arms by what they promise for as many draws as have been made (or as remain, if more). */
function rank(arms: readonly Arm[], session: Session): Arm[] {
  const left = session.remainingDraws;
  const horizon = Math.max(2000, Number.isFinite(left) ? Math.min(left, 4 * session.draws) : 0);
  const merits = new Map(arms.map((arm) => [arm, merit(arm, { draws: horizon, nats: NATS })]));
  return arms.toSorted((a, b) => merits.get(b)! - merits.get(a)!);
}

/** The first arm that has had a fair trial: what few draws promise is often luck. */
function established(ranking: readonly Arm[]): Arm {
  const most = Math.max(...ranking.map((arm) => arm.learner.draws));
  return ranking.find((arm) => arm.learner.draws >= most / 5)!;
}

/** The arm furthest below its share of the draws: most for the first, then falling as rank^-2.2. */
function neediest(ranking: readonly Arm[]): Arm {
  const weights = ranking.map((_, k) => (k + 1) ** -2.2);
  const sum = weights.reduce((a, b) => a + b, 0);
  const total = ranking.reduce((n, arm) => n + arm.learner.draws, 0) + 1;
  let best = ranking[0]!, lack = -Infinity;
  ranking.forEach((arm, k) => {
    const own = (weights[k]! / sum) * total - arm.learner.draws;
    // Relative to its share, so that small shares have their turn too.
    const relative = own / ((weights[k]! / sum) * total);
    if (relative > lack) {
      lack = relative;
      best = arm;
    }
  });
  return best;
}

function newPair(
  space: SearchSpace,
  { ranking, source, tried }: { ranking: readonly Arm[]; source: Source; tried: Set<string> },
): Pair | undefined {
  for (let attempt = 0; attempt < 8; attempt++) {
    const parent = ranking[Math.floor(source.uniform() ** 2 * Math.min(4, ranking.length))]!;
    let pair = source.uniform() < 0.1
      ? randomPair(space, source)
      : mutatePair(space, parent.pair, source);
    // Now and then two steps at once, to leave a ridge.
    if (pair !== undefined && source.uniform() < 0.4) {
      pair = mutatePair(space, pair, source) ?? pair;
    }
    if (pair === undefined || tried.has(keyOf(pair))) continue;
    tried.add(keyOf(pair));
    return pair;
  }
  return undefined;
}
