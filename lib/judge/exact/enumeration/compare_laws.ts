import { expEnclosure } from "../../../core/numeric/exp_enclosure.ts";
import { rational } from "../../../core/numeric/rational.ts";
import type { OutputLaw } from "./enumerate_outputs.ts";
import { addSums, type ExponentialSum, multiplySums, signOf, term } from "./exponential_sum.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";

/** The laws of one program on two neighbours, one way round: what `left` makes likelier is looked for. */
export interface LawsOfPair {
  readonly left: OutputLaw;
  readonly right: OutputLaw;
}

/** e^ε between two multiples of 2^−bits. */
interface Factor {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly bits: bigint;
}

/** What was found out about P(S) ≤ e^ε·Q(S) + δ for all sets S of outputs. */
export interface Comparison {
  /** Some set breaks it, for certain. */
  readonly refuted: boolean;
  /** It holds for certain; else up to what the remainders of the laws allow. */
  readonly certain: boolean;
  /** Some output attains it: P = e^ε·Q exactly. */
  readonly attained: boolean;
  /** The largest P(S) − e^ε·Q(S), rounded down and up. */
  readonly delta: { readonly lower: number; readonly upper: number };
}

/**
 * Decides P(S) ≤ e^ε·Q(S) + δ for all sets of outputs. Where both laws are complete the answer is exact: what lower bounds leave
 * open is decided by the signs of exponential sums. Else a remainder r of P may be anything, and one of Q may be where P is:
 * Σ (p − e^ε·q)⁺ over lower bounds p, q, less e^ε·r, is a lower bound on δ; and plus P's remainder an upper one.
 */
export function compareLaws(
  laws: LawsOfPair,
  { epsilon, delta, units }: {
    readonly epsilon: number;
    readonly delta: number;
    readonly units: OutcomeUnits;
  },
): Comparison {
  const { left, right } = laws;
  const factor = exponential(epsilon, units.bits);
  const complete = left.complete && right.complete;
  let least = 0n, most = 0n;
  const open: string[] = [], surely: string[] = [];
  for (const [key, { lower: p }] of left.outputs) {
    const q = right.outputs.get(key)?.lower ?? 0n;
    const wide = p << factor.bits;
    const atLeast = wide - factor.upper * q, atMost = wide - factor.lower * q;
    if (atLeast > 0n) least += atLeast;
    if (atMost > 0n) most += atMost;
    if (!complete) continue;
    // With what rounding took away, either way.
    if (atLeast - factor.upper * right.remainder > 0n) surely.push(key);
    else if (atMost + (left.remainder << factor.bits) >= 0n) open.push(key);
  }
  least -= factor.upper * right.remainder;
  most += left.remainder << factor.bits;
  const unit = BigInt(units.bits) + factor.bits;
  const allowed = rational(delta);
  const over = (value: bigint): bigint => value * allowed.denominator - (allowed.numerator << unit);
  const result = {
    attained: false,
    delta: {
      lower: Math.max(0, fraction(least, unit, false)),
      upper: Math.min(1, fraction(most, unit, true)),
    },
  };
  if (over(least) > 0n) return { ...result, refuted: true, certain: true };
  // An ε that was not claimed may be off the scale of the exponents: bounds must do.
  const onScale = units.scale % rational(epsilon).denominator === 0n;
  if (!complete || !onScale) return { ...result, refuted: false, certain: over(most) <= 0n };
  if (over(most) < 0n) return { ...result, refuted: false, certain: true };
  // Complete, and bounds leave it or equality open: by exact sums.
  const difference = differencesOf(laws, { epsilon, units });
  let total: ExponentialSum = term(0n, 0n), attained = false;
  for (const key of open) {
    const sum = difference.at(key), sign = signOf(sum, units);
    if (sign === 0) attained = true;
    if (sign > 0) {
      if (delta === 0) return { ...result, refuted: true, certain: true };
      total = addSums(total, sum);
    }
  }
  // An output that surely loses more has been refuted by bounds.
  if (delta === 0) return { ...result, refuted: false, certain: true, attained };
  for (const key of surely) total = addSums(total, difference.at(key));
  // Σ (P − e^ε·Q)⁺ − δ, over the common denominator.
  const excess = addSums(
    new Map([...total].map(([x, c]) => [x, c * allowed.denominator])),
    difference.one,
    { factor: -allowed.numerator },
  );
  return {
    ...result,
    refuted: signOf(excess, units) > 0,
    certain: true,
    attained: excess.size === 0,
  };
}

