import { fourierPlan } from "../numeric/fft.ts";
import { farProbability, type TiltedGrid } from "./tilted_grid.ts";

const UNIT_ROUNDOFF = 2 ** -53;
/** Covers what is lost to underflow in a product of moduli at most 1 (squares vanish below 1e-154). */
const UNDERFLOW = 1e-150;
const LOG_UNDERFLOW = Math.log(UNDERFLOW);
/** Aliased probability that is not worth a longer transform. */
const NEGLIGIBLE = 1e-20;
/** Points of a transform at least, and at most: what takes some seconds. */
const SHORTEST = 2 ** 4, LONGEST = 2 ** 23;

/** The window of sums that is transformed: a power of two of points, and what may fall outside it. */
interface SumWindow {
  /** How many sums. */
  readonly size: number;
  /** The lowest sum, in grid points. */
  readonly start: number;
  /** At least the tilted probability of a lower sum. */
  readonly below: number;
  /** At least the tilted probability of a higher sum. */
  readonly above: number;
}

/**
 * The shortest window that little falls out of: all sums, or several deviations about their mean. It has no more
 * than `longest` points, a power of two, whatever falls out of it then.
 */
export function chooseWindow(
  tilted: readonly TiltedGrid[],
  { longest = LONGEST }: { longest?: number } = {},
): SumWindow {
  let mean = 0, variance = 0, span = 1, first = 0;
  for (const { part: { grid, count }, mean: m, variance: v } of tilted) {
    mean += count * m;
    variance += count * v;
    span += count * (grid.masses.length - 1);
    first += count * grid.first;
  }
  for (let size = SHORTEST;; size *= 2) {
    if (size >= span) return { size, start: first, below: 0, above: 0 };
    // Chernoff's bounds are worth their time from 8 deviations on.
    if (size < Math.min(longest, 16 * Math.sqrt(variance))) continue;
    const start = Math.round(mean) - size / 2;
    const above = farProbability(tilted, { edge: start + size, side: 1 });
    const below = farProbability(tilted, { edge: start - 1, side: -1 });
    if (above + below <= NEGLIGIBLE || size >= longest) return { size, start, below, above };
  }
}

/** The tilted sum's probabilities over the window, cyclically, and a bound on the error of each. */
export function tiltedConvolution(
  tilted: readonly TiltedGrid[],
  { size }: SumWindow,
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
      const modulus = Math.sqrt(a * a + b * b) + 1e-300;
      const growth = count * Math.log1p(off / modulus);
      logGrowth[i]! += growth;
      // Not ln(modulus + off): a large count would multiply the rounding of that sum.
      logCeiling[i]! += count * Math.log(modulus) + growth;
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
