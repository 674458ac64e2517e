import type { RecordedFinding, RecordedNoise } from "../audit/report.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import { TimeLimit } from "../audit/kernel/drawing/time_limit.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { smallerPairs } from "../audit/counterexample/smaller_pairs.ts";
import { fewPairs } from "../audit/search/few_datasets.ts";
import { keyOf, mutatePair, randomPair, type SearchSpace } from "../audit/search/mutate_pairs.ts";
import { seedPairs } from "../audit/search/seed_pairs.ts";
import { type Assessment, isGraver, keyOfFinding, Tier } from "./assessment.ts";
import { Assessor, type Effort } from "./assess_pair.ts";
import { Climb } from "./climb.ts";
import { readsBeside } from "./reads_beside.ts";
import { claimedAmount, parameterOf, shareOf } from "./loss.ts";
import type { Recorder } from "./recording.ts";
import { kindOf, paidBy, sentenceOf } from "./words.ts";

/** Report of recordings of a program. */
export interface RecordReport extends RecordedNoise {
  /** The claim that costs are compared with. */
  readonly claim: Claim;
  /** The seed of the noise and of the search. */
  readonly seed: number;
  /**
   * Where noise was not followed: pairs whose outputs at the same seeds are furthest apart, for what chance moves them by, the furthest
   * first. That says where to look, and nothing else.
   */
  readonly furthest?: readonly Readonly<Record<"left" | "right", unknown>>[];
}

/** Options of recordings. */
export interface RecordOptions {
  readonly claim: Claim;
  /** The pair to look at; else pairs are searched in `space`. */
  readonly pair?: Pair;
  readonly space?: SearchSpace;
  readonly seed: number;
  /** Ends the search after so many pairs. Default 400. */
  readonly maxPairs?: number;
  /**
   * Ends all of it after about so many runs: two thirds for the search, the rest to make small what was found. Runs that find the law of
   * noise, once for a program, come on top. Default 30,000.
   */
  readonly maxRuns?: number;
  /** All of it is cut after so many seconds, and the report says so, for that depends on the machine. Default 120. */
  readonly maxSeconds?: number;
}

const FIRST_LOOK: Effort = { seeds: 1, bothWays: false, policies: [false] };
const SECOND_LOOK: Effort = { seeds: 6, bothWays: true, policies: [false, true] };
const WHILE_SHRINKING: Effort = { seeds: 2, bothWays: true, policies: [false, true] };
/** A smaller pair must cost this share of what a larger one does beyond the claim. */
const KEPT_SHARE = 0.9;
/** Pairs to climb from. */
const PARENTS = 4;
const RANDOM_PAIR = 0.3, ATTEMPTS = 50;
const MOST_FINDINGS = 6;
/** Pairs that are named where noise was not followed. */
const MOST_FURTHEST = 4;
/** The share of the runs that the search may take. */
const SEARCH_SHARE = 2 / 3;
/** The share of the runs after which no more datasets are looked at to climb. */
const CLIMB_SHARE = 1 / 2;
/** The most pairs that are tried to make one smaller. */
const SHRINK_TRIALS = 200;

/**
 * Looks for pairs on which the noise of a program does not cover its values: runs on one dataset are replayed on a neighbour with the same
 * noise, and what was read and what was put out is compared. Pairs are those of an audit's search: the first patterns, then those that a {@linkcode Climb}
 * finds while nothing is suspected, and moves of those that cost most.
 *
 * Only a broken declaration is certain. All else is what one coupling of the noise shows, which a better one may cover: an audit confirms it.
 */