/** P(o) − e^ε·Q(o) of complete laws, times a positive number that is the same for all outputs. */
export interface Differences {
  /** Returns the difference at an output. */
  at(key: string): ExponentialSum;
  /** That number. */
  readonly one: ExponentialSum;
}

/** Returns the differences of two complete laws as exponential sums over one denominator. */
export function differencesOf(
  { left, right }: LawsOfPair,
  { epsilon, units }: { readonly epsilon: number; readonly units: OutcomeUnits },
): Differences {
  const { products, scale } = units;
  const first = overCommon(left, units), second = overCommon(right, units);
  const common = products.common([first.common, second.common, 0]);
  const lift = products.quotient(first.common, common);
  const otherLift = products.quotient(second.common, common);
  const { numerator, denominator } = rational(epsilon);
  const exponent = -numerator * (scale / denominator);
  return {
    at(key: string): ExponentialSum {
      const p = multiplySums(first.numerators(key), lift);
      const q = multiplySums(second.numerators(key), otherLift);
      return addSums(p, q, { factor: -1n, exponent });
    },
    one: products.quotient(0, common),
  };
}

/** Probabilities of a complete law over a common product. */
interface OverCommon {
  /** A number of `FactorProducts`. */
  readonly common: number;
  numerators(key: string): ExponentialSum;
}

const known = new WeakMap<OutputLaw, OverCommon>();

/** Brings the probabilities of a complete law over a common product, once. */
export function overCommon(law: OutputLaw, { products }: OutcomeUnits): OverCommon {
  let over = known.get(law);
  if (over === undefined) {
    const used = new Set<number>();
    for (const { terms } of law.outputs.values()) {
      for (const product of terms.keys()) used.add(product);
    }
    const common = products.common(used);
    const lifts = new Map(
      [...used].map((product) => [product, products.quotient(product, common)]),
    );
    const numerators = new Map<string, ExponentialSum>();
    over = {
      common,
      numerators(key: string): ExponentialSum {
        let sum = numerators.get(key);
        if (sum === undefined) {
          sum = term(0n, 0n);
          for (const [product, part] of law.outputs.get(key)?.terms ?? []) {
            sum = addSums(sum, multiplySums(part, lifts.get(product)!));
          }
          numerators.set(key, sum);
        }
        return sum;
      },
    };
    known.set(law, over);
  }
  return over;
}

/** Encloses e^epsilon. */
function exponential(epsilon: number, bits: number): Factor {
  const precision = bits + Math.ceil(3 * epsilon) + 8;
  const { lower, upper } = expEnclosure(rational(epsilon), precision);
  const square = 1n << BigInt(2 * precision);
  return { lower: square / upper, upper: square / lower + 1n, bits: BigInt(precision) };
}

/** Returns value/2^unit as a double, rounded down or up. */
export function fraction(value: bigint, unit: bigint, up: boolean): number {
  const sign = value < 0n ? -1 : 1;
  const size = value < 0n ? -value : value;
  const spare = BigInt(Math.max(0, size.toString(16).length * 4 - 64));
  const head = Number(size >> spare) * sign;
  const outward = (head >= 0) === up ? 1 + 2 ** -50 : 1 - 2 ** -50;
  const shift = Number(spare - unit), half = Math.trunc(shift / 2);
  const near = head * outward * 2 ** half * 2 ** (shift - half);
  // Where doubles thin out, one step further, and never past 0.
  if (head === 0 || Math.abs(near) > 2 ** -1000) return near;
  const outer = near + (up ? Number.MIN_VALUE : -Number.MIN_VALUE);
  return head > 0 ? Math.max(0, outer) : Math.min(0, outer);
}
