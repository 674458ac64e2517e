import { firstAbove, firstAtLeast } from "../numeric/sorted_search.ts";
import { sortedSample } from "./cuts.ts";
import type { Encoder } from "./encode.ts";

/** Which way the data move from one dataset to another. */
export interface Direction {
  /** The way of their total, else of their number. */
  readonly total: number;
  /** The way of each of them, if they are as many numbers on both sides. */
  readonly each: Int8Array | undefined;
}

/** The direction from one dataset to another. */
export function directionOf(
  { left, right }: Readonly<Record<"left" | "right", unknown>>,
): Direction {
  const [from, to] = [numbersOf(left), numbersOf(right)];
  const moved = sumOf(to) - sumOf(from);
  return {
    total: Math.sign(moved !== 0 && Number.isFinite(moved) ? moved : to.length - from.length),
    each: from.length !== to.length || [...from, ...to].some(Number.isNaN)
      ? undefined
      : Int8Array.from(to, (x, i) => Math.sign(x - from[i]!)),
  };
}

/** How many outputs moved as the data do, and how many against them. */
export interface Shifted {
  readonly agreed: number;
  readonly disagreed: number;
}

/**
 * Expects outputs to move where the data move: an output above the middle of those seen so far is taken to come from
 * the larger data. Counts, sums and histograms do so whatever their noise is. There is then no event to find
 * and no direction to learn, and what was learned of one pair holds for the next one.
 */
export class Shift {
  readonly #direction: Direction;
  /** The way that each number of an output is expected to go; nothing as long as none is. */
  #signs: Int8Array | undefined;
  /** Outputs up to this one are in the lower half. */
  #middle = NaN;

  /** Begins with a direction and no outputs. */
  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /**
   * Finds the middle of some rows, whichever side they are from. An output of one number goes the way of the total,
   * one of as many numbers as the data the way of each.
   */
  centre(rows: Float64Array, { columns, elements }: Pick<Encoder, "columns" | "elements">): void {
    const { total, each } = this.#direction;
    const signs = elements === 1 ? Int8Array.of(total) : each;
    this.#signs = signs?.length === elements && signs.some((sign) => sign !== 0)
      ? signs
      : undefined;
    if (this.#signs !== undefined) {
      this.#middle = middleOf(moves(rows, columns.length, this.#signs));
    }
  }

  /** Counts rows of `width` numbers from both sides; nothing is expected before it has found the middle. */
  count(
    { left, right }: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): Shifted | undefined {
    if (this.#signs === undefined) return undefined;
    const from = this.#halves(left, width), to = this.#halves(right, width);
    return { agreed: from.lower + to.upper, disagreed: from.upper + to.lower };
  }

  /** How many rows are in either half. */
  #halves(rows: Float64Array, width: number): { lower: number; upper: number } {
    const moved = moves(rows, width, this.#signs!), middle = this.#middle;
    let lower = 0, upper = 0;
    for (let i = 0; i < moved.length; i++) {
      lower += Number(moved[i]! <= middle);
      upper += Number(moved[i]! > middle);
    }
    return { lower, upper };
  }
}

/** How far up rows are, in the direction of the data; NaN where a number that should move is missing. */
function moves(rows: Float64Array, width: number, signs: Int8Array): Float64Array {
  const moved = new Float64Array(rows.length / width);
  signs.forEach((sign, j) => {
    if (sign === 0) return;
    for (let i = 0; i < moved.length; i++) moved[i]! += sign * rows[i * width + j]!;
  });
  return moved;
}

/** The number up to which there is as nearly as possible half of some values; NaN if there is none. */
function middleOf(values: Float64Array): number {
  const sorted = sortedSample(values);
  const half = sorted.length / 2;
  const median = sorted[Math.floor(half)] ?? NaN;
  // A median that repeats may be better off in the upper half.
  const below = firstAtLeast(sorted, median), upTo = firstAbove(sorted, median);
  return below > 0 && half - below < upTo - half ? sorted[below - 1]! : median;
}

function numbersOf(data: unknown): number[] {
  return Array.isArray(data) ? data.map(Number) : [];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