export async function record(recorder: Recorder, options: RecordOptions): Promise<RecordReport> {
  const { claim, pair, space, seed, maxSeconds = 120, maxPairs = 400, maxRuns = 30_000 } = options;
  const assessor = new Assessor(recorder, {
    claim,
    seed,
    maxRuns: SEARCH_SHARE * maxRuns,
    limit: new TimeLimit(maxSeconds),
  });
  const source = new SeededSource(seed).split("pairs to record");
  const found = new Map<string, Assessment>(), best: Assessment[] = [];
  const tried = new Set<string>();
  const unfollowed = new Unfollowed();
  let hasNoise = false;
  let covered: Assessment | undefined, isCoveredElsewhere = false;
  const furthest: Assessment[] = [];
  let hasAnswered = false, lastError: string | undefined;
  const listed = pair === undefined ? seedPairs(space!) : [pair];
  const climb = space === undefined || pair !== undefined ? undefined : new Climb(space, {
    source: source.split("climb"),
    looks: (neighbours, data) =>
      assessor.isOver() || assessor.runs > CLIMB_SHARE * maxRuns
        ? Promise.resolve(undefined)
        : assessor.inTime(() => assessor.movesFrom(neighbours, data)),
  });
  /** Whether all pairs, where they are few, are to be compared once a program is seen to choose only. */
  let mayCompareAll = climb !== undefined;
  const next = async (): Promise<Pair | undefined> => {
    while (listed.length > 0) {
      const first = listed.shift()!;
      if (!tried.has(keyOf(first))) return first;
    }
    if (climb === undefined) return undefined;
    const isSuspected = [...found.values()].some(({ tier }) => tier > Tier.covered);
    const further = isSuspected ? undefined : await climb.next();
    return further !== undefined && !tried.has(keyOf(further))
      ? further
      : newPair(space!, { parents: best, source, tried });
  };
  const keep = (shown: Assessment): void => {
    if (shown.tier === Tier.covered) {
      if (covered === undefined || isGraver(shown, covered)) covered = shown;
      if (isOverspent(shown, claim)) keepGravest(found, { ...shown, ...overspent(shown, claim) });
    } else keepGravest(found, shown);
  };
  while (tried.size < maxPairs && (tried.size === 0 || !assessor.isOver())) {
    const one = await next();
    if (one === undefined) break;
    tried.add(keyOf(one));
    // Other noise for each pair: some leaks show on few paths.
    const from = tried.size - 1;
    const first = await assessor.inTime(() => assessor.assess(one, { ...FIRST_LOOK, from }));
    if (first === undefined) break;
    if (first.allOutcomes !== undefined && mayCompareAll) {
      mayCompareAll = false;
      const pairs = fewPairs(space!).pairs.map(({ pair }) => pair);
      const worst = pairs.length === 0
        ? undefined
        : await assessor.inTime(() => assessor.worstByOutcomes(pairs));
      if (worst !== undefined) listed.unshift(worst);
    }
    let shown = first;
    const { error } = shown.runs[0];
    hasNoise ||= shown.runs.some(({ atoms, reads }) => atoms.length + reads.length > 0);
    // A program that fails only where it is recorded has answered.
    if (error === undefined || shown.notFollowed !== undefined) hasAnswered = true;
    else lastError = error;
    if (shown.notFollowed !== undefined) {
      const distance = await assessor.inTime(() => assessor.distance(one));
      if (distance !== undefined && distance > 0) {
        furthest.push(shown = { ...shown, distance });
        furthest.sort((a, b) => b.distance! - a.distance!).splice(MOST_FURTHEST);
      }
    }
    const known = found.get(keyOfFinding(shown));
    const isNew = known === undefined || shown.share > known.share;
    const isWorthIt = pair !== undefined || (shown.tier > Tier.covered && isNew);
    const isSuspected = shown.tier > Tier.covered;
    let isCut = isWorthIt;
    if (isWorthIt && !assessor.isOver()) {
      const second = await assessor.inTime(() => assessor.assess(one, { ...SECOND_LOOK, from }));
      shown = second ?? shown;
      isCut = second?.isCut !== undefined || second === undefined;
    }
    // The other policy covered all of an earlier pair, and the runs ended before it was tried on this one.
    if (isCut && isSuspected && isCoveredElsewhere) break;
    isCoveredElsewhere ||= isSuspected && shown.tier === Tier.covered;
    keep(shown);
    unfollowed.add(shown);
    best.push(shown);
    best.sort((a, b) => isGraver(a, b) ? -1 : isGraver(b, a) ? 1 : 0).splice(PARENTS);
  }
  // Where there are no other pairs, those that cost most are run on more noise.
  const isAll = pair === undefined && tried.size < maxPairs;
  for (const { pair: one } of isAll ? best.filter(({ tier }) => tier === Tier.covered) : []) {
    if (assessor.isOver()) break;
    const again = await assessor.inTime(() => assessor.assess(one, SECOND_LOOK));
    if (again === undefined || again.isCut !== undefined) continue;
    keep(again);
    unfollowed.add(again);
  }
  if (!hasAnswered && lastError !== undefined) {
    throw new SubjectFailure(
      `${recorder.name} gave no output on ${tried.size} pairs: runs ended with errors, the last with ${lastError}`,
    );
  }
  const assessed = [...found.values()].sort((a, b) => isGraver(a, b) ? -1 : 1)
    .slice(0, MOST_FINDINGS);
  assessor.maxRuns = maxRuns;
  const confirmed: Assessment[] = [];
  for (const one of assessed) {
    const small = space === undefined ? one : await shrunk(one, { assessor, space });
    // What could not be confirmed in time is not certain.
    const shown = await assessor.inTime(() => assessor.confirm(small)) ??
      (small.tier === Tier.broken ? { ...small, tier: Tier.uncovered } : small);
    if (shown.notFollowed === undefined) confirmed.push(shown);
    else unfollowed.add(shown);
  }
  const findings = confirmed.map((shown) => findingOf(shown, claim));
  const cost = covered === undefined || Number.isNaN(covered.share) || !hasNoise
    ? null
    : finite(covered.share * claimedAmount(claim));
  const cut = assessor.wasCut
    ? [{ what: "the pairs of the recording", done: tried.size, of: maxPairs }]
    : undefined;
  const notFollowed = unfollowed.most() ??
    (cut !== undefined && !hasNoise
      ? { reason: NO_TIME, pairs: tried.size }
      : hasNoise || findings.length > 0
      ? undefined
      : { reason: NO_NOISE, pairs: tried.size });
  return {
    verdict: confirmed.some(({ tier }) => tier === Tier.broken)
      ? "broken"
      : findings.length > 0
      ? "suspected"
      : notFollowed === undefined
      ? "nothing found"
      : "not followed",
    findings,
    claim,
    cost,
    runs: assessor.runs,
    pairs: tried.size,
    seed,
    ...(notFollowed === undefined ? {} : { notFollowed }),
    ...(cut === undefined ? {} : { cut }),
    ...(furthest.length === 0
      ? {}
      : { furthest: furthest.map(({ pair: { left, right } }) => ({ left, right })) }),
  };
}

