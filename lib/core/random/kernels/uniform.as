// Uniform doubles from two words each (lib/core/random/float_uniform.ts), two at a time.
//
// Bound by memory: eight bytes of words become eight bytes of a double by five instructions.

/** Draws in a block: the second words begin so many places after the first. */
const BLOCK: usize = 2048;

/** In memory, for constants in the code would be made anew for each draw. */
const EXPONENTS = memory.data<u32>([0x41300000, 0x3fe00000]), BASE = memory.data<f64>([1048576.5]);

/**
 * Writes `count` doubles to `values`.
 *
 * @returns 1 if zeros may be among them, else 0.
 */
export function convertWords(words: usize, values: usize, count: usize): i32 {
  // The bits are put into doubles of known exponent, from which that of 0 is taken: 2^20 + high·2^-32, and 1/2 + low·2^-53.
  const highExponent = i32x4.splat(load<u32>(EXPONENTS)), lowExponent = i32x4.splat(load<u32>(EXPONENTS, 4));
  const base = f64x2.splat(load<f64>(BASE)), zero = i32x4.splat(0);
  let zeros = zero, i: usize = 0;
  for (let from = words, to = values; i + 4 <= count; i += 4, from += 16, to += 32) {
    const high = v128.load(from), low = i32x4.shr_u(v128.load(from, BLOCK << 2), 11);
    zeros = v128.or(zeros, i32x4.eq(high, zero));
    const high01 = v128.shuffle<i32>(high, highExponent, 0, 4, 1, 5);
    const high23 = v128.shuffle<i32>(high, highExponent, 2, 6, 3, 7);
    const low01 = v128.shuffle<i32>(low, lowExponent, 0, 4, 1, 5);
    const low23 = v128.shuffle<i32>(low, lowExponent, 2, 6, 3, 7);
    v128.store(to, f64x2.add(f64x2.sub(high01, base), low01));
    v128.store(to, f64x2.add(f64x2.sub(high23, base), low23), 16);
  }
  let mayBeZero = <i32> v128.any_true(zeros);
  for (; i < count; i++) {
    const high = load<u32>(words + (i << 2)), low = load<u32>(words + ((BLOCK + i) << 2)) >> 11;
    store<f64>(
      values + (i << 3),
      <f64> high * 2.3283064365386963e-10 + <f64> low * 1.1102230246251565e-16,
    );
    if (high === 0) mayBeZero = 1;
  }
  return mayBeZero;
}
