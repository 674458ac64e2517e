const BINS = 40;
/** Shares of the outputs that are outside of the bins, on either end. */
const OUTSIDE = 0.01;

/** Bins of equal width that hold nearly all of some numbers. */
export class Bins {
  readonly from: number;
  readonly width: number;
  /** Their middles. */
  readonly places: readonly number[];

  constructor(numbers: readonly number[]) {
    const sorted = numbers.toSorted((a, b) => a - b);
    this.from = sorted[Math.floor(OUTSIDE * sorted.length)] ?? 0;
    const to = sorted[Math.ceil((1 - OUTSIDE) * sorted.length) - 1] ?? 0;
    this.width = (to - this.from) / BINS;
    this.places = Array.from({ length: BINS }, (_, bin) => this.from + (bin + 0.5) * this.width);
  }

  /** Counts the numbers in each. */
  count(numbers: Iterable<number>): number[] {
    const counts = new Array<number>(BINS).fill(0);
    for (const number of numbers) {
      const bin = Math.floor((number - this.from) / this.width);
      if (bin >= 0 && bin < BINS) counts[bin]!++;
    }
    return counts;
  }
}
