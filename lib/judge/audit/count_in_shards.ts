import type { Claim } from "../../core/claims/claim.ts";
import { parameterOf } from "../../core/claims/claim_curve.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { type Pair, pairOf, type Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { endsWithBets, freezeFor } from "./begin_final_bound.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "./kernel/betting/shares.ts";
import { chooseBets } from "./plan/bet_choice/choose_bets.ts";
import { chooseGuesses } from "./plan/bet_choice/choose_guesses.ts";
import { predictedShares } from "./plan/bet_choice/predicted_law.ts";
import type { BoundAtEnd } from "./plan/bound_at_end.ts";
import { natsToRefute } from "./kernel/fixed_sample/bet_bound.ts";
import type { ReadBound } from "./kernel/fixed_sample/fixed_sample_bound.ts";
import { areEnough } from "./kernel/fixed_sample/guess_counts.ts";
import { GuessRate } from "./kernel/fixed_sample/guess_tally.ts";
import type { TimeLimit } from "./kernel/drawing/time_limit.ts";
import type { Play } from "./kernel/play.ts";
import { PURE_POINTS } from "./model/prediction/expected_log_wealth.ts";
import type { CandidatePair } from "./model/prediction/candidate_pair.ts";
import {
  deserializePredictor,
  serializePredictor,
} from "./model/prediction/serialized_predictor.ts";
import { shardSizes } from "./kernel/shards/shard_job.ts";
import { ShardLedger, type ShardTotals } from "./kernel/shards/shard_ledger.ts";
import {
  guessCountsOf,
  levelOf,
  shardedBets,
  shardedGuesses,
} from "./kernel/shards/sharded_bound.ts";
import type { CountingState, SentJob, ShardedCounting } from "./sharded_counting.ts";
import type { Subject } from "./kernel/subject.ts";

/** Draws for search and learning: a quarter of the budget, at least 2²⁴ and at most 2²⁶. */
const MOST_LEARNED = { short: 1 << 24, share: 1 / 4, longest: 1 << 26 };
/**
 * Draws counted again once the partition is fixed: a share of the draws left, at most this many. The partition was chosen by
 * the counts so far, so small leaves look better than they are; the more draws are left, the smaller the leaves that are worth
 * a guess.
 */
const COUNTED_AGAIN_SHARE = 1 / 32, MOST_COUNTED_AGAIN = 1 << 22;
/** The most draws of a batch then. */
const MOST_AGAIN = 1 << 15;

