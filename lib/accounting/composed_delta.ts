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
  const spacing = parts[0]?.grid.spacing ?? 1;
  const highest = parts.reduce(
    (sum, { grid, count }) => sum + count * (grid.first + grid.masses.length - 1),
    0,
  ) * spacing;
  // A grid with no mass left (a loss so large that its opposite underflows) has nothing to compose.
  const empty = parts.some(({ grid }) => grid.masses.every((mass) => mass === 0));
  const finite = logFinite === -Infinity || highest <= epsilon || empty
    ? { lower: 0, upper: 0 }
    : finiteDelta(parts, { epsilon, tilt: bestTilt(parts, { epsilon }), longest });
  const rounding = 8 * UNIT_ROUNDOFF;
  return {
    lower: Math.max(0, (infinite + finite.lower) * (1 - rounding)),
    upper: Math.min(1, (infinite + finite.upper) * (1 + rounding)),
  };
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
  const { size, start } = window;
  let sum = 0, absolute = 0, weights = 0;
  const from = Math.max(start, Math.floor(epsilon / spacing));
  for (let index = from; index < start + size; index++) {
    const excess = index * spacing - epsilon;
    if (excess <= 0) continue;
    const weight = Math.exp(-tilt * excess) * -Math.expm1(-excess);
    const term = weight * real[(index - origin) & (size - 1)]!;
    sum += term;
    absolute += Math.abs(term);
    weights += weight;
  }
  // Each weight is off by its exponent's rounding; the sum by at most one rounding for every term.
  const slack = error * weights * (1 + 1e-6) +
    absolute * UNIT_ROUNDOFF * (16 + size + 4 * tilt * size * spacing);
  const factor = Math.expm1(2 * UNIT_ROUNDOFF * roundings);
  const greatest = Math.exp(tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt));
  const scale = Math.exp(logScale);
  return {
    lower: Math.max(0, scale * (sum - slack - (window.above + window.below) * greatest)) *
      (1 - Math.min(1, factor)),
    upper: scale * (Math.max(0, sum) + slack + (window.above + window.below) * greatest) *
      (1 + factor),
  };
}
