import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";
import { integerSquareRoot } from "../numeric/integer_square_root.ts";
import { logNormalTail } from "../numeric/normal_tail.ts";
import { type Rational, rational, toNumber } from "../numeric/rational.ts";
import { fillByBlockInversion } from "./block_inversion.ts";
import { type BlockTable, keptBlockTable } from "./block_table.ts";
import { drawDiscreteLaplace } from "./discrete_laplace.ts";
import { exponentialBernoulli } from "./exact_bernoulli.ts";
import { fillByBranches } from "./fill_by_branches.ts";
import { gaussianBlockLaw } from "./gaussian_block_law.ts";
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
  const law: DiscreteLaw = { kind: "discrete gaussian", variance };
  const deviation = Math.sqrt(toNumber(variance));
  const logMass = logTotal(deviation);
  const exponent = (value: number): number => 0.5 * (value / deviation) ** 2;
  return {
    fill: (source, out) =>
      source.branch === undefined
        ? fillByBlockInversion(source, out, table ??= keptBlockTable(gaussianBlockLaw, variance))
        : fillByBranches(source, out, law),
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
  if (source.branch !== undefined) {
    return BigInt(source.branch({ kind: "discrete gaussian", variance }));
  }
  const t = integerSquareRoot(numerator / denominator) + 1n;
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

/** log Σ exp(−x²/(2σ²)) over all integers: Poisson summation for wide laws, term by term for narrow. */
function logTotal(deviation: number): number {
  if (deviation > 2) {
    // The next terms of √(2π)·σ·(1 + 2·exp(−2π²σ²) + …) are below 1e-34.
    return Math.log(deviation) + 0.5 * Math.log(2 * Math.PI);
  }
  return Math.log1p(2 * Math.exp(logSumFrom(1, deviation)));
}

/** log Σ_{x ≥ from} exp(−x²/(2σ²)) for from ≥ 1. */
function logSumFrom(from: number, deviation: number): number {
  const first = -0.5 * (from / deviation) ** 2;
  if (deviation <= 1000) {
    let sum = 0;
    for (let x = from;; x++) {
      const term = Math.exp(-0.5 * (x / deviation) ** 2 - first);
      sum += term;
      if (term < 1e-18) return first + Math.log(sum);
    }
  }
  // The midpoint rule Σ f(x) = ∫ f + f′/24 from c = from − ½ on, up to terms of relative size
  // (c/σ²)³: below 1e-11 for every tail that does not underflow.
  const c = from - 0.5;
  const integral = Math.log(deviation) + 0.5 * Math.log(2 * Math.PI) + logNormalTail(c / deviation);
  const logDensity = -0.5 * (c / deviation) ** 2;
  return integral + Math.log1p(-c / (24 * deviation ** 2) * Math.exp(logDensity - integral));
}