/** How a candidate is tested. */
interface CountingOptions {
  readonly subject: Subject;
  readonly play: Play;
  readonly claim: Claim;
  /** The test's own share of α. */
  readonly alpha: number;
  readonly source: Source;
  readonly isOver: () => boolean;
  readonly counting: ShardedCounting;
  readonly seed: number;
  /** The budget of the whole audit, and the clock that ends it. */
  readonly maxDraws: number;
  readonly limit: TimeLimit;
  readonly pairsTried: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the test at the end of the budget in shards: the partition, the side to guess in each leaf or the bets, the shards, their
 * draws and their guesses are fixed; then all shards are drawn, wherever that is, and counted. `undefined` where the budget is
 * spent. docs/decisions/sharded_audits.md says why that is sound.
 */
export async function countInShards(
  candidate: CandidatePair,
  options: CountingOptions,
): Promise<BoundAtEnd<ReadBound> | undefined> {
  const { play, claim, alpha, source, counting, signal, subject, limit } = options;
  const { resumed } = counting;
  if (resumed === undefined && options.isOver()) return undefined;
  const toss = source.uniform();
  const begun = resumed?.state ?? await begin(candidate, options);
  const { job, planned } = begun;
  // Bets are chosen by what was learned before the shards.
  const read = endsWithBets(claim, subject)
    ? readBets(candidate, { job, claim, alpha, planned })
    : readGuesses({ job, claim: parameterOf(claim).value, alpha, toss }, planned);
  const record = resumed?.record ?? counting.begun?.(begun);
  const ledger = new ShardLedger(job, {
    ...(resumed && { events: resumed.events }),
    ...(record && { record }),
  });
  const deadline = resumed === undefined ? performance.now() + 1000 * options.limit.left : Infinity;
  try {
    await counting.run({ job, ledger, deadline, signal });
  } finally {
    play.countElsewhere(candidate.pair, ledger.totals);
  }
  signal?.throwIfAborted();
  const { draws } = ledger.totals, all = job.shards * job.draws;
  if (draws < all && limit.isOver) limit.note({ what: "draws in shards", done: draws, of: all });
  return read(ledger.totals);
}

/** Reads the test that counts right guesses, of so many draws. */
function readGuesses(
  options: Parameters<typeof guessCountsOf>[1],
  planned: number,
): (totals: ShardTotals) => BoundAtEnd<ReadBound> {
  return (totals) => {
    const counts = guessCountsOf(totals, options);
    const isRead = counts.alpha > 0 && areEnough(counts);
    return {
      bound: shardedGuesses(counts),
      counted: () =>
        isRead ? { alpha: counts.alpha, draws: planned * counts.made / counts.goal } : undefined,
    };
  };
}

/** Chooses bets, and reads their test. */
function readBets(
  { predictor }: CandidatePair,
  { job, claim, alpha, planned }: {
    readonly job: SentJob;
    readonly claim: Claim;
    readonly alpha: number;
    readonly planned: number;
  },
): (totals: ShardTotals) => BoundAtEnd<ReadBound> {
  const predicted = predictedShares(predictor);
  const goal = { claim, draws: Math.max(1, planned), nats: natsToRefute(alpha) };
  const bets = chooseBets(predicted, goal);
  return (totals) => {
    const bound = shardedBets(totals, { job, bets, claim, alpha });
    const level = levelOf(job, { alpha, lost: totals.lost });
    return { bound, counted: () => ({ alpha: level, draws: bound.draws }) };
  };
}

/** Fixes all that shards are functions of. */
async function begin(candidate: CandidatePair, options: CountingOptions): Promise<CountingState> {
  const { subject, play, claim, alpha, counting, seed, pairsTried } = options;
  const { predictor, pair } = candidate, { sampler } = play;
  const draws = (): number => options.maxDraws - sampler.draws;
  freezeFor(candidate, { subject, claim, alpha, draws: draws() });
  await countAgain(candidate, { ...options, draws: COUNTED_AGAIN_SHARE * draws() });
  const { shards, draws: each } = shardSizes(Math.max(1, Math.floor(draws())));
  const planned = shards * each * predictor.keptShare;
  const frozen = {
    seed,
    pair: { left: pair.left, right: pair.right },
    predictor: serializePredictor(predictor),
    learned: { counts: predictor.counts.slice(), leaves: predictor.leaves },
    shards,
    draws: each,
    isFunctionOfSeed: counting.isFunctionOfSeed,
  };
  const job: SentJob = endsWithBets(claim, subject)
    ? { ...frozen, goal: each }
    : { ...frozen, ...guessesOf(candidate, { alpha, planned, draws: each }) };
  return {
    job,
    planned,
    evidence: {
      lowerBound: play.evidence.lowerBound,
      logEValue: play.evidence.logEValue,
      refuted: play.evidence.refuted,
    },
    draws: sampler.draws,
    drawsOn: play.drawsOn(pair),
    seconds: options.limit.seconds,
    pairsTried,
  };
}

/** Adds the counts of new draws to those of the partition. */
async function countAgain(
  { pair, predictor }: CandidatePair,
  { play: { sampler }, draws, isOver }: Pick<CountingOptions, "play" | "isOver"> & {
    readonly draws: number;
  },
): Promise<void> {
  const enough = sampler.draws + Math.min(draws, MOST_COUNTED_AGAIN);
  while (sampler.draws < enough && !isOver()) {
    const wanted = Math.min(MOST_AGAIN, enough - sampler.draws);
    const { left, right } = await sampler.draw(pair, sampler.batchSize(wanted));
    predictor.observe(left, right);
  }
}

/**
 * Returns the budget of the search and of learning before the shards begin. It does not depend on how many workers there are, and is never
 * used up: the partition is fixed at a share of it.
 */
export function learningBudget(
  { maxDraws }: { readonly maxDraws: number },
): { readonly maxDraws: number } {
  const { short, share, longest } = MOST_LEARNED;
  return { maxDraws: Math.min(maxDraws, Math.max(short, Math.min(longest, share * maxDraws))) };
}

/**
 * Returns the sides to guess, and the guesses of a shard: as many as are expected of its draws. Half of the shards make a few fewer,
 * which are tossed for.
 */
function guessesOf(
  { predictor }: CandidatePair,
  { alpha, planned, draws }: { alpha: number; planned: number; draws: number },
): { guess: Int8Array; goal: number } {
  const { guess } = chooseGuesses(predictor, { alpha, draws: planned });
  const rate = new GuessRate(guess);
  rate.count(predictor);
  return { guess, goal: Math.max(1, Math.round(draws * predictor.keptShare * rate.value)) };
}

/** Returns the candidate of an audit that is resumed, with the draws that were made before. */
export function resumedCandidate(
  { job, draws, drawsOn }: CountingState,
  { play, pair: given, relation }: {
    readonly play: Play;
    /** The pair of the options. */
    readonly pair: Pair | undefined;
    readonly relation: Relation;
  },
): CandidatePair {
  const pair = given ??
    pairOf(relation, job.pair as Readonly<Record<"left" | "right", Dataset>>);
  play.countElsewhere(pair, drawsOn);
  play.sampler.countElsewhere({ draws: draws - drawsOn.left - drawsOn.right });
  return {
    pair,
    predictor: deserializePredictor(job.predictor),
    standardErrors: STANDARD_ERRORS[ONE_STANDARD_ERROR]!,
    points: PURE_POINTS,
  };
}
