/**
 * How far bettors draw their prediction towards "no difference", in standard errors. Of many arms and
 * leaves most tell nothing: who believes what chance says of them loses tens of nats before the one that
 * does tell something is found, while the most cautious lose a fraction of one.
 */
export const STANDARD_ERRORS: readonly number[] = [0, 0.5, 1, 2, 3];

/** The place of one standard error among the {@linkcode STANDARD_ERRORS}: what is likely rather than hoped for. */
export const LIKELY_ODDS = STANDARD_ERRORS.indexOf(1);
