// Words of xoshiro128** (lib/core/random/xoshiro128.ts), four lanes at a time.
//
// Bound by arithmetic: a step is a chain of about four instructions on one state, which leaves most of a core idle. The
// generator is linear over the field of two elements, so the state after `steps` steps is a product with a matrix, which a
// table by half bytes makes 32 loads. So a chunk of 4·steps words has four lanes that begin `steps` words apart, and the words
// are those of the one stream, in its order.

const STEPS_AT_ONCE: usize = 4;

@inline
function rotatedLeft(x: v128, by: i32): v128 {
  return v128.or(i32x4.shl(x, by), i32x4.shr_u(x, 32 - by));
}

/** The state `at` after as many steps as the table is for. */
@inline
function jumped(state: v128, table: usize): v128 {
  let result = i64x2.splat(0);
  let low = i64x2.extract_lane(state, 0), high = i64x2.extract_lane(state, 1);
  for (let k: usize = 0; k < 16; k++) {
    const column = table + (k << 8);
    result = v128.xor(result, v128.load(column + ((<usize> low & 15) << 4)));
    result = v128.xor(result, v128.load(column + 4096 + ((<usize> high & 15) << 4)));
    low >>= 4;
    high >>= 4;
  }
  return result;
}

/** Writes the table of 32 half bytes by 16 values, 16 bytes each, for jumps of so many steps. */
export function writeJumpTable(table: usize, steps: i32): void {
  for (let bit: usize = 0; bit < 128; bit++) {
    let a: u32 = 0, b: u32 = 0, c: u32 = 0, d: u32 = 0;
    const one: u32 = 1 << (<u32> bit & 31);
    if (bit < 32) a = one;
    else if (bit < 64) b = one;
    else if (bit < 96) c = one;
    else d = one;
    for (let i = 0; i < steps; i++) {
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >> 21);
    }
    const value = i32x4(a, b, c, d), half = table + ((bit >> 2) << 8);
    const own: usize = <usize> 1 << (bit & 3);
    if (own === 1) v128.store(half, i64x2.splat(0));
    for (let v: usize = 0; v < own; v++) {
      v128.store(half + ((own + v) << 4), v128.xor(v128.load(half + (v << 4)), value));
    }
  }
}

/** Writes `chunks` times 4·steps words to `out`, and the state after them to `state`. `steps` is a multiple of 4. */
export function fillChunks(state: usize, out: usize, chunks: i32, steps: usize, table: usize): void {
  let next = v128.load(state);
  const stride = steps << 2;
  for (let chunk = 0; chunk < chunks; chunk++, out += stride << 2) {
    const s0 = next, s1 = jumped(s0, table), s2 = jumped(s1, table), s3 = jumped(s2, table);
    const ab01 = v128.shuffle<i32>(s0, s1, 0, 4, 1, 5), ab23 = v128.shuffle<i32>(s2, s3, 0, 4, 1, 5);
    const cd01 = v128.shuffle<i32>(s0, s1, 2, 6, 3, 7), cd23 = v128.shuffle<i32>(s2, s3, 2, 6, 3, 7);
    let a = v128.shuffle<i64>(ab01, ab23, 0, 2), b = v128.shuffle<i64>(ab01, ab23, 1, 3);
    let c = v128.shuffle<i64>(cd01, cd23, 0, 2), d = v128.shuffle<i64>(cd01, cd23, 1, 3);
    let r0 = a, r1 = a, r2 = a, r3 = a;
    for (let i: usize = 0, to = out; i < steps; i += STEPS_AT_ONCE, to += 16) {
      for (let k = 0; k < 4; k++) {
        const scrambled = rotatedLeft(i32x4.add(i32x4.shl(b, 2), b), 7);
        r0 = r1;
        r1 = r2;
        r2 = r3;
        r3 = i32x4.add(i32x4.shl(scrambled, 3), scrambled);
        const shifted = i32x4.shl(b, 9);
        c = v128.xor(c, a);
        d = v128.xor(d, b);
        b = v128.xor(b, c);
        a = v128.xor(a, d);
        c = v128.xor(c, shifted);
        d = rotatedLeft(d, 11);
      }
      const x01 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5), x23 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
      const y01 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7), y23 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<i64>(x01, x23, 0, 2));
      v128.store(to + stride, v128.shuffle<i64>(x01, x23, 1, 3));
      v128.store(to + 2 * stride, v128.shuffle<i64>(y01, y23, 0, 2));
      v128.store(to + 3 * stride, v128.shuffle<i64>(y01, y23, 1, 3));
    }
    next = i32x4(
      i32x4.extract_lane(a, 3),
      i32x4.extract_lane(b, 3),
      i32x4.extract_lane(c, 3),
      i32x4.extract_lane(d, 3),
    );
  }
  v128.store(state, next);
}
