/**
 * The message authentication code Chaskey-12 (Mouha et al. 2014, "Chaskey: An efficient MAC algorithm
 * for 32-bit microcontrollers"; Mouha 2015; ISO/IEC 29192-6): 128 bits from a 128-bit key and any
 * bytes. A pseudorandom function made of 32-bit additions, rotations and exclusive ors, so that seeds
 * and labels, however similar, lead to unrelated states.
 *
 * @param key four 32-bit words.
 * @param message the bytes to hash.
 * @returns four 32-bit words.
 *
 * @example
 * ```ts
 * import { chaskey } from "./chaskey.ts";
 * chaskey(Uint32Array.of(1, 2, 3, 4), Uint8Array.of(5)).length; // 4
 * ```
 */
export function chaskey(key: Uint32Array, message: Uint8Array): Uint32Array {
  const length = message.length;
  // The last block is whole (and not empty) or padded with a one and zeros; each case has its subkey.
  const last = Math.max(0, Math.ceil(length / 16) - 1) * 16;
  const whole = length % 16 === 0 && length !== 0;
  const padded = new Uint8Array(last + 16);
  padded.set(message);
  padded[length] = 1; // Beyond the end when the block is whole: not written.
  const words = new DataView(padded.buffer);
  const subkey = key.slice();
  double(subkey);
  if (!whole) double(subkey);

  const state = key.slice();
  for (let block = 0; block <= last; block += 16) {
    for (let i = 0; i < 4; i++) state[i]! ^= words.getUint32(block + 4 * i, true);
    if (block === last) exclusiveOr(state, subkey);
    permute(state);
  }
  exclusiveOr(state, subkey);
  return state;
}

/** Multiplies the key by x in GF(2¹²⁸) modulo x¹²⁸ + x⁷ + x² + x + 1. */
function double(key: Uint32Array): void {
  const carry = key[3]! >>> 31;
  key[3] = (key[3]! << 1) | (key[2]! >>> 31);
  key[2] = (key[2]! << 1) | (key[1]! >>> 31);
  key[1] = (key[1]! << 1) | (key[0]! >>> 31);
  key[0] = (key[0]! << 1) ^ (0x87 * carry);
}

function exclusiveOr(state: Uint32Array, other: Uint32Array): void {
  state[0]! ^= other[0]!;
  state[1]! ^= other[1]!;
  state[2]! ^= other[2]!;
  state[3]! ^= other[3]!;
}

function permute(state: Uint32Array): void {
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!;
  for (let round = 0; round < 12; round++) {
    a = sum(a, b);
    b = rotated(b, 5) ^ a;
    a = rotated(a, 16);
    c = sum(c, d);
    d = rotated(d, 8) ^ c;
    a = sum(a, d);
    d = rotated(d, 13) ^ a;
    c = sum(c, b);
    b = rotated(b, 7) ^ c;
    c = rotated(c, 16);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

function sum(a: number, b: number): number {
  return (a + b) | 0;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
