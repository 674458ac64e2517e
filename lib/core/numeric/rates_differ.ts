/** Number of hits in a number of trials. */
export interface Rate {
  /** Trials with a hit. */
  readonly hits: number;
  /** Number of trials. */
  readonly draws: number;
}

/** Standard errors of a common rate, which chance alone exceeds once in 370 times. */
const BEYOND_CHANCE = 3;

/** Returns true if two rates differ by more than chance explains. */
export function ratesDiffer(a: Rate, b: Rate): boolean {
  if (a.draws === 0 || b.draws === 0) return false;
  const common = (a.hits + b.hits) / (a.draws + b.draws);
  const error = Math.sqrt(common * (1 - common) * (1 / a.draws + 1 / b.draws));
  return Math.abs(a.hits / a.draws - b.hits / b.draws) > BEYOND_CHANCE * error;
}
