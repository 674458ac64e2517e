import { fourierPlan } from "../numeric/fft.ts";
import type { LossGrid } from "./loss_grid.ts";

/** Grids of one spacing, each composed with itself `count` times. */
export interface GridPart {
  /** The loss of one run. */
  readonly grid: LossGrid;
  /** How many runs. */
  readonly count: number;
}

/** What is certain about a number that was computed in floating point. */
export interface Bounds {
  /** At most the true number. */
  readonly lower: number;
  /** At least the true number. */
  readonly upper: number;
}

const UNIT_ROUNDOFF = 2 ** -53;
/** Covers what is lost to underflow in a product of moduli at most 1 (squares vanish below 1e-154). */
const UNDERFLOW = 1e-150;
const LOG_UNDERFLOW = Math.log(UNDERFLOW);
/** Aliased probability that is not worth a longer transform. */
const NEGLIGIBLE = 1e-20;
const MIN_LOG_SIZE = 4, MAX_LOG_SIZE = 23;

/** A grid whose masses were multiplied by e^(tilt·loss) and divided by their sum. */
interface Tilted {
  readonly part: GridPart;
  readonly weights: Float64Array;
  readonly logSum: number;
  readonly mean: number;
  readonly variance: number;
}

/** ln Σ masses e^(tilt·loss), with the maximum taken out; the losses in units of the spacing. */
function tiltedGrid(part: GridPart, tilt: number): Tilted {
  const { masses, first, spacing } = part.grid;
  const size = masses.length;
  const weights = new Float64Array(size);
  let greatest = -Infinity;
  for (let i = 0; i < size; i++) {
    if (masses[i]! > 0) {
      greatest = Math.max(greatest, Math.log(masses[i]!) + tilt * (first + i) * spacing);
    }
  }
  let sum = 0, carry = 0;
  for (let i = 0; i < size; i++) {
    if (masses[i]! === 0) continue;
    // Neumaier's sum would be dearer: all terms are positive, so Kahan's is as good.
    const weight = masses[i]! * Math.exp(tilt * (first + i) * spacing - greatest);
    weights[i] = weight;
    const term = weight - carry, next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  let mean = 0, square = 0;
  for (let i = 0; i < size; i++) {
    weights[i]! /= sum;
    mean += weights[i]! * i;
  }
  for (let i = 0; i < size; i++) square += weights[i]! * (i - mean) ** 2;
  return { part, weights, logSum: greatest + Math.log(sum), mean: first + mean, variance: square };
}

/** Σ count·ln E[e^(tilt·loss)] − tilt·ε + ln max_y e^(−tilt·y)(1 − e^−y): a bound on ln δ(ε). */
function logBound(parts: readonly GridPart[], { tilt, epsilon }: Query): number {
  let log = -tilt * epsilon + tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);
  for (const part of parts) log += part.count * logMoment(part.grid, tilt);
  return log;
}

/** Powers of e^step are multiplied up for this long before one is computed afresh. */
const RUN = 64;

/** ln Σ masses·e^(tilt·loss), to about 1e-13: the searches below call it often. */
function logMoment({ masses, first, spacing }: LossGrid, tilt: number): number {
  const step = tilt * spacing, size = masses.length, factor = Math.exp(step);
  const shift = Math.max(step * first, step * (first + size - 1));
  let sum = 0;
  for (let start = 0; start < size; start += RUN) {
    const end = Math.min(size, start + RUN);
    let power = Math.exp(step * (first + start) - shift);
    // Far below the largest the powers underflow; far above they cannot be.
    for (let i = start; i < end; i++) {
      sum += masses[i]! * power;
      power *= factor;
    }
  }
  return sum > 0 ? shift + Math.log(sum) : -Infinity;
}

interface Query {
  readonly epsilon: number;
  readonly tilt: number;
}

/** Where a convex function of a positive number is least, to about 1%. */
function minimiser(at: (argument: number) => number, [from, to]: [number, number]): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(from), high = Math.log(to);
  let left = high - ratio * (high - low), right = low + ratio * (high - low);
  let leftValue = at(Math.exp(left)), rightValue = at(Math.exp(right));
  while (high - low > 0.02) {
    // An overflow on both sides (a NaN compares false) is an argument far too large.
    if (!(leftValue > rightValue)) {
      [high, right, rightValue] = [right, left, leftValue];
      left = high - ratio * (high - low);
      leftValue = at(Math.exp(left));
    } else {
      [low, left, leftValue] = [left, right, rightValue];
      right = low + ratio * (high - low);
      rightValue = at(Math.exp(right));
    }
  }
  return Math.exp(0.5 * (low + high));
}

/** The tilt that makes losses near ε typical. */
function bestTilt(parts: readonly GridPart[], epsilon: number): number {
  return minimiser((tilt) => logBound(parts, { tilt, epsilon }), [1e-4, 1e4]);
}

/**
 * Chernoff's bound on the probability, under the tilted laws, that the sum of losses (in grid points) is
 * at least `edge`, with side 1, or at most `edge`, with side −1.
 */
function farProbability(
  tilted: readonly Tilted[],
  { edge, side }: { edge: number; side: 1 | -1 },
): number {
  const log = (scale: number): number =>
    tilted.reduce(
      (sum, { part: { grid, count }, weights }) =>
        sum + count * logMoment({ ...grid, spacing: 1, masses: weights }, side * scale),
      -side * scale * edge,
    );
  const best = log(minimiser(log, [1e-9, 10]));
  // The margin is for the roundings of a bound that is tiny wherever it matters.
  return Math.exp(Math.min(0, Number.isNaN(best) ? 0 : best + 1e-6));
}

