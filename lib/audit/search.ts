import type { Pair } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { type Arm, armOf, merit, promise } from "./arm.ts";
import type { Evidence } from "./evidence.ts";
import { firstPairs, keyOf, mutatePair, randomPair, type SearchSpace } from "./propose.ts";
import type { Session } from "./session.ts";

/** Pairs on trial at the same time; the least promising makes room for a new one. */
const MAX_ARMS = 24;
/** Pairs to begin with. */
const FIRST_ARMS = 5;
/** Draws that every pair gets before pairs are compared. */
const FIRST_DRAWS = 64;
/** A new pair is tried each time the draws have grown by this factor, oftener once the claim is refuted. */
const NEW_PAIR_EVERY = { before: 1.3, after: 1.15 };
/** A new pair is on trial until it has this share of the leader's draws. */
const TRIAL_SHARE = 0.05;
/** Draws before the first new pair. */
const SETTLE = 1024;
/** Logarithm of wealth that makes a promise of refutation, when pairs are compared. */
const NATS = 6;

/** What a search found, and how many pairs it tried. */
export interface SearchResult {
  readonly best: Arm;
  readonly tried: number;
}

/**
 * Searches for the pair that tells the two sides apart best, while betting on every draw it makes.
 *
 * Draws are shared out by promise: most go to the arm whose bets against the target are expected to
 * bring most, fewer to the others, and none is dropped for good by bad luck. Every now and then a new pair
 * is tried: first those known to break mechanisms, then mutations of the best. It is on trial for
 * a while. Any such choice is made before the draws it leads to, so the bets
 * stay fair.
 *
 * @param target the ε to bet against: the claim until it is refuted
 * @param until ends the search
 */
export async function searchPairs(
  space: SearchSpace,
  { session, evidence, source, bits, target, until }: {
    session: Session;
    evidence: Evidence;
    source: Source;
    bits: boolean;
    target: number;
    until: () => boolean;
  },
): Promise<SearchResult> {
  const waiting = firstPairs(space);
  if (waiting.length === 0) {
    const pair = randomPair(space, source);
    if (pair === undefined) {
      throw new RangeError(
        `Cannot search for pairs: the domain must have two neighbours under ${space.relation.name}: none was found`,
      );
    }
    waiting.push(pair);
  }
  const arms = waiting.splice(0, FIRST_ARMS).map((pair) => armOf(pair, { bits }));
  const tried = new Set(arms.map(({ pair }) => keyOf(pair)));
  for (const arm of arms) {
    while (arm.learner.draws < FIRST_DRAWS && !until()) {
      await session.step(arm, evidence, "search");
    }
  }
  let nextPair = SETTLE;
  let trial: Arm | undefined;
  let shares = sharesOf(arms, { session, evidence, target });
  let sharedAt = session.draws;
  while (!until()) {
    const leader = leaderOf(arms, session);
    if (trial !== undefined && trial.learner.draws > TRIAL_SHARE * leader.learner.draws) {
      trial = undefined;
    }
    if (trial === undefined && session.draws >= nextPair) {
      nextPair = Math.max(
        nextPair * 1.01,
        session.draws * NEW_PAIR_EVERY[evidence.refuted ? "after" : "before"],
      );
      const pair = waiting.shift() ?? newPair(space, { arms, source, tried, session });
      if (pair !== undefined) {
        tried.add(keyOf(pair));
        if (arms.length >= MAX_ARMS) arms.splice(arms.indexOf(leastOf(arms, session)), 1);
        trial = armOf(pair, { bits });
        arms.push(trial);
        sharedAt = 0;
      }
    }
    if (session.draws > sharedAt * 1.02) {
      shares = sharesOf(arms, { session, evidence, target });
      sharedAt = session.draws;
    }
    const arm = trial !== undefined && source.uniform() < 0.3 ? trial : neediest(arms, shares);
    await session.step(arm, evidence, "search");
  }
  return { best: leaderOf(arms, session), tried: tried.size };
}

/** Draws over which arms are compared: as many as remain, but not far beyond what is known. */
function horizonOf(session: Session): number {
  const left = session.remainingDraws;
  return Math.max(2000, Number.isFinite(left) ? Math.min(left, 4 * session.draws) : 0);
}

/** Each arm's share of the draws: most for the most promising, the others by rank^-2.2. */
function sharesOf(
  arms: readonly Arm[],
  { session, evidence, target }: { session: Session; evidence: Evidence; target: number },
): Float64Array {
  const draws = horizonOf(session);
  // Once the claim is refuted, what counts is how far the best arms can go beyond it.
  const epsilon = evidence.refuted
    ? 0.97 * merit(leaderOf(arms, session), { draws, nats: NATS })
    : target;
  const promises = arms.map((arm) => promise(arm, { draws, epsilon, caution: 1 }));
  const order = [...arms.keys()].sort((a, b) => promises[b]! - promises[a]!);
  const shares = new Float64Array(arms.length);
  order.forEach((arm, rank) => shares[arm] = (rank + 1) ** -2.2);
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/** The arm that promises the largest ε, of those that had a fair trial: few draws often promise by luck. */
function leaderOf(arms: readonly Arm[], session: Session): Arm {
  const draws = horizonOf(session);
  const most = Math.max(...arms.map((arm) => arm.learner.draws));
  let leader: Arm | undefined, largest = -1;
  for (const arm of arms) {
    if (arm.learner.draws < most / 5) continue;
    const own = merit(arm, { draws, nats: NATS });
    if (own > largest) {
      largest = own;
      leader = arm;
    }
  }
  return leader!;
}

/** The arm that promises least, of those that had a trial. */
function leastOf(arms: readonly Arm[], session: Session): Arm {
  const draws = horizonOf(session);
  return arms.toSorted((a, b) =>
    merit(a, { draws, nats: NATS }) - merit(b, { draws, nats: NATS }) ||
    promise(a, { draws, epsilon: 0 }) - promise(b, { draws, epsilon: 0 })
  )[0]!;
}

/** The arm furthest below its share of the draws, in proportion. */
function neediest(arms: readonly Arm[], shares: Float64Array): Arm {
  let best = arms[0]!, least = Infinity;
  arms.forEach((arm, k) => {
    const filled = arm.learner.draws / shares[k]!;
    if (filled < least) {
      least = filled;
      best = arm;
    }
  });
  return best;
}

function newPair(
  space: SearchSpace,
  { arms, source, tried, session }: {
    arms: readonly Arm[];
    source: Source;
    tried: ReadonlySet<string>;
    session: Session;
  },
): Pair | undefined {
  const draws = horizonOf(session);
  const ranking = arms.toSorted((a, b) =>
    merit(b, { draws, nats: NATS }) - merit(a, { draws, nats: NATS })
  );
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
