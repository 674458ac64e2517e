import type { DiscreteLaw, WeightedIndex } from "../../../core/mechanism/discrete_law.ts";
import { type Enclosure, expEnclosure } from "../../../core/numeric/exp_enclosure.ts";
import type { Rational } from "../../../core/numeric/rational.ts";
import { addTerm, type ExponentialSum, term } from "./exponential_sum.ts";
import type { FactorProducts } from "./factor_products.ts";

/** One value of a law and its probability: coefficient·exp(−exponent/scale)·product, at least lower·2^−bits. */
export interface Outcome {
  readonly value: number;
  /** Rounded down, in units of 2^−bits. */
  readonly lower: bigint;
  readonly exponent: bigint;
  readonly coefficient: bigint;
  /** A number of {@linkcode FactorProducts}. */
  readonly product: number;
}

/** The values of a law. Those of one with infinitely many come with falling probabilities, and without closed forms. */
export interface Outcomes {
  readonly infinite: boolean;
  /** Returns the outcome of an index from 0 on; `undefined` beyond the last. */
  at(index: number): Outcome | undefined;
}

/** Units in which outcomes are told. */
export interface OutcomeUnits {
  /** Common denominator of all exponents. */
  readonly scale: bigint;
  /** Binary places of lower bounds. */
  readonly bits: number;
  readonly products: FactorProducts;
}

/** An exponent has a denominator that does not divide the scale. The enumeration starts again with another. */
export class OtherScale extends Error {
  /** A denominator that the next scale must be a multiple of. */
  constructor(readonly denominator: bigint) {
    super("exponents need another scale");
  }
}

/** The most values of a uniform law: more could not be tried one by one. */
const MOST_VALUES = 1n << 24n;

/** Returns the outcomes of a law. @throws {RangeError} for a law with nothing to draw, or too much. */
export function outcomesOf(law: DiscreteLaw, units: OutcomeUnits): Outcomes {
  switch (law.kind) {
    case "choice":
      return choice(law.weights, units);
    case "uniform":
      return uniform(law.below, units);
    case "exponential coin":
      return coin(law.exponent, units);
    case "geometric":
      return falling(geometricWeights(law.rate, units), (i) => i);
    case "discrete laplace":
      return falling(laplaceWeights(law.rate, units), integerAt);
    case "discrete gaussian":
      return falling(gaussianWeights(law.variance, units), integerAt);
  }
}

/** Returns the integer at an index of 0, 1, −1, 2, −2, … */
function integerAt(index: number): number {
  return index % 2 === 1 ? (index + 1) / 2 : -index / 2 + 0;
}

function choice(weights: readonly WeightedIndex[], units: OutcomeUnits): Outcomes {
  const { scale, bits, products } = units;
  const possible = weights.map(({ exponent, multiplicity = 1n }, value) => ({
    value,
    exponent: scaled(exponent, scale),
    coefficient: multiplicity,
  })).filter(({ coefficient }) => coefficient > 0n);
  const least = possible.reduce(
    (a, { exponent }) => exponent < a ? exponent : a,
    possible[0]!.exponent,
  );
  const common = possible.reduce((a, { coefficient }) => gcd(a, coefficient), 0n);
  const total = new Map<bigint, bigint>();
  for (const { exponent, coefficient } of possible) {
    addTerm(total, exponent - least, coefficient / common);
  }
  const product = reciprocal(total, products);
  const most = upperBoundOf(total, units);
  return finite(possible.map(({ value, exponent, coefficient }) => {
    const weight = expEnclosure({ numerator: exponent - least, denominator: scale }, bits);
    return {
      value,
      lower: (coefficient / common * weight.lower << BigInt(bits)) / most,
      exponent: exponent - least,
      coefficient: coefficient / common,
      product,
    };
  }));
}

/** Returns 1/total, where total is more than 1. */
function reciprocal(total: ExponentialSum, products: FactorProducts): number {
  return total.size === 1 && total.get(0n) === 1n ? 0 : products.of(total, -1);
}

function uniform(below: bigint, { bits, products }: OutcomeUnits): Outcomes {
  if (below > MOST_VALUES) {
    throw new RangeError(
      `Cannot enumerate a draw: its values must be at most ${MOST_VALUES}: current number is ${below}`,
    );
  }
  const product = reciprocal(term(0n, below), products);
  const lower = (1n << BigInt(bits)) / below;
  const count = Number(below);
  return {
    infinite: false,
    at: (value) =>
      value < count ? { value, lower, exponent: 0n, coefficient: 1n, product } : undefined,
  };
}

