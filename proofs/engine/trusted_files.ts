import { createHash } from "node:crypto";

const KERNEL = "lib/judge/audit/kernel",
  CLAIMS = "lib/core/claims",
  RELATIONS = "lib/core/relations",
  NUMERIC = "lib/core/numeric",
  RANDOM = "lib/core/random";

/**
 * The files that an audit's error bound rests on, and what each is trusted for: all of `lib/judge/audit/kernel`, and what it imports. An error
 * in another file can cost power; it cannot make an audit refute a true claim more often than with probability α.
 */
export const TRUSTED_FILES: Readonly<Record<string, string>> = {
  [`${KERNEL}/order/coins.ts`]:
    "coins are fair, independent of everything before, and thrown before the draw",
  [`${KERNEL}/order/draw_in_order.ts`]: "outputs come in the order of their coins",
  [`${KERNEL}/order/lost_outputs.ts`]: "outputs that did not come are counted, by side",
  [`${KERNEL}/order/drawing_end.ts`]: "a draw is ended between two outputs, by time alone",
  [`${KERNEL}/order/one_at_a_time.ts`]: "an output is asked for when the one before has come",
  [`${KERNEL}/order/changed_draws.ts`]:
    "a subject drawn in another way says of itself what it said",
  [`${KERNEL}/drawing/sampler.ts`]:
    "requests are cut without regard to coins, and every batch that was begun is handed out in its order",
  [`${KERNEL}/drawing/draw_many.ts`]: "time decides when draws end and nothing else",
  [`${KERNEL}/drawing/time_limit.ts`]: "the clock says when draws end and nothing else",
  [`${KERNEL}/drawing/output_check.ts`]:
    "answers with another number of outputs than was asked for fail",
  [`${KERNEL}/drawing/progress.ts`]: "what a caller is told of the progress is not read again",
  [`${KERNEL}/play.ts`]: "batches are settled in the order in which they were drawn, all of them",
  [`${KERNEL}/subject.ts`]: "what a subject may do and must do is as it says",
  [`${KERNEL}/outputs.ts`]:
    "joining, cutting and dealing outputs keeps each of them, in order, on the side of its coin",
  [`${KERNEL}/deferred.ts`]: "a promise is settled once",
  [`${KERNEL}/text_of.ts`]: "equal values have equal texts",
  [`${KERNEL}/betting/pure_evidence.ts`]:
    "the factor of a bet against ε has expectation at most 1 under the claim, whatever was predicted; values of ε are tested upwards, up to the first that stands",
  [`${KERNEL}/betting/bet_approximate.ts`]: "the same of a bet against (ε, δ)",
  [`${KERNEL}/betting/divergence_bet.ts`]:
    "the same of a bet against a Rényi divergence, for every bound at once",
  [`${KERNEL}/betting/event_bet.ts`]:
    "the same of a bet on events, for every parameter at once; the factors fall as it rises",
  [`${KERNEL}/betting/claim_bet.ts`]: "stakes are not negative, whatever chose them",
  [`${KERNEL}/betting/prediction_batch.ts`]:
    "predictions are numbers that were fixed before the batch",
  [`${KERNEL}/betting/leaf_law.ts`]: "a law exchanges its sides where the datasets are exchanged",
  [`${KERNEL}/betting/wealth.ts`]: "factors multiply, and bettors share one stake",
  [`${KERNEL}/betting/shares.ts`]: "shares add up to 1; a restart counts only what comes after it",
  [`${KERNEL}/betting/rare_wealth.ts`]:
    "shares of rare cells are fixed before their draws and add up to at most 1",
  [`${KERNEL}/betting/with_lost.ts`]:
    "draws whose outputs did not come get the smallest factor of their label",
  [`${KERNEL}/betting/point_evidence.ts`]: "curves are tested upwards, up to the first that stands",
  [`${KERNEL}/betting/claim_evidence.ts`]: "what evidence promises is as it says",
  [`${KERNEL}/betting/evidence.ts`]:
    "each kind of claim gets the evidence against that kind, and the claim is on the grid of its hypotheses, which ascends",
  [`${KERNEL}/betting/largest_parameter.ts`]:
    "what holds up to a parameter is not said to hold beyond it",
  [`${KERNEL}/fixed_sample/fixed_sample_bound.ts`]: "what a test at the end promises is as it says",
  [`${KERNEL}/fixed_sample/guess_count_bound.ts`]:
    "its number of guesses is fixed when it begins, and it is read once",
  [`${KERNEL}/fixed_sample/guess_counts.ts`]:
    "right guesses among all give a Clopper–Pearson bound, rounded down",
  [`${KERNEL}/fixed_sample/guess_tally.ts`]:
    "every guess up to the last is counted, and none after it",
  [`${KERNEL}/fixed_sample/unfinished_guesses.ts`]:
    "guesses that are not reached are tossed for with the chance that the claim allows",
  [`${KERNEL}/fixed_sample/bet_bound.ts`]:
    "its bets are fixed when it begins, their shares add up to at most 1, all draws count",
  [`${KERNEL}/fixed_sample/precedence.ts`]:
    "the least favourable configuration of a claim; only for recorded, independent outputs",
  [`${KERNEL}/fixed_sample/precedence_bound.ts`]:
    "parameters of a precedence test are tested upwards",
  [`${KERNEL}/fixed_sample/precedence_counts.ts`]:
    "ranks are fixed by the number of outputs, and ties fall in random order",
  [`${KERNEL}/fixed_sample/precedence_null.ts`]:
    "one statistic is computed of the outputs and of what they are compared with",
  [`${KERNEL}/fixed_sample/precedence_binomial.ts`]: "binomial draws have their law",
  [`${KERNEL}/shards/shard_job.ts`]: "sizes and guesses of shards are fixed before the first one",
  [`${KERNEL}/shards/draw_shard.ts`]: "each attempt at a shard has coins of its own",
  [`${KERNEL}/shards/shard_ledger.ts`]:
    "each place of a shard is filled once, by an attempt that was written down before",
  [`${KERNEL}/shards/result_problem.ts`]: "a result that cannot be one of its attempt is refused",
  [`${KERNEL}/shards/lost_attempts.ts`]:
    "the shares of the level that patterns of lost attempts have add up to at most 1",
  [`${KERNEL}/shards/sharded_bound.ts`]:
    "counts of shards are read at the level that lost attempts leave",
  [`${KERNEL}/copies/in_parallel.ts`]:
    "copies draw each its own outputs, in the order of the coins",
  [`${KERNEL}/copies/compared_copies.ts`]:
    "no two copies are handed out from before they have differed",
  [`${KERNEL}/copies/copy_signature.ts`]: "outputs of copies that are equal have equal hashes",
  [`${KERNEL}/copies/entropy.ts`]: "how surprising it is that two copies agree",
  [`${KERNEL}/copies/require_fresh_draws.ts`]:
    "a program that draws the same after every start fails",
  [`${CLAIMS}/claim.ts`]: "a claim means what its numbers say, and (ε, δ(ε)) follows from it",
  [`${CLAIMS}/claim_brand.ts`]: "claims are made by their constructors alone, and never change",
  [`${CLAIMS}/claim_curve.ts`]: "points of a claim's curve follow from the claim",
  [`${RELATIONS}/relation.ts`]:
    "pairs are neighbours under the relation of the claim, and a relation of this library never changes",
  ["lib/core/text/bare_json.ts"]: "equal values have equal texts, NaN and infinities too",
  [`${CLAIMS}/trade_off/trade_off.ts`]:
    "the trade-off function of a claim is never above the true one",
  [`${CLAIMS}/trade_off/renyi_trade_off.ts`]: "the same of Rényi bounds",
  [`${NUMERIC}/amount.ts`]: "amounts given as text are rounded down",
  [`${NUMERIC}/dyadic.ts`]: "doubles as exact binary fractions, and the doubles beside one",
  [`${NUMERIC}/rational.ts`]: "exact fractions",
  [`${NUMERIC}/round_outward.ts`]: "bounds are rounded to the safe side",
  [`${NUMERIC}/require.ts`]: "numbers out of range are refused",
  [`${NUMERIC}/beta_quantile.ts`]: "quantiles of beta laws",
  [`${NUMERIC}/incomplete_beta.ts`]: "tails of beta laws",
  [`${NUMERIC}/log_gamma.ts`]: "logarithms of the gamma function",
  [`${NUMERIC}/binomial_tail.ts`]: "tails of binomial laws",
  [`${NUMERIC}/binomial_quantile.ts`]: "quantiles of binomial laws",
  [`${NUMERIC}/clopper_pearson.ts`]:
    "bounds on a chance, with the errors of the tails on the safe side",
  [`${NUMERIC}/gaussian_delta.ts`]: "δ of a Gaussian claim at ε",
  [`${NUMERIC}/normal_tail.ts`]: "tails of the normal law",
  [`${NUMERIC}/log_sigmoid.ts`]: "logarithms of the chance of a right guess",
  [`${NUMERIC}/log_sum_exp.ts`]: "logarithms of sums, without overflow",
  [`${NUMERIC}/least_reached.ts`]: "bisections end at a number that does reach the goal",
  [`${NUMERIC}/ones_in.ts`]: "the number of coins for one side in a word of coins",
  [`${NUMERIC}/sorted_search.ts`]: "places in sorted numbers",
  [`${RANDOM}/kernels/binary.ts`]: "WebAssembly that computes what the TypeScript beside it says",
  [`${RANDOM}/kernels/kernels.ts`]: "the memory and the calls of that WebAssembly",
  [`${RANDOM}/kernels/table_slots.ts`]: "a table in that memory is its owner's when it is read",
  [`${RANDOM}/seeded_source.ts`]:
    "streams of different labels are independent, equal seeds give equal streams",
  [`${RANDOM}/chaskey.ts`]: "keys of streams",
  [`${RANDOM}/xoshiro128.ts`]: "random words of a seeded stream",
  [`${RANDOM}/word_kernel.ts`]: "the same words, many at a time",
  [`${RANDOM}/word_block.ts`]: "a block of words has one reader at a time",
  [`${RANDOM}/block_kernel.ts`]: "a block of words in the memory of the WebAssembly",
  [`${RANDOM}/float_uniform.ts`]: "uniform doubles",
  [`${RANDOM}/float_normal.ts`]: "normal doubles of binomial and gamma draws",
  [`${RANDOM}/float_gamma.ts`]: "gamma doubles of the precedence test",
  [`${RANDOM}/normal_ziggurat.ts`]: "the table of the normal law",
  [`${RANDOM}/ziggurat.ts`]: "tables of layers of equal areas",
  [`${RANDOM}/ziggurat_block.ts`]: "draws from such a table",
};

