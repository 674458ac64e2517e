// Draws by inversion over blocks that 32 digits decide (lib/core/random/block_inversion.ts), until one that they leave open.
//
// Bound by loads: three words, a guess of the block, a threshold and a bound of each draw. Half of the draws are negative, so that
// the sign is no branch.

/** Values of the guide: one for each value of the leading twelve bits of a word. */
const GUIDE: usize = 4096;
const GUIDE_SHIFT: u32 = 20;

/** The most draws of a block of words, and the most values that there is room for. */
const MOST_DRAWS: i32 = 2048;

/**
 * Draws from the words of `draws` draws (2,048 at most), `step` bytes each, and writes what is accepted to `values`. A table begins with the guide,
 * of 16 bits each; a threshold and a bound below which a third word leaves a draw open follow for each block of 2^bits integers.
 * Blocks of one integer have two words a draw, and bounds of 0.
 *
 * @returns 2^16 times the draws that were decided, plus the values that were written.
 */
export function drawBlocks(
  words: usize,
  draws: i32,
  step: usize,
  table: usize,
  bits: i32,
  values: usize,
): i32 {
  const entries = table + 2 * GUIDE, mask = ((<i64> 1) << bits) - 1;
  let at = words, out = values, i = 0;
  const last = draws < MOST_DRAWS ? draws : MOST_DRAWS;
  for (; i < last; i++, at += step) {
    const word = load<u32>(at), place = load<u32>(at, 4);
    let entry = entries + ((<usize> load<u16>(table + ((<usize> (word >> GUIDE_SHIFT)) << 1))) << 3);
    while (word > load<u32>(entry)) entry += 8;
    if (word === load<u32>(entry) || load<u32>(at, 8) < load<u32>(entry, 4)) break;
    const magnitude = ((<i64> ((entry - entries) >> 3)) << bits) + ((<i64> (place >> 1)) & mask);
    const sign = -(<i64> (place & 1));
    store<f64>(out, <f64> ((magnitude ^ sign) - sign));
    // Minus zero is refused: the next value is written over it.
    out += (<usize> ((magnitude | (sign + 1)) !== 0)) << 3;
  }
  return (i << 16) | (<i32> ((out - values) >> 3));
}
