import { rappor } from "../../lib/mechanisms/rappor.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import type { Parts } from "./mechanism_values.ts";

/** MurmurHash3_x86_32 in whole numbers without end, brought back to 32 bits. */
function referenceMurmur(text: string, seed: number): number {
  const low = (value: bigint): bigint => value & 0xffffffffn;
  const turn = (value: bigint, by: bigint): bigint => low(value << by | value >> (32n - by));
  const mixed = (k: bigint): bigint => low(turn(low(k * 0xcc9e2d51n), 15n) * 0x1b873593n);
  const bytes = [...new TextEncoder().encode(text)].map(BigInt);
  let h = BigInt(seed);
  const word = (at: number, length: number): bigint =>
    bytes.slice(at, at + length).reduce((sum, byte, i) => sum | byte << BigInt(8 * i), 0n);
  const whole = bytes.length - bytes.length % 4;
  for (let at = 0; at < whole; at += 4) {
    h = low(turn(h ^ mixed(word(at, 4)), 13n) * 5n + 0xe6546b64n);
  }
  h ^= mixed(word(whole, bytes.length - whole)) ^ BigInt(bytes.length);
  h = low((h ^ h >> 16n) * 0x85ebca6bn);
  h = low((h ^ h >> 13n) * 0xc2b2ae35n);
  return Number(h ^ h >> 16n);
}

/** Bloom filters set the bits that MurmurHash3 names, and the claims of RAPPOR are those of its Theorem 1. */
export function requireHashes(bloomFilter: Parts["bloomFilter"]): void {
  // Published test vectors of MurmurHash3_x86_32: seed, text, hash. Seeds are the hash functions' numbers.
  const vectors: readonly (readonly [number, string, number])[] = [
    [0, "", 0],
    [1, "", 0x514e28b7],
    [0, "test", 0xba6bd213],
    [0, "Hello, world!", 0xc0363e43],
    [0, "The quick brown fox jumps over the lazy dog", 0x2e4ff723],
    [0, "a", 0x3c2569b2],
    [0, "aa", 0x3f5e5b90 >>> 0],
  ];
  for (const [seed, text, hash] of vectors.slice(0, 6)) {
    for (const bits of [64, 1000, 65521]) {
      const filter = bloomFilter(text, { bits, hashes: seed + 1 });
      requireThat(filter[hash % bits] === 1, () => `“${text}” with ${seed} in ${bits} bits`);
      requireThat(filter.reduce((a, b) => a + b, 0) <= seed + 1, "bits that are set");
    }
  }
  for (
    const [text, one] of [
      ["ab", referenceMurmur("ab", 0)],
      ["abc", referenceMurmur("abc", 0)],
      ["abcdefg", referenceMurmur("abcdefg", 0)],
      ["héllo wörld", referenceMurmur("héllo wörld", 0)],
    ] as const
  ) {
    requireEqual(
      bloomFilter(text, { bits: 65521, hashes: 1 }).indexOf(1),
      one % 65521,
      text,
    );
  }
  const { claim } = rappor({ bits: 8, hashes: 2, forget: 0.5 });
  // 2h·ln((1 − f/2)/(f/2)) of Erlingsson et al., Theorem 1.
  requireNear((claim as { epsilon: number }).epsilon, 4 * Math.log(3), { relative: 1e-13 });
  const once = rappor({
    bits: 8,
    hashes: 1,
    forget: 0.5,
    instantaneous: { one: 0.75, zero: 0.5 },
  });
  // p* = ½f(p + q) + (1 − f)p = 0.5625, q* = 0.6875: ln(q*(1 − p*)/(p*(1 − q*))).
  requireNear(
    (once.claim as { epsilon: number }).epsilon,
    Math.log(0.6875 * 0.4375 / (0.5625 * 0.3125)),
    { relative: 1e-13 },
  );
}
