import type { Pair } from "../../../core/relations/relation.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import type { Evidence } from "../kernel/betting/claim_evidence.ts";
import { evidenceAgainst } from "../kernel/betting/evidence.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../kernel/betting/shares.ts";
import type { Play } from "../kernel/play.ts";
import {
  type CandidatePair,
  candidatePairOf,
  expectedLogWealth,
} from "../model/prediction/candidate_pair.ts";
import type { AuditEffort, Effort } from "../model/prediction/effort.ts";
import type { ClaimPoint } from "../model/prediction/expected_log_wealth.ts";
import { keyOf } from "./mutate_pairs.ts";
import { MadeUpPairs } from "./made_up_pairs.ts";
import {
  HALF_STANDARD_ERROR,
  horizonOf,
  rankCandidates,
  refutableEpsilonAhead,
  REFUTATION_NATS,
} from "./rank_candidates.ts";

/** How a race shares out its draws, by the effort of the audit. */
interface Policy {
  /** How the predictor of a pair learns. */
  readonly learning: Effort;
  /** Draws of the first look at a listed pair. */
  readonly firstLook: number;
  /** Draws of the first look at a pair that is made up: there are many, and few of them break a claim. */
  readonly madeUpLook: number;
  /** The share of the draws that goes to looks at pairs in their order. */
  readonly looks: Readonly<Record<Outlook, number>>;
  /** The pair of rank r gets the other draws in proportion to r to the power of minus this. */
  readonly rankExponent: number;
  /** The most listed pairs that go on at the same time; of more the worst are dropped. */
  readonly mostPairs: number;
}

/** When the leader is expected to refute the claim: not within the horizon, within it, or soon. */
type Outlook = "none" | "withinHorizon" | "soon";

const POLICIES: Readonly<Record<AuditEffort, Policy>> = {
  quick: {
    learning: "quick",
    firstLook: 64,
    madeUpLook: 64,
    looks: { none: 0.25, withinHorizon: 0.12, soon: 0.05 },
    rankExponent: 3,
    mostPairs: 256,
  },
  thorough: {
    learning: "sparing",
    firstLook: 2048,
    madeUpLook: 256,
    looks: { none: 0.5, withinHorizon: 0.5, soon: 0.5 },
    rankExponent: 2.6,
    mostPairs: 64,
  },
};

/** The first pairs of the order are never dropped. */
export const FIRST_PAIRS = 5;
/** Standard errors by which the log odds of other pairs are drawn towards 0: the best of many look better than they are. */
const SELECTION_ERRORS = 2;
/** A leader is expected to refute the claim soon when it needs at most this many times the draws so far. */
const FINISH_WITHIN = 3;
/**
 * The log wealth, in nats, from which on draws on others would only delay a leader: pairs that lose exactly what is claimed
 * reach it seldom.
 */
const LEADING_WEALTH = 1;
/** Pairs that are bet on, by rank. */
const BET_ON = 3;
/**
 * Where data are answers to queries, of which the first pairs break most mechanisms, these are ranked until one is expected to refute the claim soon by what
 * bets on each alone have won a draw, all bettors and densities included, and so many nats more, which it may yet show in as many draws.
 */
const OPEN_NATS = 2;
/** Pairs are ranked again when the draws have grown by this factor: ranking takes time. */
const RANK_EVERY = 1.02;
/** Pairs are compared by expected wealth against this share of what the leader can refute, so that those nearly as good win too. */
const TARGET_SHARE = 0.97;
/** The share of the draws of looks that goes to pairs that are made up, however many are listed. */
const MADE_UP_SHARE = 1 / 2;
/** Pairs are made up once this many listed ones were looked at: the likeliest to break a claim come first. */
const LISTED_FIRST = 24;
/** The place of pairs that are made up: after a first look they get draws by their rank alone. */
const BEHIND_ALL = 2 ** 40;
/**
 * In a thorough search the leader waits while others are tried, once it has this many draws and this share of those of the
 * whole audit.
 */
