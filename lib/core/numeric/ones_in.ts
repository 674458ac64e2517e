/** The number of 1 bits in a word: sums of two, of four and of eight bits, and of the four bytes (Warren 2013, section 5-1). */
export function onesIn(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
