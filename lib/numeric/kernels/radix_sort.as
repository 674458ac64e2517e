// Numbers in order (lib/numeric/sort_numbers.ts).
//
// Bound by loads and stores: eight passes move every number once, by a byte of its bits each, the lowest byte first. Nothing
// branches on a number, where a sort by comparisons is mispredicted at every second one.

/** The values of a byte. */
const BYTE: usize = 256;

/** The bits of a number as a key: keys ascend as numbers do, −0 before 0. */
@inline
function keyOf(bits: u64): u64 {
  return bits ^ (<u64> (<i64> bits >> 63) | 0x8000000000000000);
}

/** The bits of a key's number. */
@inline
function bitsOf(key: u64): u64 {
  return key ^ (<u64> (<i64> ~key >> 63) | 0x8000000000000000);
}

/**
 * Sorts `n` numbers, none of them NaN. `spare` has room for as many, `counts` for 2,048 numbers of 32 bits.
 */
export function sortNumbers(values: usize, n: usize, spare: usize, counts: usize): void {
  memory.fill(counts, 0, BYTE << 5);
  for (let i: usize = 0; i < n; i++) {
    const at = values + (i << 3);
    let key = keyOf(load<u64>(at));
    store<u64>(at, key);
    for (let own = counts; own < counts + (BYTE << 5); own += BYTE << 2) {
      const count = own + (<usize> (key & 255) << 2);
      store<u32>(count, load<u32>(count) + 1);
      key >>= 8;
    }
  }
  let from = values, to = spare;
  for (let shift: u64 = 0, own = counts; shift < 64; shift += 8, own += BYTE << 2) {
    // A byte that all numbers share moves none.
    if (n > 0 && load<u32>(own + (<usize> (load<u64>(from) >> shift & 255) << 2)) === n) continue;
    let before: u32 = 0;
    for (let byte: usize = 0; byte < BYTE; byte++) {
      const place = own + (byte << 2), count = load<u32>(place);
      store<u32>(place, before);
      before += count;
    }
    for (let i: usize = 0; i < n; i++) {
      const key = load<u64>(from + (i << 3));
      const place = own + (<usize> (key >> shift & 255) << 2), after = load<u32>(place);
      store<u32>(place, after + 1);
      store<u64>(to + (<usize> after << 3), key);
    }
    const other = from;
    from = to;
    to = other;
  }
  for (let i: usize = 0; i < n; i++) {
    store<u64>(values + (i << 3), bitsOf(load<u64>(from + (i << 3))));
  }
}