/** The window of sums that is transformed: a power of two of points, and what may fall outside it. */
interface Window {
  readonly size: number;
  readonly start: number;
  readonly below: number;
  readonly above: number;
}

function chooseWindow(tilted: readonly Tilted[]): Window {
  let mean = 0, variance = 0, span = 1, first = 0;
  for (const { part: { grid, count }, mean: m, variance: v } of tilted) {
    mean += count * m;
    variance += count * v;
    span += count * (grid.masses.length - 1);
    first += count * grid.first;
  }
  const deviation = Math.sqrt(variance);
  for (let log = MIN_LOG_SIZE; log <= MAX_LOG_SIZE; log++) {
    const size = 2 ** log;
    if (size >= span) return { size, start: first, below: 0, above: 0 };
    if (size < 16 * deviation) continue;
    const start = Math.round(mean) - size / 2;
    const above = farProbability(tilted, { edge: start + size, side: 1 });
    const below = farProbability(tilted, { edge: start - 1, side: -1 });
    if (above + below <= NEGLIGIBLE || log === MAX_LOG_SIZE) return { size, start, below, above };
  }
  throw new RangeError("Cannot compose privacy losses: the grid must have at least one point");
}

/** The tilted sum's probabilities over the window, cyclically, and a bound on the error of each. */
function convolve(
  tilted: readonly Tilted[],
  { size }: Window,
): { real: Float64Array; error: number } {
  const plan = fourierPlan(size);
  const real = new Float64Array(size).fill(1), imaginary = new Float64Array(size);
  const logGrowth = new Float64Array(size), logCeiling = new Float64Array(size);
  let multiplications = 0;
  for (const { part: { count }, weights } of tilted) {
    const re = new Float64Array(size), im = new Float64Array(size);
    for (let i = 0; i < weights.length; i++) re[i & (size - 1)]! += weights[i]!;
    plan.forward(re, im);
    // The weights sum to 1, but for roundings that (1 + 1e-9) covers with ease.
    const off = plan.relativeError * (1 + 1e-9);
    for (let i = 0; i < size; i++) {
      let a = re[i]!, b = im[i]!, x = real[i]!, y = imaginary[i]!;
      if (logCeiling[i]! < LOG_UNDERFLOW) continue;
      const modulus = Math.sqrt(a * a + b * b) + Number.MIN_VALUE;
      logGrowth[i]! += count * Math.log1p(off / modulus);
      logCeiling[i]! += count * Math.log(modulus + off);
      if (logCeiling[i]! < LOG_UNDERFLOW) {
        real[i] = imaginary[i] = 0;
        continue;
      }
      for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
        if (rest % 2 === 1) {
          const product = x * a - y * b;
          y = x * b + y * a;
          x = product;
        }
        const square = a * a - b * b;
        b = 2 * a * b;
        a = square;
      }
      real[i] = x;
      imaginary[i] = y;
    }
    multiplications += 2 * count;
  }
  // |Π F^count − Π F̂^count| ≤ Π(|F̂| + off)^count − Π|F̂|^count, and a power of z by repeated squaring
  // is off by √5·u for every factor z in it.
  let error = 0, total = 0;
  for (let i = 0; i < size; i++) {
    const modulus = Math.sqrt(real[i]! ** 2 + imaginary[i]! ** 2) + UNDERFLOW;
    const growth = logGrowth[i]!;
    total += modulus;
    error += growth < 1 ? modulus * Math.expm1(growth) : Math.exp(logCeiling[i]!);
    error += modulus * 3 * UNIT_ROUNDOFF * multiplications + UNDERFLOW;
  }
  plan.inverse(real, imaginary);
  return { real, error: (error + plan.relativeError * (total + error)) / size };
}

/**
 * Two-sided bounds on δ(ε) = Σ P(loss)·(1 − e^(ε − loss))⁺ of the sum of the parts' losses, for the grids
 * as they are: they enclose the floating-point error of the transform and what it aliases.
 *
 * The masses are tilted by e^(tilt·loss) first, so that sums near ε are where the tilted probability
 * is; the transform's error is then small compared with δ itself, however small δ is. With T the tilted
 * law and M the sums divided out, δ = Π M^count · e^(−tilt·ε) · Σ_y T(ε + y)·e^(−tilt·y)(1 − e^−y).
 */
export function composedDelta(
  parts: readonly GridPart[],
  { epsilon }: { epsilon: number },
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
    : finiteDelta(parts, { epsilon, tilt: bestTilt(parts, epsilon) });
  const rounding = 8 * UNIT_ROUNDOFF;
  return {
    lower: Math.max(0, (infinite + finite.lower) * (1 - rounding)),
    upper: Math.min(1, (infinite + finite.upper) * (1 + rounding)),
  };
}

function finiteDelta(parts: readonly GridPart[], { epsilon, tilt }: Query): Bounds {
  const spacing = parts[0]!.grid.spacing;
  const tilted = parts.map((part) => tiltedGrid(part, tilt));
  const window = chooseWindow(tilted);
  const { real, error } = convolve(tilted, window);
  let logScale = -tilt * epsilon, origin = 0, roundings = 0;
  for (const { part: { grid, count }, logSum } of tilted) {
    const reach = Math.max(Math.abs(grid.first), Math.abs(grid.first + grid.masses.length)) *
      spacing;
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
