import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";
import { bitLength, type Rational } from "../numeric/rational.ts";

/**
 * A coin that is true with exactly the probability of the fraction: the binary digits of a uniform real
 * are compared with those of the fraction, 32 at a time and as many as it takes.
 *
 * @throws {RangeError} unless `probability` is in [0, 1].
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { exactBernoulli } from "./exact_bernoulli.ts";
 * import { rational } from "../numeric/rational.ts";
 * const coin = exactBernoulli(rational(1, 3));
 * coin(new SecureSource());
 * ```
 */
export function exactBernoulli(
  { numerator, denominator }: Rational,
): (source: Source) => boolean {
  if (numerator < 0n || numerator > denominator) {
    throw new RangeError(
      `Cannot draw a Bernoulli variable: probability must be in [0, 1]: current value is ${numerator}/${denominator}`,
    );
  }
  const digits = Number((numerator << 32n) / denominator);
  const rest = (numerator << 32n) % denominator;
  const law = coinLaw({ numerator, denominator });
  return (source) => {
    if (source.branch !== undefined) return source.branch(law) === 0;
    const word = source.uint32();
    if (word < digits) return true;
    if (word > digits) return false;
    return rest > 0n && isBelow(source, { numerator: rest, denominator, word: source.uint32() });
  };
}

/**
 * True with probability exp(−exponent), exactly (Canonne, Kamath, Steinke 2020, Algorithm 1): only
 * fractions are compared, no exponential is computed. A uniform `word` that nothing else has used spares
 * the source one.
 *
 * @throws {RangeError} when `exponent` is negative.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { exponentialBernoulli } from "./exact_bernoulli.ts";
 * import { rational } from "../numeric/rational.ts";
 * exponentialBernoulli(new SecureSource(), { exponent: rational(1, 2) });
 * ```
 */
export function exponentialBernoulli(
  source: Source,
  { exponent, word }: { exponent: Rational; word?: number | undefined },
): boolean {
  const { numerator, denominator } = exponent;
  if (numerator < 0n) {
    throw new RangeError(
      `Cannot draw a Bernoulli variable: exponent must be at least 0: current value is ${numerator}/${denominator}`,
    );
  }
  if (source.branch !== undefined) {
    return source.branch({ kind: "exponential coin", exponent }) === 1;
  }
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  // exp(−whole) as that many successes of probability exp(−1), stopped at the first failure.
  for (let i = 0n; i < whole; i++) {
    if (!firstFailureIsOdd(source, { numerator: 1n, denominator: 1n })) return false;
  }
  return firstFailureIsOdd(source, { numerator: rest, denominator, word });
}

/** 0 or 1, each with probability 1/2: the first bit of a word. */
export function fairBit(source: Source): number {
  return source.branch === undefined
    ? source.uint32() >>> 31
    : source.branch({ kind: "uniform", below: 2n });
}

/** The choice between true, index 0, and false, index 1. */
function coinLaw({ numerator, denominator }: Rational): DiscreteLaw {
  const exponent = { numerator: 0n, denominator: 1n };
  return {
    kind: "choice",
    weights: [
      { exponent, multiplicity: numerator },
      { exponent, multiplicity: denominator - numerator },
    ],
  };
}

/** An integer in [0, below), all with the same probability, of any size. */
export function randomBigInteger(source: Source, { below }: { below: bigint }): bigint {
  if (source.branch !== undefined) return BigInt(source.branch({ kind: "uniform", below }));
  const bits = bitLength(below - 1n), high = bits > MOST_SHIFTED ? bits >>> 5 : 0;
  for (;;) {
    let value = high === 0 ? 0n : integerOf(source, high);
    for (let left = bits - 32 * high; left > 0; left -= 32) {
      value = (value << BigInt(Math.min(32, left))) |
        BigInt(source.uint32() >>> Math.max(0, 32 - left));
    }
    if (value < below) return value;
  }
}

/** Bits of an integer to which words are appended one by one: the time for that grows with the square of their number. */
const MOST_SHIFTED = 2048;

/** The integer that so many words of a source make, the first one highest. */
function integerOf(source: Source, words: number): bigint {
  let digits = "0x";
  for (let k = 0; k < words; k++) digits += source.uint32().toString(16).padStart(8, "0");
  return BigInt(digits);
}

/**
 * Succeeds with probabilities γ, γ/2, γ/3, … until one fails, for γ in [0, 1]. The k-th is the first
 * failure with probability γ^(k−1)/(k−1)! − γ^k/k!, so it is odd with probability exp(−γ).
 *
 * @param attempt.word the first word of the attempt that is made next. Default: one of the source.
 * @param attempt.from the number of that attempt: those before it have succeeded. Default: 1.
 */
export function firstFailureIsOdd(
  source: Source,
  { numerator, denominator, word, from = 1 }: {
    numerator: bigint;
    denominator: bigint;
    word?: number | undefined;
    from?: number;
  },
): boolean {
  let trial = BigInt(from);
  let next = word;
  while (
    isBelow(source, { numerator, denominator: denominator * trial, word: next ?? source.uint32() })
  ) {
    trial++;
    next = undefined;
  }
  return trial % 2n === 1n;
}

/** Returns true if the uniform real whose leading digits are `word` is below the fraction. */
function isBelow(
  source: Source,
  { numerator, denominator, word }: { numerator: bigint; denominator: bigint; word: number },
): boolean {
  let rest = numerator;
  for (let digits = word;; digits = source.uint32()) {
    const scaled = (rest << 32n) - BigInt(digits) * denominator;
    // scaled/denominator is 2³² times the fraction minus the digits: beyond [0, 1] it is decided.
    if (scaled <= 0n) return false;
    if (scaled >= denominator) return true;
    rest = scaled;
  }
}
