import type { Above } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";

/** Packs the rows that satisfy each condition, a bit a row. */
export function packConditions(
  { rows, labels, width }: LabelledRows,
  conditions: readonly Above[],
): Uint32Array[] {
  return conditions.map(({ index, threshold }) => {
    const bits = new Uint32Array((labels.length + 31) >> 5);
    for (let i = 0, at = index; i < labels.length; i++, at += width) {
      bits[i >> 5]! |= Number(rows[at]! > threshold) << (i & 31);
    }
    return bits;
  });
}

/** Packs the rows that have label 1, a bit a row. */
export function packLabels(labels: Uint8Array): Uint32Array {
  const bits = new Uint32Array((labels.length + 31) >> 5);
  for (let i = 0; i < labels.length; i++) bits[i >> 5]! |= labels[i]! << (i & 31);
  return bits;
}

/** For each set of conditions: the rows of which an odd number of the set's conditions holds, and those of label 1 among them. */
interface OddCounts {
  /** The places of a set's conditions, ascending. */
  readonly sets: readonly (readonly number[])[];
  readonly odd: readonly number[];
  readonly oddRight: readonly number[];
}

/** Counts for all sets of 2 to `together` conditions. */
export function countOdd(
  conditions: readonly Uint32Array[],
  { labels, together }: { labels: Uint32Array; together: number },
): OddCounts {
  const sets: number[][] = [], odd: number[] = [], oddRight: number[] = [];
  const words = labels.length;
  const parities = Array.from({ length: together + 1 }, () => new Uint32Array(words));
  const counts = new Float64Array(2);
  const extend = (set: readonly number[]): void => {
    const size = set.length, before = parities[size]!;
    for (let next = (set.at(-1) ?? -1) + 1; next < conditions.length; next++) {
      const own = [...set, next];
      addCondition(before, conditions[next]!, labels, parities[size + 1]!, counts);
      if (size > 0) {
        sets.push(own);
        odd.push(counts[0]!);
        oddRight.push(counts[1]!);
      }
      if (size + 1 < together) extend(own);
    }
  };
  extend([]);
  return { sets, odd, oddRight };
}

/** Writes the parity of one condition more, and counts its bits, alone and with the labels: the hot loop. */
function addCondition(
  before: Uint32Array,
  condition: Uint32Array,
  labels: Uint32Array,
  after: Uint32Array,
  counts: Float64Array,
): void {
  let odd = 0, right = 0;
  for (let k = 0; k < before.length; k++) {
    const bits = before[k]! ^ condition[k]!;
    after[k] = bits;
    // Sums of neighbouring bits, of pairs, of fours; a product adds the four bytes up.
    let a = bits - ((bits >>> 1) & 0x55555555);
    a = (a & 0x33333333) + ((a >>> 2) & 0x33333333);
    odd += Math.imul((a + (a >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    const marked = bits & labels[k]!;
    let b = marked - ((marked >>> 1) & 0x55555555);
    b = (b & 0x33333333) + ((b >>> 2) & 0x33333333);
    right += Math.imul((b + (b >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  counts[0] = odd;
  counts[1] = right;
}

/** Returns the rows on which an odd number of conditions holds. */
export function parityOf(conditions: readonly Uint32Array[]): Uint32Array {
  const [first, ...others] = conditions, odd = first!.slice();
  for (const condition of others) {
    for (let k = 0; k < odd.length; k++) odd[k]! ^= condition[k]!;
  }
  return odd;
}

/** Returns the sum of the values on rows whose bit is 1. A branch on random bits would be mispredicted half the time. */
export function sumWhere(bits: Uint32Array, values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * ((bits[i >> 5]! >>> (i & 31)) & 1);
  return sum;
}

/** Adds a number to the values on rows whose bit is 1. */
export function addWhere(bits: Uint32Array, amount: number, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    values[i]! += amount * ((bits[i >> 5]! >>> (i & 31)) & 1);
  }
}
