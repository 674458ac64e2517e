// How the first stake is divided among bettors. Any shares that are not negative and add up to at most 1 are sound:
// the average of e-processes is an e-process. These numbers decide how many draws a refutation takes, nothing else.
// docs/decisions/tuning_of_the_search.md says what they were chosen on.

/**
 * By how many standard errors predictions on leaves may be drawn towards "no difference". Pure claims are bet on at the estimates themselves, which the
 * mixture over prunings keeps near 0 where nothing shows; points of a curve at less, and pairs are ranked by less still, for the best of many
 * look better than they are.
 */
export const STANDARD_ERRORS: readonly number[] = [0, 0.5, 1, 2];

/** The place of one standard error in {@linkcode STANDARD_ERRORS}. */
export const ONE_STANDARD_ERROR: number = STANDARD_ERRORS.indexOf(1);

/** The odds of the bettor of fixed odds, as a multiple of the claimed ε: what half the noise gives. */
export const FIXED_ODDS = 2;

/**
 * Bets on outputs that move as the data do, for pure claims: with fixed odds, with the distance that the data move, and
 * with the distance estimated from earlier outputs.
 */
export const SHIFT_SHARES = { fixedOdds: 0.06, asData: 0.04, asSeen: 0.1 } as const;

/** The share of bets at the odds of a learned score or of densities, for pure claims. */
export const SCORE_SHARE = 0.7;

/**
 * The share of the stake that bets on rare cells ({@linkcode RareWealth}); all other bets have the rest. It costs the others
 * 0.08 nats, and an event that comes late is refuted by eight draws more than with all of the stake.
 */
export const RARE_SHARE = 0.08;

/** The share of bets on the leaves of a partition, for pure claims. */
export const LEAF_SHARE: number = 1 - SCORE_SHARE - SHIFT_SHARES.fixedOdds - SHIFT_SHARES.asData -
  SHIFT_SHARES.asSeen;

/** The shares for claims that are curves: bets on leaves, the two on a shift without fixed odds, and those of a score or of densities. */
export const POINT_SHARES = { onLeaves: 0.1, asData: 0.07, asSeen: 0.08, scored: 0.75 } as const;

/** The place in {@linkcode STANDARD_ERRORS} of the prediction that points of a curve are bet on. */
export const POINT_ERRORS: number = STANDARD_ERRORS.indexOf(0.5);

/** The share of each bettor that bets from the first draw on. */
export const FROM_FIRST_DRAW = 0.9;

/** The number of restarts. */
export const MAX_RESTARTS = 40;

/** The share of the k-th restart: in proportion to 1/(k + 4), all together what the first draw leaves. */
export const RESTART_SHARES: readonly number[] = (() => {
  const weights = Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => ((1 - FROM_FIRST_DRAW) * weight) / sum);
})();
