// Words compared with the digits of a probability (lib/core/random/bernoulli.ts), sixteen at a time.
//
// Bound by memory: four bytes are read and one is written for a comparison.

/**
 * Writes 1 for every word below `digits` to `bits`, and 0 for the others.
 *
 * @returns 1 if a word equals `digits`, else 0.
 */
export function compareWords(words: usize, bits: usize, count: usize, digits: u32): i32 {
  const bound = i32x4.splat(digits), one = i8x16.splat(1);
  let equal = i32x4.splat(0), i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const at = words + (i << 2);
    const w0 = v128.load(at), w1 = v128.load(at + 16);
    const w2 = v128.load(at + 32), w3 = v128.load(at + 48);
    equal = v128.or(equal, v128.or(i32x4.eq(w0, bound), i32x4.eq(w1, bound)));
    equal = v128.or(equal, v128.or(i32x4.eq(w2, bound), i32x4.eq(w3, bound)));
    const low = i16x8.narrow_i32x4_s(i32x4.lt_u(w0, bound), i32x4.lt_u(w1, bound));
    const high = i16x8.narrow_i32x4_s(i32x4.lt_u(w2, bound), i32x4.lt_u(w3, bound));
    v128.store(bits + i, v128.and(i8x16.narrow_i16x8_s(low, high), one));
  }
  let ties = <i32> v128.any_true(equal);
  for (; i < count; i++) {
    const word = load<u32>(words + (i << 2));
    store<u8>(bits + i, word < digits ? 1 : 0);
    if (word === digits) ties = 1;
  }
  return ties;
}
