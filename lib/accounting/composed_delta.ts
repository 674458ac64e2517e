import { productError } from "../numeric/error_free.ts";
import { chooseWindow, tiltedConvolution } from "./tilted_convolution.ts";
import { bestTilt, type GridPart, tiltedGrid } from "./tilted_grid.ts";

/** What is certain about a number that was computed in floating point. */
export interface Bounds {
  /** At most the true number. */
  readonly lower: number;
  /** At least the true number. */
  readonly upper: number;
}

const UNIT_ROUNDOFF = 2 ** -53;

/**
 * Two-sided bounds on δ(ε) = Σ P(loss)·(1 − e^(ε − loss))⁺ of the sum of the parts' losses, for the grids
 * as they are: they enclose the floating-point error of the transform and what it aliases.
 *
 * The masses are tilted by e^(tilt·loss) first, so that sums near ε are where the tilted probability
 * is; the transform's error is then small compared with δ itself, however small δ is. With T the tilted
 * law and M the sums divided out, δ = Π M^count · e^(−tilt·ε) · Σ_y T(ε + y)·e^(−tilt·y)(1 − e^−y).
 *
 * @param longest points of the transform at most: what falls outside is counted in both bounds
 */
export function composedDelta(
  parts: readonly GridPart[],
  { epsilon, longest }: { epsilon: number; longest?: number },
): Bounds {
  const logFinite = parts.reduce(
    (sum, { grid, count }) => sum + count * Math.log1p(-Math.min(1, grid.infinite)),
    0,
  );
  const infinite = -Math.expm1(logFinite);
  const finite = reachesAbove(parts, epsilon)
    ? finiteDelta(parts, { epsilon, tilt: bestTilt(parts, { epsilon }), longest })
    : { lower: 0, upper: 0 };
  const rounding = 8 * UNIT_ROUNDOFF;
  return {
    lower: (infinite + finite.lower) * (1 - rounding),
    upper: Math.min(1, (infinite + finite.upper) * (1 + rounding)),
  };
}

/** Whether a finite sum of losses is above ε. */
function reachesAbove(parts: readonly GridPart[], epsilon: number): boolean {
  const highest = parts.reduce(
    (sum, { grid, count }) => sum + count * (grid.first + grid.masses.length - 1),
    0,
  );
  // A grid with no mass left (a loss so large that its opposite underflows) has nothing to compose.
  return parts.length > 0 && parts.every(({ grid }) => grid.masses.some((mass) => mass > 0)) &&
    excessOver(epsilon, { index: highest, spacing: parts[0]!.grid.spacing }) > 0;
}

/** index·spacing − ε within two roundings, also where the two are neighbours or the same double. */
function excessOver(
  epsilon: number,
  { index, spacing }: { index: number; spacing: number },
): number {
  return index * spacing - epsilon + productError(index, spacing);
}

function finiteDelta(
  parts: readonly GridPart[],
  { epsilon, tilt, longest }: { epsilon: number; tilt: number; longest: number | undefined },
): Bounds {
  const spacing = parts[0]!.grid.spacing;
  const tilted = parts.map((part) => tiltedGrid(part, { tilt }));
  const window = chooseWindow(tilted, longest === undefined ? {} : { longest });
  const { real, error } = tiltedConvolution(tilted, window);
  let logScale = -tilt * epsilon, origin = 0, roundings = 0;
  for (const { part: { grid, count }, logSum } of tilted) {
    const reach = Math.max(-grid.first, grid.first + grid.masses.length) * spacing;
    logScale += count * logSum;
    origin += count * grid.first;
    roundings += count * (8 + 2 * tilt * reach + 2 * Math.abs(logSum)) + Math.abs(logScale);
  }
  const { start, below, above } = window;
  const { sum, slack } = sumAbove(
    { real, error, start, origin, spacing },
    { epsilon, tilt, logScale },
  );
  const factor = Math.expm1(2 * UNIT_ROUNDOFF * roundings);
  // The largest e^(−tilt·y)(1 − e^−y): what a sum outside the window may count.
  const greatest = tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);
  const outside = Math.exp(Math.log(below + above) + greatest + logScale);
  return {
    lower: Math.max(0, sum - slack - outside) / (1 + factor),
    // A δ that underflows is not 0.
    upper: (sum + slack + outside) * (1 + factor) + Number.MIN_VALUE,
  };
}

/** Probabilities of sums from `start` on, cyclically from `origin`, each off by at most `error`. */
export interface WindowLaw {
  readonly real: Float64Array;
  readonly error: number;
  readonly start: number;
  readonly origin: number;
  readonly spacing: number;
}

/** Σ_y T(ε + y)·e^(logScale − tilt·y)(1 − e^−y) over y > 0 in the window, and how far it may be off. */
export function sumAbove(
  { real, error, start, origin, spacing }: WindowLaw,
  { epsilon, tilt, logScale }: { epsilon: number; tilt: number; logScale: number },
): { sum: number; slack: number } {
  const size = real.length;
  let sum = 0, absolute = 0, weights = 0, widest = size * spacing;
  for (let index = start; index < start + size; index++) {
    const excess = excessOver(epsilon, { index, spacing });
    if (excess <= 0) continue;
    widest = Math.max(widest, excess);
    // One exponential: of two, one may be infinite where the other is 0.
    const weight = Math.exp(logScale - tilt * excess) * -Math.expm1(-excess);
    const term = weight * real[(index - origin) & (size - 1)]!;
    sum += term;
    absolute += Math.abs(term);
    weights += weight;
  }
  // Each weight is off by its exponent's rounding; the sum by at most one rounding for every term.
  const rounding = UNIT_ROUNDOFF * (16 + size + 4 * tilt * widest);
  return { sum, slack: error * weights * (1 + rounding) + absolute * rounding };
}