/** Why nothing is followed where no noise was seen before the time was over. */
const NO_TIME = "the limit of time ended the recording before any noise was seen";
/** Why nothing is followed in a program that shows no noise: it has none, or noise of another kind. */
const NO_NOISE = "the program drew no noise that is watched";

/** Pairs on which noise was not followed. */
class Unfollowed {
  readonly #reasons = new Map<string, { readonly place: string; pairs: number }>();
  readonly #pairs = new Set<string>();

  /** Notes a pair, once, if its noise was not followed. */
  add({ notFollowed, worst, pair }: Assessment): void {
    const key = keyOf(pair);
    if (notFollowed === undefined || this.#pairs.has(key)) return;
    this.#pairs.add(key);
    const known = this.#reasons.get(notFollowed);
    if (known !== undefined) known.pairs++;
    else this.#reasons.set(notFollowed, { place: worst?.at ?? "", pairs: 1 });
  }

  /** Returns the reason of most of them; `undefined` where there are none. */
  most(): RecordedNoise["notFollowed"] {
    const [most] = [...this.#reasons].sort(([, a], [, b]) => b.pairs - a.pairs);
    if (most === undefined) return undefined;
    const [reason, { place }] = most;
    return { reason, pairs: this.#pairs.size, ...(place === "" ? {} : { place }) };
  }
}

function keepGravest(found: Map<string, Assessment>, one: Assessment): void {
  const key = keyOfFinding(one), known = found.get(key);
  if (known === undefined || isGraver(one, known)) found.set(key, one);
}

/** Returns true if the declared mechanisms whose values move promise less than the claim together. */
function isOverspent({ declared }: Assessment, claim: Claim): boolean {
  return declared !== undefined && shareOf(declared.loss, claim) > 1 + 1e-9;
}

function overspent({ declared, worst }: Assessment, claim: Claim): Partial<Assessment> {
  const { loss, reads } = declared!;
  const last = reads.at(-1)!;
  return {
    tier: Tier.costly,
    isPromised: true,
    share: shareOf(loss, claim),
    loss,
    costs: reads.length,
    worst: worst ?? { kind: "shift", at: last.at, loss: { pure: [], muSquared: 0, delta: 0 } },
  };
}

function newPair(
  space: SearchSpace,
  { parents, source, tried }: {
    readonly parents: readonly Assessment[];
    readonly source: SeededSource;
    readonly tried: ReadonlySet<string>;
  },
): Pair | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const parent = parents[Math.floor(source.uniform() ** 2 * parents.length)];
    const pair = parent === undefined || source.uniform() < RANDOM_PAIR
      ? randomPair(space, source)
      : mutatePair(space, parent.pair, source);
    if (pair !== undefined && !tried.has(keyOf(pair))) return pair;
  }
  return undefined;
}

/** Returns a smaller pair that shows the same, by replays. */
async function shrunk(
  found: Assessment,
  { assessor, space }: { readonly assessor: Assessor; readonly space: SearchSpace },
): Promise<Assessment> {
  let small = found, trials = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const pair of smallerPairs(space, small.pair)) {
      if (++trials > SHRINK_TRIALS || assessor.isOver()) return small;
      const effort = { ...WHILE_SHRINKING, from: found.noise ?? 0 };
      const shown = await assessor.inTime(() => assessor.assess(pair, effort));
      if (shown === undefined) return small;
      const isSame = keyOfFinding(shown) === keyOfFinding(found) &&
        (!Number.isFinite(found.share) || shown.share - 1 >= KEPT_SHARE * (found.share - 1));
      if (!isSame) continue;
      small = shown;
      isSmaller = true;
      break;
    }
  }
  return small;
}

function findingOf(shown: Assessment, claim: Claim): RecordedFinding {
  const { worst, pair, tier, loss, allOutcomes } = shown;
  return {
    kind: kindOf(shown, claim),
    place: worst?.at ?? "",
    ...(worst?.in === undefined ? {} : { library: worst.in }),
    change: worst?.change === undefined ? null : finite(Math.abs(worst.change)),
    pays: worst === undefined
      ? null
      : worst.kind === "declaration-broken"
      ? worst.scale!
      : finite(paidBy(worst, claim)),
    cost: tier === Tier.costly ? finite(allOutcomes?.parameter ?? parameterOf(loss, claim)) : null,
    pair: { left: pair.left, right: pair.right },
    sentence: sentenceOf(shown, claim),
    reads: readsBeside(...shown.runs),
  };
}

/** Returns a finite number, or null: JSON has no infinity. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