const LEADER_WAITS = { draws: 100_000, share: 1 / 40 };

/** The level of the bets on a pair alone: by their wealth it is ranked, whatever the level. */
const OWN_ALPHA = 0.01;

/** A pair of the race, and its place in the order of looks. */
interface Runner {
  readonly candidate: CandidatePair;
  /** What bets on its draws alone have won, where data are answers and it is one of the first pairs. */
  readonly own: Evidence | undefined;
  readonly place: number;
}

/** Options of a race. */
interface RaceOptions {
  /** Makes the draws and bets on them. */
  readonly play: Play;
  readonly effort: AuditEffort;
  /** The claim. */
  readonly claim: Claim;
  /** The points of the claim. */
  readonly points: readonly ClaimPoint[];
  /** Whether the bits of doubles are features. */
  readonly bits: boolean;
  /** Whether data are a fixed number of answers to queries. */
  readonly isAnswers: boolean;
  /** Makes up a pair that was not tried; `undefined` where it finds none. */
  readonly makeUp: () => Pair | undefined;
}

/**
 * Shares out draws among pairs. A part goes to looks: pairs come in an order, the likeliest to break a claim first, and the k-th
 * gets a share of the looks in proportion to 1/k. So early pairs are looked at often, many pairs are looked at, and none is given
 * up for a few misleading outputs. Once the first of the list were looked at, half of the looks go to made-up pairs
 * ({@linkcode MadeUpPairs}). The other draws go to the pairs that are expected to refute the claim soonest. Every choice depends on
 * earlier draws, never on coins to come, so the bets stay fair; and never on the clock.
 */
export class Race {
  readonly #options: RaceOptions;
  readonly #policy: Policy;
  readonly #runners = new Map<string, Runner>();
  readonly #tried = new Set<string>();
  #listed: readonly Pair[] = [];
  #learnEarlier: ((candidate: CandidatePair) => void) | undefined;
  /** Places so far in the order, and listed pairs among them. */
  #places = 0;
  #listedPlaces = 0;
  readonly #madeUp: MadeUpPairs;
  #ranked: readonly CandidatePair[] = [];
  #shares = new Float64Array();
  #outlook: Outlook = "none";
  #rankedAt = 0;
  /** Draws of looks; of those since enough listed pairs were looked at, and of those at pairs that are made up. */
  readonly #looks = { draws: 0, late: 0, madeUp: 0 };

