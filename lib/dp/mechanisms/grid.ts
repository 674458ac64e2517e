import { requireNonNegative, requirePositive } from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";

/** Options of a mechanism that adds noise on a grid to one number. */
export const NUMBER_OPTIONS: readonly string[] = [
  ...["query", "epsilon", "sensitivity", "queryError", "granularity", "relation", "domain"],
];

/** Steps up to which sums with noise are exact doubles. */
export const MOST_COORDINATE: number = 2 ** 51;

/** `bits` of {@linkcode gridStep} where numbers are only compared: a finer grid shows nowhere, and takes longer to sum over. */
export const COMPARED_BITS = 10;

/** Grid points further from 0 than this are counted as this far: beyond it steps overflow. */
const MOST_STEPS = 2 ** 1023;

/**
 * Throws unless `granularity` is a power of two: then dividing by it and multiplying by it are exact
 * in doubles, and a release is a whole number of steps and nothing else.
 */
export function requireGranularity(
  action: string,
  granularity: number,
  name = "granularity",
): void {
  requirePositive(action, name, granularity);
  if (
    !Number.isInteger(Math.log2(granularity)) || granularity < 2 ** -900 || granularity > 2 ** 900
  ) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be a power of two from 2^-900 to 2^900: current value is ${granularity}`,
    );
  }
}

/**
 * The step of a grid: `granularity` where it is given, else a power of two that is small beside both the sensitivity of a
 * coordinate and the scale of the noise, 2^−bits of the smaller, so that rounding costs next to nothing. It is no smaller than
 * 2⁻³⁶ of the scale and 2⁻⁴⁵ of the sensitivity, where noise is still drawn exactly.
 */
export function gridStep(
  action: string,
  { granularity, sensitivity, scale, dimension = 1, bits = 20 }: {
    granularity?: number | undefined;
    sensitivity: number;
    /** Scale of the noise. */
    scale: number;
    dimension?: number;
    bits?: number;
  },
): number {
  if (granularity !== undefined) {
    requireGranularity(action, granularity);
    return granularity;
  }
  requirePositive(action, "sensitivity", sensitivity);
  const wanted = Math.max(
    Math.min(sensitivity / dimension, scale) * 2 ** -bits,
    scale * 2 ** -36,
    sensitivity * 2 ** -45,
  );
  return 2 ** Math.min(900, Math.max(-900, Math.floor(Math.log2(wanted))));
}

/**
 * The most that values as they are computed move between neighbours: `sensitivity` that exact ones move by, and
 * `queryError` that either may be off.
 */
export function computedSensitivity(
  action: string,
  { sensitivity, queryError = 0 }: { sensitivity: number; queryError?: number | undefined },
): number {
  requirePositive(action, "sensitivity", sensitivity);
  requireNonNegative(action, "queryError", queryError);
  return queryError === 0
    ? sensitivity
    : roundUp(sensitivity + 2 * queryError, { relativeError: Number.EPSILON });
}

/** Throws unless bounds are finite and the lower one is below the upper. */
export function requireBounds(
  action: string,
  bounds: { readonly lower: number; readonly upper: number },
): { readonly lower: number; readonly upper: number } {
  const { lower, upper } = bounds ?? {};
  if (!(Number.isFinite(lower) && Number.isFinite(upper) && lower < upper)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be finite, the lower below the upper: current values are ${lower} and ${upper}`,
    );
  }
  return { lower, upper };
}

/** Throws unless a public bound is at most so many steps of the grid from 0: sums of values within it then add up exactly. */
export function requireReach(
  action: string,
  name: string,
  { bound, granularity, most }: { bound: number; granularity: number; most: number },
): void {
  if (Math.abs(bound) / granularity <= most) return;
  throw new RangeError(
    `Cannot ${action}: ${name} must be at most ${
      most * granularity
    } from 0, ${most} steps of the granularity: ` +
      `current value is ${bound}`,
  );
}

/**
 * The nearest grid point, in steps of `granularity` from `origin`, which is itself a number of steps and public. Points more
 * than 2⁵¹ steps from the origin are brought to that distance, which moves no two of them apart.
 *
 * @throws {RangeError} when the value is not finite.
 */
export function toGrid(action: string, value: number, granularity: number, origin = 0): number {
  requireReleasable(action, value);
  // Both are whole, so the difference is exact where it is not brought nearer.
  const steps = Math.min(MOST_STEPS, Math.max(-MOST_STEPS, Math.round(value / granularity))) -
    origin;
  // Adding 0 turns -0 into 0.
  return Math.min(MOST_COORDINATE, Math.max(-MOST_COORDINATE, steps)) + 0;
}

/**
 * The nearest grid point, in steps of `granularity`, as an exact integer however far it is: a double, or beyond 2⁵¹ steps a
 * `bigint`. Points beyond 2¹⁰²³ steps are brought there.
 *
 * @throws {RangeError} when the value is not finite.
 */
export function toWholeGrid(action: string, value: number, granularity: number): number | bigint {
  requireReleasable(action, value);
  const steps = Math.round(value / granularity) + 0;
  return Math.abs(steps) <= MOST_COORDINATE
    ? steps
    : BigInt(Math.min(MOST_STEPS, Math.max(-MOST_STEPS, steps)));
}

/**
 * Utilities rounded to the grid, in steps from the best of them: 0 and below. Those more than 2⁵¹ steps from it are brought
 * to that distance, which between neighbours moves none by more than utilities move.
 *
 * @throws {RangeError} when a utility is not finite.
 */
export function fromBest(
  action: string,
  utilities: readonly number[],
  granularity: number,
): number[] {
  const steps = utilities.map((utility) => {
    requireReleasable(action, utility);
    return Math.min(MOST_STEPS, Math.max(-MOST_STEPS, Math.round(utility / granularity)));
  });
  const best = steps.reduce((a, b) => Math.max(a, b), -Infinity);
  return steps.map((each) => Math.max(-MOST_COORDINATE, each - best) + 0);
}

function requireReleasable(action: string, value: number): void {
  if (!Number.isFinite(value)) {
    // The value itself depends on the data: it is not printed.
    throw new RangeError(`Cannot ${action}: what is released must be a finite number`);
  }
}

/**
 * Returns how far apart, in steps, two rounded values can be when the values are `sensitivity` apart:
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
