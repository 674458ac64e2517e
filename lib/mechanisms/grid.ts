import { requirePositive } from "../numeric/require.ts";

/** Grid coordinates stay within ±2⁵¹, so that sums with noise are exact doubles. */
export const MOST_COORDINATE: number = 2 ** 51;

/**
 * Throws unless `granularity` is a power of two: then dividing by it and multiplying by it are exact
 * in doubles, and a release is a whole number of steps and nothing else.
 */
export function requireGranularity(action: string, granularity: number): void {
  requirePositive(action, "granularity", granularity);
  if (
    !Number.isInteger(Math.log2(granularity)) || granularity < 2 ** -900 || granularity > 2 ** 900
  ) {
    throw new RangeError(
      `Cannot ${action}: granularity must be a power of two from 2^-900 to 2^900: current value is ${granularity}`,
    );
  }
}

/**
 * The nearest grid point, in steps of `granularity`; values beyond 2⁵¹ steps are brought to that
 * bound, which moves no two values apart.
 *
 * @throws {RangeError} when the value is not finite.
 */
export function toGrid(action: string, value: number, granularity: number): number {
  if (!Number.isFinite(value)) {
    // The value itself depends on the data: it is not printed.
    throw new RangeError(`Cannot ${action}: what is released must be a finite number`);
  }
  const steps = Math.round(value / granularity);
  // Adding 0 turns -0 into 0.
  return Math.min(MOST_COORDINATE, Math.max(-MOST_COORDINATE, steps)) + 0;
}

/**
 * How far apart, in steps, two rounded values can be when the values are `sensitivity` apart:
 * ⌈sensitivity/granularity⌉, for rounding is monotone and commutes with whole steps. Summed over the
 * coordinates of a vector that move by `sensitivity` in all, each may be rounded up by less than one
 * step: ⌈sensitivity/granularity⌉ + dimension − 1.
 *
 * @throws {RangeError} when that is more than 2⁵⁰ steps.
 */
export function gridSensitivity(
  action: string,
  { sensitivity, granularity, dimension = 1 }: {
    sensitivity: number;
    granularity: number;
    dimension?: number;
  },
): number {
  requirePositive(action, "sensitivity", sensitivity);
  const steps = Math.ceil(sensitivity / granularity) + dimension - 1;
  if (!(steps <= 2 ** 50)) {
    throw new RangeError(
      `Cannot ${action}: sensitivity must be at most 2^50 steps of the granularity: current value is ${steps}`,
    );
  }
  return steps;
}
