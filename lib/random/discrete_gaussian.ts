import type { Source } from "../core/source.ts";
import { type Enclosure, expEnclosure, multiplyEnclosures } from "../numeric/exp_enclosure.ts";
import { bitLength, multiply, type Rational, rational, toNumber } from "../numeric/rational.ts";
import { logNormalTail } from "../numeric/normal_tail.ts";
import {
  type BlockLaw,
  type BlockTable,
  blockTable,
  type CumulativeTable,
  fillByBlockInversion,
} from "./block_inversion.ts";
import { drawDiscreteLaplace } from "./discrete_laplace.ts";
import { exponentialBernoulli } from "./exact_bernoulli.ts";
import type { IntegerNoise } from "./integer_noise.ts";

/** Blocks have 31 bits at most, and a standard deviation between 2⁶ and 2⁷ blocks. */
const MOST_DEVIATION_BITS = 37;

/**
 * The discrete Gaussian law P(x) ∝ exp(−x²/(2·variance)) on the integers (Canonne, Kamath, Steinke
 * 2020, Definition 1), drawn exactly: integers and fractions decide every draw,
 * {@linkcode fillByBlockInversion} says why. Its variance is at most `variance`. The table is made at
 * the first draw (some milliseconds) and kept.
 *
 * @throws {RangeError} unless `variance` is positive and at most 2⁷⁴.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { discreteGaussian } from "./discrete_gaussian.ts";
 * import { rational } from "../numeric/rational.ts";
 * const noise = discreteGaussian({ variance: rational(100) });
 * noise.fill(new SecureSource(), new Float64Array(1000));
 * ```
 */
export function discreteGaussian({ variance }: { variance: Rational }): IntegerNoise {
  requireVariance(variance);
  let table: BlockTable | undefined;
  const deviation = Math.sqrt(toNumber(variance));
  const logMass = logTotal(deviation);
  const exponent = (value: number): number => 0.5 * (value / deviation) ** 2;
  return {
    fill: (source, out) => fillByBlockInversion(source, out, table ??= blockTable(lawOf(variance))),
    logProbability: (value) => Number.isInteger(value) ? -exponent(value) - logMass : -Infinity,
    logUpperTail: (value) =>
      value > 0
        ? logSumFrom(value, deviation) - logMass
        : Math.log1p(-Math.exp(logSumFrom(1 - value, deviation) - logMass)),
  };
}

/**
 * One draw by Algorithm 3 of Canonne, Kamath, Steinke 2020, as written there: no table, any variance,
 * some tens of microseconds. The batch form of {@linkcode discreteGaussian} is tested against it.
 *
 * @throws {RangeError} unless `variance` is positive.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { drawDiscreteGaussian } from "./discrete_gaussian.ts";
 * import { rational } from "../numeric/rational.ts";
 * drawDiscreteGaussian(new SecureSource(), { variance: rational(9, 2) });
 * ```
 */
export function drawDiscreteGaussian(source: Source, { variance }: { variance: Rational }): bigint {
  const { numerator, denominator } = variance;
  if (numerator <= 0n) {
    throw new RangeError("Cannot draw discrete Gaussian noise: variance must be positive");
  }
  const t = squareRoot(numerator / denominator) + 1n;
  for (;;) {
    const y = drawDiscreteLaplace(source, { scale: rational(t) });
    // Accept with probability exp(−(|y| − σ²/t)²/(2σ²)), over the common denominator 2·t²·d·n.
    const distance = (y < 0n ? -y : y) * t * denominator - numerator;
    const exponent = {
      numerator: distance * distance,
      denominator: 2n * t * t * denominator * numerator,
    };
    if (exponentialBernoulli(source, { exponent })) return y;
  }
}