  /** Begins without pairs. */
  constructor(options: RaceOptions) {
    this.#options = options;
    this.#policy = POLICIES[options.effort];
    this.#madeUp = new MadeUpPairs(
      this.#policy.madeUpLook,
      (candidate) => refutableEpsilonAhead(candidate, options.play.sampler, ONE_STANDARD_ERROR),
    );
  }

  /**
   * Lists pairs, the likeliest to break a claim first. Pairs that were tried before take the places that they have in the list; the
   * others can learn from outputs drawn before.
   */
  list(pairs: readonly Pair[], learnEarlier?: (candidate: CandidatePair) => void): void {
    const places = new Map(pairs.map((pair, place) => [keyOf(pair), place]));
    for (const [key, { candidate, place, own }] of this.#runners) {
      this.#runners.set(key, {
        candidate,
        own,
        place: places.get(key) ?? (place === BEHIND_ALL ? place : pairs.length + place),
      });
    }
    this.#listed = pairs;
    this.#learnEarlier = learnEarlier;
    this.#places = this.#listedPlaces = 0;
  }

  /** The pairs that go on. */
  get candidates(): CandidatePair[] {
    return Array.from(this.#runners.values(), ({ candidate }) => candidate);
  }

  /** The first pairs of the order, as far as they were looked at. */
  get first(): CandidatePair[] {
    return [...this.#runners.values()].filter(({ place }) => place < FIRST_PAIRS)
      .sort((a, b) => a.place - b.place).map(({ candidate }) => candidate);
  }

  /** Keys of all pairs so far. */
  get tried(): ReadonlySet<string> {
    return this.#tried;
  }

  /** When the leader is expected to refute the claim. */
  get outlook(): Outlook {
    return this.#outlook;
  }

  /** Draws one batch. */
  async step(): Promise<void> {
    const { play } = this.#options;
    const { sampler } = play;
    if (sampler.draws > this.#rankedAt * RANK_EVERY) this.#rank();
    const share = this.#policy.looks[this.#outlook];
    const isLook = this.#ranked.length === 0 || this.#isLeaderWaiting() ||
      this.#looks.draws <= share * sampler.draws;
    const { draws } = sampler;
    const candidate = isLook ? this.#nextLook() : this.#furthestBelowShare();
    // Bets on each of many pairs lose a little before they learn that it shows nothing.
    const batch = this.#isBetOn(candidate)
      ? await play.step(candidate, "search")
      : await play.look(candidate, "search");
    this.#runners.get(keyOf(candidate.pair))!.own?.add(batch);
    if (!isLook) return;
    this.#looks.draws += sampler.draws - draws;
    if (this.#places >= Math.min(LISTED_FIRST, this.#listed.length)) {
      this.#looks.late += sampler.draws - draws;
    }
    if (this.#runners.get(keyOf(candidate.pair))?.place === BEHIND_ALL) {
      this.#looks.madeUp += sampler.draws - draws;
    }
  }

  /** Returns true if draws on a pair are bet on: one of the first, or one that is ranked high. */
  #isBetOn(candidate: CandidatePair): boolean {
    return this.#runners.get(keyOf(candidate.pair))!.place < FIRST_PAIRS ||
      this.#ranked.slice(0, BET_ON).includes(candidate);
  }

  /** Returns the pair that is furthest below its share of the looks, or a new one. */
  #nextLook(): CandidatePair {
    const { firstLook } = this.#policy;
    let best: CandidatePair | undefined, least = Infinity;
    for (const { candidate, place } of this.#runners.values()) {
      const { draws } = candidate.predictor;
      if (place >= BEHIND_ALL) continue;
      if (draws < firstLook) return candidate;
      const had = draws * (place + 1);
      if (had < least) [best, least] = [candidate, had];
    }
    if (best !== undefined && this.#looks.madeUp < MADE_UP_SHARE * this.#looks.late) {
      const candidate = this.#madeUp.next(() => {
        const pair = this.#options.makeUp();
        return pair && this.#add(pair, BEHIND_ALL);
      });
      const forgotten = this.#madeUp.forget();
      if (forgotten !== undefined) this.#drop(forgotten);
      if (candidate !== undefined) return candidate;
    }
    const entered = firstLook * (this.#places + 1) <= least ? this.enter() : undefined;
    return entered ?? best!;
  }

  /** Adds the next pair of the order; `undefined` where there is none. */
  enter(): CandidatePair | undefined {
    const pair = this.#nextPair();
    return pair === undefined ? undefined : this.#add(pair, this.#places++);
  }

  /** Adds a pair, in place of the worst one where there are many. */
  #add(pair: Pair, place: number): CandidatePair {
    const { bits, points, effort, play } = this.#options;
    const candidate = candidatePairOf(pair, {
      bits,
      points,
      effort: this.#policy.learning,
      ...(place < FIRST_PAIRS ? {} : { standardErrors: SELECTION_ERRORS }),
    });
    const listed = this.#runners.size - this.#madeUp.size;
    if (place < BEHIND_ALL && listed >= this.#policy.mostPairs) {
      this.#drop(
        rankCandidates(this.candidates, play.sampler, effort).findLast((one) => {
          const { place } = this.#runners.get(keyOf(one.pair))!;
          return place >= FIRST_PAIRS && place < BEHIND_ALL;
        })!,
      );
    }
    const key = keyOf(pair);
    this.#runners.set(key, {
      candidate,
      place,
      own: this.#options.isAnswers && place < FIRST_PAIRS
        ? evidenceAgainst(this.#options.claim, OWN_ALPHA)
        : undefined,
    });
    this.#tried.add(key);
    this.#learnEarlier?.(candidate);
    this.#rankedAt = 0;
    return candidate;
  }

  #drop(candidate: CandidatePair): void {
    this.#runners.delete(keyOf(candidate.pair));
    this.#ranked = this.#ranked.filter((one) => one !== candidate);
  }

  /** Returns the next listed pair; where the list is at its end, one that is made up. */
  #nextPair(): Pair | undefined {
    while (this.#listedPlaces < this.#listed.length) {
      const listed = this.#listed[this.#listedPlaces++]!;
      if (!this.#tried.has(keyOf(listed))) return listed;
      this.#places++;
    }
    return this.#options.makeUp();
  }

  #rank(): void {
    const { play: { sampler, evidence }, effort, points } = this.#options;
    const target = points[0]!.epsilon;
    const { candidates } = this;
    if (candidates.length === 0) return;
    const leader = rankCandidates(candidates, sampler, effort)[0]!;
    const ahead = refutableEpsilonAhead(leader, sampler);
    this.#outlook = ahead <= target
      ? "none"
      : evidence.logEValue >= LEADING_WEALTH && expectedLogWealth(leader, {
            draws: FINISH_WITHIN * sampler.draws,
            epsilon: target,
            errors: ONE_STANDARD_ERROR,
          }) >= REFUTATION_NATS
      ? "soon"
      : "withinHorizon";
    // Wealth against the claim decides; when the claim is refuted, or no refutation is in sight, wealth against an ε that the
    // best candidates can refute.
    const refutable = TARGET_SHARE * ahead;
    const epsilon = evidence.refuted ? refutable : Math.min(target, refutable);
    const horizon = horizonOf(sampler);
    const wealths = new Map(
      [...this.#runners.values()].map(({ candidate, place, own }) => {
        if (own !== undefined && this.#outlook !== "soon" && place < FIRST_PAIRS) {
          const draws = candidate.predictor.draws + this.#policy.firstLook;
          return [candidate, (own.logEValue + OPEN_NATS) * horizon / draws];
        }
        const errors = effort === "thorough" || place < FIRST_PAIRS
          ? HALF_STANDARD_ERROR
          : STANDARD_ERRORS.indexOf(SELECTION_ERRORS);
        return [candidate, expectedLogWealth(candidate, { draws: horizon, epsilon, errors })];
      }),
    );
    // Of equal ones, as all are that show nothing yet, the likeliest to break a claim comes first.
    this.#ranked = [...this.#runners.values()].sort((a, b) => a.place - b.place)
      .map(({ candidate }) => candidate)
      .sort((a, b) => wealths.get(b)! - wealths.get(a)!);
    const exponent = this.#policy.rankExponent;
    this.#shares = Float64Array.from(this.#ranked.keys(), (rank) => (rank + 1) ** -exponent);
    this.#rankedAt = sampler.draws;
  }

  #furthestBelowShare(): CandidatePair {
    let best!: CandidatePair, least = Infinity;
    this.#ranked.forEach((candidate, rank) => {
      const filled = candidate.predictor.draws / this.#shares[rank]!;
      if (filled < least) [best, least] = [candidate, filled];
    });
    return best;
  }

  /** Returns true if the leader of a thorough search waits while others are tried. */
  #isLeaderWaiting(): boolean {
    const { play: { sampler }, effort } = this.#options;
    if (effort === "quick") return false;
    const planned = sampler.draws + sampler.remainingDraws;
    return this.#ranked[0]!.predictor.draws >=
      Math.max(LEADER_WAITS.draws, LEADER_WAITS.share * planned);
  }
}
