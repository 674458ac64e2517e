import { assertEquals } from "@std/assert";
import type { Source } from "../../../lib/core/mechanism/source.ts";

/**
 * Calls `act` with a source of the given words and no other: fails when one more is asked for, when one
 * is left over, or when a block of no words is asked for.
 */
export function withExactly<T>(words: readonly number[], act: (source: Source) => T): T {
  let used = 0;
  const uint32 = (): number => {
    if (used === words.length) throw new Error(`more than ${words.length} words were drawn`);
    return words[used++]!;
  };
  const source: Source = {
    kind: "seeded",
    uint32,
    uniform: () => {
      const high = uint32(), low = uint32();
      return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
    },
    fillUint32: (out) => {
      if (out.length === 0) throw new Error("a block of no words was asked for");
      for (let i = 0; i < out.length; i++) out[i] = uint32();
    },
    split: () => source,
  };
  const result = act(source);
  assertEquals(used, words.length, "words were left over");
  return result;
}

/** exp(−numerator/denominator)·2^bits, wrong by less than 2^(bits/2) for exponents of up to 1,000. */
export function exponential(numerator: bigint, denominator: bigint, bits: number): bigint {
  const shift = BigInt(bits), halvings = 10n;
  let term = 1n << shift, sum = term;
  for (let k = 1n; term !== 0n; k++) {
    term = -(term * numerator) / ((denominator << halvings) * k);
    sum += term;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) >> shift;
  return sum;
}
