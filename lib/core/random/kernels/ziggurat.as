// Draws inside the inner rectangles of a ziggurat (lib/core/random/ziggurat_block.ts), four at a time.
//
// Bound by loads: each draw looks up its layer at a random place of a table of 16 KiB, in the first-level cache. A place holds
// both that a draw needs, so that it takes one load. Everything else is done on vectors, in the order of the reference: the
// doubles are equal to the last bit.

/** Draws in a block: the second words begin so many places after the first. */
const BLOCK: usize = 2048;

/** The place of the layer and sign of a draw: the width of a step, and the first position that may be outside. */
@inline
function entryOf(low: usize, table: usize): v128 {
  return v128.load(table + ((low & 1023) << 4));
}

/** In memory, for constants in the code would be made anew for each draw. */
const EXPONENTS = memory.data<u32>([0x44800000, 0x43300000]);
const BASE = memory.data<f64>([9.444737469338917797888e21]);

/** Doubles high·2²¹ + rest: their bits are put into doubles of known exponent, from which that of 0 is taken. */
@inline
function positionOf(high: v128, rest: v128, base: v128): v128 {
  // 2^73 + high·2^21, less 2^73 + 2^52, and 2^52 + rest.
  return f64x2.add(f64x2.sub(high, base), rest);
}

/**
 * Writes `count` draws to `values`, and the places of those that may be outside to `pending`.
 *
 * @returns how many wait.
 */
export function drawInside(
  words: usize,
  values: usize,
  count: usize,
  table: usize,
  scale: f64,
  pending: usize,
): usize {
  let waiting: usize = 0, i: usize = 0;
  const factor = f64x2.splat(scale);
  const highExponent = i32x4.splat(load<u32>(EXPONENTS)), lowExponent = i32x4.splat(load<u32>(EXPONENTS, 4));
  const base = f64x2.splat(load<f64>(BASE));
  for (let from = words, to = values; i + 4 <= count; i += 4, from += 16, to += 32) {
    const high = v128.load(from, BLOCK << 2), rest = i32x4.shr_u(v128.load(from), 11);
    const first = load<u64>(from), second = load<u64>(from + 8);
    const e0 = entryOf(<usize> first, table), e1 = entryOf(<usize> (first >> 32), table);
    const e2 = entryOf(<usize> second, table), e3 = entryOf(<usize> (second >> 32), table);
    const at01 = positionOf(
      v128.shuffle<i32>(high, highExponent, 0, 4, 1, 5),
      v128.shuffle<i32>(rest, lowExponent, 0, 4, 1, 5),
      base,
    );
    const at23 = positionOf(
      v128.shuffle<i32>(high, highExponent, 2, 6, 3, 7),
      v128.shuffle<i32>(rest, lowExponent, 2, 6, 3, 7),
      base,
    );
    v128.store(to, f64x2.mul(factor, f64x2.mul(at01, v128.shuffle<i64>(e0, e1, 0, 2))));
    v128.store(to, f64x2.mul(factor, f64x2.mul(at23, v128.shuffle<i64>(e2, e3, 0, 2))), 16);
    const outside01 = f64x2.ge(at01, v128.shuffle<i64>(e0, e1, 1, 3));
    const outside23 = f64x2.ge(at23, v128.shuffle<i64>(e2, e3, 1, 3));
    if (v128.any_true(v128.or(outside01, outside23))) {
      let bits = i64x2.bitmask(outside01) | (i64x2.bitmask(outside23) << 2);
      for (; bits !== 0; bits &= bits - 1) {
        store<u32>(pending + (waiting << 2), <u32> i + ctz(bits));
        waiting++;
      }
    }
  }
  for (; i < count; i++) {
    const low = load<u32>(words + (i << 2)), high = load<u32>(words + ((BLOCK + i) << 2));
    const position = <f64> high * 2097152 + <f64> (low >> 11);
    const entry = entryOf(<usize> low, table);
    store<f64>(values + (i << 3), scale * (position * f64x2.extract_lane(entry, 0)));
    if (position >= f64x2.extract_lane(entry, 1)) {
      store<u32>(pending + (waiting << 2), <u32> i);
      waiting++;
    }
  }
  return waiting;
}
