// Counts of equal rows (lib/audit/model/encoding/distinct_rows.ts).
//
// Bound by loads: those of a row and of the known one that is equal to it, and the count of that one, which waits for the addition before.
// A hash is that of the reference no more than its table is: words of 64 bits take half of the multiplications. As there, rows
// are compared whole, and nothing branches on one of their numbers.

/** The slots of a hash table. */
const SLOTS: usize = 4096;

/** The first slot of a row. The low bits of small numbers are 0: the rotation moves the high ones down before they are multiplied. */
@inline
function slotOf(row: usize, end: usize): usize {
  let hash: u64 = 0, other: u64 = 0;
  // Two chains: a processor multiplies for one while it waits for the other.
  for (; row + 16 <= end; row += 16) {
    hash = (rotl(hash, 23) ^ load<u64>(row)) * 0x9e3779b97f4a7c15;
    other = (rotl(other, 23) ^ load<u64>(row, 8)) * 0xc2b2ae3d27d4eb4f;
  }
  if (row < end) hash = (rotl(hash, 23) ^ load<u64>(row)) * 0x9e3779b97f4a7c15;
  return <usize> ((rotl(hash, 32) ^ other) * 0x9e3779b97f4a7c15 >> 52);
}

/** Whether the bits of two rows are equal. */
@inline
function areEqual(row: usize, end: usize, other: usize): bool {
  let differ = i64x2.splat(0);
  for (; row + 16 <= end; row += 16, other += 16) {
    differ = v128.or(differ, v128.xor(v128.load(row), v128.load(other)));
  }
  if (row < end) {
    differ = v128.or(differ, v128.xor(v128.load64_zero(row), v128.load64_zero(other)));
  }
  return !v128.any_true(differ);
}

/**
 * Adds the numbers of equal rows to the weights of known ones, and keeps rows that are new, until they would be more than `most`.
 * `slots` has 1 + the place of a known row, 0 where there is none, as numbers of 16 bits. Returns the rows that were counted,
 * plus 65,536 times those that are known.
 */
export function countDistinctRows(
  rows: usize,
  width: usize,
  n: usize,
  slots: usize,
  weights: usize,
  own: usize,
  known: usize,
  most: usize,
): usize {
  const stride = width << 3;
  for (let i: usize = 0; i < n; i++, rows += stride) {
    const end = rows + stride;
    let slot = slotOf(rows, end);
    for (;;) {
      const place = <usize> load<u16>(slots + (slot << 1));
      if (place === 0) {
        if (known === most) return known << 16 | i;
        memory.copy(own + known * stride, rows, stride);
        store<f64>(weights + (known << 3), 1);
        store<u16>(slots + (slot << 1), <u16> ++known);
        break;
      }
      if (areEqual(rows, end, own + (place - 1) * stride)) {
        const weight = weights + ((place - 1) << 3);
        store<f64>(weight, load<f64>(weight) + 1);
        break;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }
  return known << 16 | n;
}