function coin(exponent: Rational, { scale, bits, products }: OutcomeUnits): Outcomes {
  const x = scaled(exponent, scale);
  const chance = expEnclosure(exponent, bits);
  const one: Outcome = {
    value: 1,
    lower: x === 0n ? 1n << BigInt(bits) : chance.lower,
    exponent: x,
    coefficient: 1n,
    product: 0,
  };
  if (x === 0n) return finite([one]);
  const other = products.of(new Map([[0n, 1n], [x, -1n]]), 1);
  const lower = (1n << BigInt(bits)) - chance.upper;
  return finite([one, { value: 0, lower, exponent: 0n, coefficient: 1n, product: other }]);
}

function finite(outcomes: readonly Outcome[]): Outcomes {
  return { infinite: false, at: (index) => outcomes[index] };
}

/** Lower bounds of the probabilities of magnitudes 0, 1, 2, …, and how many integers have each. */
interface FallingWeights {
  readonly at: (magnitude: number) => bigint;
}

function falling(
  { at }: FallingWeights,
  valueAt: (index: number) => number,
): Outcomes {
  const known: Outcome[] = [];
  return {
    infinite: true,
    at(index: number): Outcome {
      while (known.length <= index) {
        const value = valueAt(known.length);
        const lower = at(Math.abs(value));
        known.push({ value, lower, exponent: 0n, coefficient: 0n, product: 0 });
      }
      return known[index]!;
    },
  };
}

/** Returns (1 − q)·q^x with q = exp(−rate). */
function geometricWeights(rate: Rational, { bits }: OutcomeUnits): FallingWeights {
  const one = 1n << BigInt(bits);
  const { upper } = expEnclosure(rate, bits);
  return powers(rate, bits, one - upper);
}

/** Returns (1 − q)/(1 + q)·q^|x|. */
function laplaceWeights(rate: Rational, { bits }: OutcomeUnits): FallingWeights {
  const one = 1n << BigInt(bits);
  const { upper } = expEnclosure(rate, bits);
  return powers(rate, bits, (one - upper << BigInt(bits)) / (one + upper));
}

function powers({ numerator, denominator }: Rational, bits: number, first: bigint): FallingWeights {
  return {
    at(magnitude: number): bigint {
      const exponent = { numerator: numerator * BigInt(magnitude), denominator };
      return first * expEnclosure(exponent, bits).lower >> BigInt(bits);
    },
  };
}

/** Returns exp(−x²/(2·variance)) over an upper bound of their sum. */
function gaussianWeights(
  { numerator, denominator }: Rational,
  { bits }: OutcomeUnits,
): FallingWeights {
  const weight = (magnitude: bigint): Enclosure =>
    expEnclosure(
      { numerator: magnitude * magnitude * denominator, denominator: 2n * numerator },
      bits,
    );
  const one = 1n << BigInt(bits);
  let total = one;
  for (let magnitude = 1n;; magnitude++) {
    const { upper } = weight(magnitude);
    total += 2n * upper;
    // Ratios of neighbours fall: what is left out is less than a geometric series.
    const rise = {
      numerator: (2n * magnitude + 1n) * denominator,
      denominator: 2n * numerator,
    };
    const ratio = expEnclosure(rise, bits).upper;
    const rest = 2n * (upper * ratio / (one - ratio) + 1n);
    if (rest < one >> BigInt(bits / 2)) {
      total += rest;
      break;
    }
  }
  return { at: (magnitude) => (weight(BigInt(magnitude)).lower << BigInt(bits)) / total };
}

/** Returns the exponent in units of 1/scale. */
function scaled({ numerator, denominator }: Rational, scale: bigint): bigint {
  if (scale % denominator !== 0n) throw new OtherScale(denominator);
  return numerator * (scale / denominator);
}

/** Returns an upper bound on a sum whose coefficients are positive, in units of 2^−bits. */
function upperBoundOf(sum: ExponentialSum, { scale, bits }: OutcomeUnits): bigint {
  let upper = 0n;
  for (const [x, c] of sum) {
    upper += c * expEnclosure({ numerator: x, denominator: scale }, bits).upper;
  }
  return upper;
}

/** Returns the greatest common divisor of integers of at least 0. */
export function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
