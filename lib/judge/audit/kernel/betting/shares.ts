// How the first stake is divided among bettors. Any shares that are not negative and add up to at most 1 are sound:
// the average of e-processes is an e-process. These numbers decide how many draws a refutation takes, nothing else.
// docs/decisions/tuning_of_the_search.md says what they were chosen on.

/**
 * How many standard errors predictions are drawn towards "no difference" before they are bet on, one bettor each. Most
 * leaves of most pairs show no difference. Bets on their point estimates lose tens of nats before a leaf that does show one
 * is found; with three standard errors subtracted the loss is a fraction of a nat.
 */
export const STANDARD_ERRORS: readonly number[] = [0, 0.5, 1, 2, 3];

/** The place of one standard error in {@linkcode STANDARD_ERRORS}. */
export const ONE_STANDARD_ERROR: number = STANDARD_ERRORS.indexOf(1);

/** The odds of fixed-odds bettors, as a multiple of the claimed ε: what half the noise gives. */
export const FIXED_ODDS = 2;

/**
 * Bets on outputs that move as the data do, for pure claims: with fixed odds, with the distance that the data move, and
 * with the distance estimated from earlier outputs.
 */
export const SHIFT_SHARES = { fixedOdds: 0.08, asData: 0.09, asSeen: 0.03 } as const;

/** The share of bets at the odds of a learned score, for pure claims. */
export const SCORE_SHARE = 0.1;

/**
 * The share of the stake that bets on rare cells ({@linkcode RareWealth}); all other bets have the rest. It costs the others
 * 0.08 nats, and an event that comes late is refuted by eight draws more than with all of the stake.
 */
export const RARE_SHARE = 0.08;

/** The share of bets on the leaves of a partition, for pure claims. */
const LEAF_SHARE = 1 - SCORE_SHARE - SHIFT_SHARES.fixedOdds - SHIFT_SHARES.asData -
  SHIFT_SHARES.asSeen;

/** A bettor on leaves, for pure claims. */
interface LeafBettor {
  /** The place of its standard errors in {@linkcode STANDARD_ERRORS}. */
  readonly errors: number;
  /** Whether it bets {@linkcode FIXED_ODDS} wherever the prediction is not 0, in place of the predicted odds. */
  readonly hasFixedOdds: boolean;
  /** Its share of the first stake. */
  readonly share: number;
}

/**
 * The bettors on leaves. To learn the odds of a leaf costs a few nats after its side is known; fixed odds save them where
 * a program is off by a factor of one and a half or more.
 */
export const LEAF_BETTORS: readonly LeafBettor[] = [
  ...[0.06, 0.09, 0.18, 0.18, 0.09].map((share, errors) => ({
    errors,
    hasFixedOdds: false,
    share: LEAF_SHARE * share,
  })),
  ...[ONE_STANDARD_ERROR, ONE_STANDARD_ERROR + 1].map((errors) => ({
    errors,
    hasFixedOdds: true,
    share: LEAF_SHARE * 0.2,
  })),
];

/** The shares for claims that are curves: bets on leaves, and the two on a shift without fixed odds. */
export const POINT_SHARES = { onLeaves: 0.7, asData: 0.2, asSeen: 0.1 } as const;

/** The place in {@linkcode STANDARD_ERRORS} of the prediction that points of a curve are bet on. */
export const POINT_ERRORS: number = STANDARD_ERRORS.indexOf(0.5);

/** The share of each bettor that bets from the first draw on. */
export const FROM_FIRST_DRAW = 0.6;

/** The number of restarts. */
export const MAX_RESTARTS = 40;

/** The share of the k-th restart: in proportion to 1/(k + 4), all together what the first draw leaves. */
export const RESTART_SHARES: readonly number[] = (() => {
  const weights = Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => ((1 - FROM_FIRST_DRAW) * weight) / sum);
})();
