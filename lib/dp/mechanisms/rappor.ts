import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import { requireChance, requireFields, requireInteger } from "../../core/numeric/require.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../core/numeric/rational.ts";
import { exactBernoulli } from "../../core/random/exact_bernoulli.ts";
import { bitReport } from "./local_bits.ts";

/** Options of a RAPPOR report. All probabilities are taken as the exact doubles they are. */
export interface RapporOptions {
  /** Length of the Bloom filter. */
  readonly bits: number;
  /** Hash functions: at most so many bits of the filter are set. */
  readonly hashes: number;
  /** The chance f that a bit is replaced by a fair coin, in (0, 1). */
  readonly forget: number;
  /** With instantaneous noise: the chances of reporting a permanent 1, and a permanent 0, as 1. */
  readonly instantaneous?: { readonly one: number; readonly zero: number };
}

/**
 * RAPPOR (Erlingsson, Pihur, Korolova 2014): a value is hashed into a Bloom filter, every bit is
 * replaced by a fair coin with probability f, and, with `instantaneous`, reported anew with chances
 * q and p. The claim for one report of one value: h·ln of the largest ratio of chances for 2h differing
 * bits, 2h·ln((1 − f/2)/(f/2)) for the one-time form (their Theorem 1) and
 * h·ln(q*(1 − p*)/(p*(1 − q*))) for the other (Theorem 2). This release draws the permanent noise
 * afresh each time: a second report of the same value must be paid for again. A dataset is one
 * respondent.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { rappor } from "./rappor.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const report = rappor({ bits: 20, hashes: 4, forget: 0.95 });
 * release(report, ["lion"], { budget: openBudget(report.claim) });
 * ```
 */
export function rappor(
  options: RapporOptions,
): Mechanism<string | number, number[]> {
  const { bits, hashes, forget, instantaneous } = requireFields("rappor", options, {
    instantaneous: "record?",
  });
  requireKnown("call rappor()", options, ["bits", "hashes", "forget", "instantaneous"]);
  const action = "make a RAPPOR report";
  requireInteger(action, "bits", bits, { min: 1, max: 2 ** 20 });
  requireInteger(action, "hashes", hashes, { min: 1, max: bits });
  requireChance(action, "forget", forget);
  const half = multiply(rational(forget), rational(1, 2));
  let zero = half, one = subtract(rational(1), half);
  if (instantaneous !== undefined) {
    requireChance(action, "instantaneous.one", instantaneous.one);
    requireChance(action, "instantaneous.zero", instantaneous.zero);
    if (!(instantaneous.zero < instantaneous.one)) {
      throw new RangeError(
        `Cannot ${action}: instantaneous.one must be above instantaneous.zero: current values are ${instantaneous.one} and ${instantaneous.zero}`,
      );
    }
    const mixed = (chance: Rational): Rational => {
      const [q, p] = [rational(instantaneous.one), rational(instantaneous.zero)];
      return subtract(multiply(chance, q), multiply(subtract(chance, rational(1)), p));
    };
    [zero, one] = [mixed(zero), mixed(one)];
  }
  const coins = [exactBernoulli(zero), exactBernoulli(one)];
  const notZero = subtract(rational(1), zero), notOne = subtract(rational(1), one);
  // q*(1 − p*)/(p*(1 − q*)), as a fraction: doubles of q* near 1 would lose what 1 − q* is.
  const ratio = divide(multiply(one, notZero), multiply(zero, notOne));
  const perPair = Math.log1p(toNumber(subtract(ratio, rational(1))));
  const epsilon = hashes * perPair * (1 + 1e-14);
  return bitReport<string | number>({
    name: instantaneous === undefined ? "one-time RAPPOR" : "RAPPOR",
    claim: pure({ epsilon, relation: replaceOne }),
    width: bits,
    encode: (value) => bloomFilter(String(value), { bits, hashes }),
    draw: (bit, source) => Number(coins[bit]!(source)),
    chanceOfOne: [toNumber(zero), toNumber(one)],
    chanceOfZero: [toNumber(notZero), toNumber(notOne)],
  });
}

/**
 * The Bloom filter of a text: bit murmur3(text, seed i) mod bits for each hash i. Different texts may
 * share a filter.
 *
 * @example
 * ```ts
 * import { bloomFilter } from "./rappor.ts";
 * bloomFilter("lion", { bits: 20, hashes: 4 });
 * ```
 */
export function bloomFilter(
  text: string,
  options: { bits: number; hashes: number },
): Uint8Array {
  const { bits, hashes } = requireFields("bloomFilter", options, {});
  const filter = new Uint8Array(bits);
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < hashes; i++) filter[murmur3(bytes, i) % bits] = 1;
  return filter;
}

/** MurmurHash3 x86_32 (Appleby 2011). */
function murmur3(bytes: Uint8Array, seed: number): number {
  const mix = (k: number): number => {
    k = Math.imul(k, 0xcc9e2d51);
    return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  };
  let h = seed;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    h ^= mix(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  }
  const rest = bytes.subarray(whole).reduceRight((word, byte) => (word << 8) | byte, 0);
  h ^= mix(rest) ^ bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