/** What a certificate of `dpcheck exact` rests on, for those who check it: programs of the repository, which no package has. */
export const CERTIFICATE_CHECKERS: Readonly<Record<string, string>> = {
  "lib/judge/certificates/check_enumeration.ts":
    "the laws that a certificate states are laws, of all datasets of its domain, and its verdict follows",
  "lib/judge/certificates/check_alignment.ts":
    "every inequality of an alignment follows from its multipliers",
  "lib/judge/certificates/check_functions.ts":
    "functions of data are between the lines that a certificate states",
  "lib/judge/certificates/certificate_forms.ts":
    "a form is at least 0 where its multipliers say so",
  "lib/judge/certificates/exact_fraction.ts": "a double is the fraction that it stands for",
  "lib/judge/certificates/neighbours_of_domain.ts": "all neighbours of a domain are compared",
  "lib/judge/certificates/strict_json.ts": "what is read is what the file says",
};

/** What the npm package knows of the sources that it was built from: `dist/trusted.json`. */
export interface BuiltFrom {
  /** The SHA-256 of each trusted source. */
  readonly sources: Readonly<Record<string, string>>;
  /** The files of the package that hold their code. */
  readonly holders: readonly string[];
}

/** The SHA-256 of a file's bytes, in hexadecimal digits. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