/** ⌊√value⌋ by Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((bitLength(value) + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function requireVariance(variance: Rational): void {
  const most = variance.denominator << BigInt(2 * MOST_DEVIATION_BITS);
  if (variance.numerator <= 0n || variance.numerator > most) {
    throw new RangeError(
      `Cannot make discrete Gaussian noise: variance must be positive and at most 2^${
        2 * MOST_DEVIATION_BITS
      }: current value is ${toNumber(variance)}`,
    );
  }
}

/** R(x) = x²/(2·variance); blocks of about a hundredth of the standard deviation. */
function lawOf(variance: Rational): BlockLaw {
  const { numerator, denominator } = variance;
  const blockBits = Math.max(0, bitLength(squareRoot(numerator / denominator)) - 7);
  const rise = multiply(rational(1n << BigInt(2 * blockBits)), {
    numerator: denominator,
    denominator: 2n * numerator,
  });
  return {
    denominator: 2n * numerator,
    blockBits,
    numeratorAt: (magnitude) => magnitude * magnitude * denominator,
    cumulative: ({ precision }) => cumulative(rise, precision),
  };
}

/** Block j weighs exp(−rise·j²); each ratio of neighbours is the one before times exp(−2·rise). */
function cumulative(rise: Rational, precision: number): CumulativeTable {
  const one = 1n << BigInt(precision);
  // Blocks lighter than 2^(40 − precision) go into the bound on what is left out. That is beyond
  // 2^−tailBits for every precision that is asked for, which is 128 or twice the digits drawn.
  const least = 1n << 40n;
  const factor = expEnclosure(multiply(rise, rational(2)), precision);
  let ratio = expEnclosure(rise, precision);
  let weight: Enclosure = { lower: one, upper: one };
  const sums: Enclosure[] = [];
  let sum: Enclosure = { lower: 0n, upper: 0n };
  while (weight.upper >= least) {
    sum = { lower: sum.lower + weight.lower, upper: sum.upper + weight.upper };
    sums.push(sum);
    weight = multiplyEnclosures(weight, ratio, precision);
    ratio = multiplyEnclosures(ratio, factor, precision);
  }
  // Ratios decrease, so what is left out is less than a geometric series.
  const rest = (weight.upper * one) / (one - ratio.upper) + 1n;
  const total = { lower: sum.lower, upper: sum.upper + rest };
  let slack = 0n;
  const lower = sums.map((part) => {
    const from = (part.lower * one) / total.upper;
    const to = (part.upper * one) / total.lower + 1n;
    if (to - from > slack) slack = to - from;
    return from;
  });
  return { precision, lower, slack };
}

/** log Σ exp(−x²/(2σ²)) over all integers: Poisson summation for wide laws, term by term for narrow. */
function logTotal(deviation: number): number {
  if (deviation > 2) {
    // The next terms of √(2π)·σ·(1 + 2·exp(−2π²σ²) + …) are below 1e-34.
    return Math.log(deviation) + 0.5 * Math.log(2 * Math.PI);
  }
  let sum = 1;
  for (let x = 1; x <= 40 * deviation + 1; x++) sum += 2 * Math.exp(-0.5 * (x / deviation) ** 2);
  return Math.log(sum);
}

/** log Σ_{x ≥ from} exp(−x²/(2σ²)) for from ≥ 1. */
function logSumFrom(from: number, deviation: number): number {
  const first = -0.5 * (from / deviation) ** 2;
  if (deviation <= 1000) {
    let sum = 0;
    for (let x = from;; x++) {
      const term = Math.exp(-0.5 * (x / deviation) ** 2 - first);
      sum += term;
      if (term < 1e-18 * sum) return first + Math.log(sum);
    }
  }
  // The midpoint rule Σ f(x) = ∫ f + f′/24 from c = from − ½ on, up to terms of relative size
  // (c/σ²)³: below 1e-11 for every tail that does not underflow.
  const c = from - 0.5;
  const integral = Math.log(deviation) + 0.5 * Math.log(2 * Math.PI) + logNormalTail(c / deviation);
  const logDensity = -0.5 * (c / deviation) ** 2;
  return integral + Math.log1p(-c / (24 * deviation ** 2) * Math.exp(logDensity - integral));
}
