/** Numbers that differ by no more than this share are equal: sums in another order round otherwise. */
export const ROUNDING = 1e-9;
/** Shifts up to this are none, in units of the noise. */
export const STILL = 1e-12;
/** Relative error at which a shift matches a change: programs may compute in single precision. */
export const SINGLE_ROUNDING = 1e-6;

/** Returns the change from one number to another, 0 where rounding makes it: of small numbers a share of them, of others an amount. */
export function changeBetween(from: number, to: number): number {
  const most = STILL * Math.min(1, Math.max(Math.abs(from), Math.abs(to)));
  return Math.abs(to - from) <= most ? 0 : to - from;
}

/** Returns whether noise of these coefficients covers a change at next to no cost; without noise, whether nothing changes. */
export function isStill(change: number, terms: ReadonlyMap<number, number>): boolean {
  return Math.abs(change) <= STILL * unitOf(terms);
}

/** Returns the largest coefficient, which is 0 without noise. */
export function unitOf(terms: ReadonlyMap<number, number>): number {
  return [...terms.values()].reduce((most, c) => Math.max(most, Math.abs(c)), 0);
}
