/** The most counts of histograms that are kept for leaves that may still be split: those of other leaves are counted again. */
const MOST_KEPT_COUNTS = 1 << 24;

/** A feature that rows are split by: the bin of each row, and how many bins there are. */
interface BinnedFeature {
  readonly bins: Uint8Array;
  readonly count: number;
}

/** Rows in a leaf: places `from` to `to` of the order, and their histograms where they are kept. */
export interface LeafRows {
  readonly from: number;
  readonly to: number;
  readonly histograms: Int32Array | undefined;
}

/**
 * The counts of (bin, label) of every feature in the rows of a leaf: those of a feature begin at `offsets[f]`, label 0 of bin b at
 * 2b and label 1 behind it.
 *
 * The loops are memory-bound: so the cells of a row lie beside each other, and when a leaf is divided only its smaller part is
 * counted. The counts of the other part are the difference, of whole numbers, so nothing is rounded.
 */
export class SplitHistograms {
  /** Where the counts of a feature begin. */
  readonly offsets: Int32Array;
  readonly #size: number;
  readonly #features: number;
  /** The places to count in, for each row those of all features. */
  readonly #cells: Uint16Array | Uint32Array;
  #kept = 0;

  /** Places the cells of all rows. */
  constructor(features: readonly BinnedFeature[], labels: Uint8Array) {
    this.offsets = new Int32Array(features.length);
    let size = 0;
    features.forEach(({ count }, f) => {
      this.offsets[f] = size;
      size += 2 * count;
    });
    this.#size = size;
    this.#features = features.length;
    const length = features.length * labels.length;
    this.#cells = size <= 1 << 16 ? new Uint16Array(length) : new Uint32Array(length);
    features.forEach(({ bins }, f) => {
      fillCells(this.#cells, { bins, labels, offset: this.offsets[f]!, f, step: features.length });
    });
  }

  /** Counts rows, at these places of an order. */
  count(order: Int32Array, { from, to }: { from: number; to: number }): Int32Array {
    const counts = new Int32Array(this.#size);
    countCells(this.#cells, { order, from, to, step: this.#features, counts });
    return counts;
  }

  /**
   * Returns the histograms of two parts of a leaf, which has them at places `from` to `middle` and `middle` to `to` of the order. Those
   * of the leaf itself are written over.
   */
  divide(
    order: Int32Array,
    { from, middle, to, histograms }: LeafRows & { readonly middle: number },
  ): { left: Int32Array; right: Int32Array } {
    const isLeftSmaller = middle - from <= to - middle;
    const [small, large] = isLeftSmaller
      ? [{ from, to: middle }, { from: middle, to }]
      : [{ from: middle, to }, { from, to: middle }];
    const counted = this.count(order, small);
    let other: Int32Array;
    if (histograms === undefined) other = this.count(order, large);
    else {
      this.#kept -= this.#size;
      subtract(histograms, counted);
      other = histograms;
    }
    return isLeftSmaller ? { left: counted, right: other } : { left: other, right: counted };
  }

  /** Returns the histograms, if they may be kept. */
  keep(histograms: Int32Array): Int32Array | undefined {
    if (this.#kept + this.#size > MOST_KEPT_COUNTS) return undefined;
    this.#kept += this.#size;
    return histograms;
  }
}

function fillCells(
  cells: Uint16Array | Uint32Array,
  { bins, labels, offset, f, step }: {
    bins: Uint8Array;
    labels: Uint8Array;
    offset: number;
    f: number;
    step: number;
  },
): void {
  for (let i = 0, at = f; i < bins.length; i++, at += step) {
    cells[at] = offset + 2 * bins[i]! + labels[i]!;
  }
}

/** Counts cells: the hot loop. */
function countCells(
  cells: Uint16Array | Uint32Array,
  { order, from, to, step, counts }: {
    order: Int32Array;
    from: number;
    to: number;
    step: number;
    counts: Int32Array;
  },
): void {
  for (let k = from; k < to; k++) {
    const begin = order[k]! * step, end = begin + step;
    for (let at = begin; at < end; at++) counts[cells[at]!]!++;
  }
}

function subtract(from: Int32Array, less: Int32Array): void {
  for (let i = 0; i < from.length; i++) from[i]! -= less[i]!;
}
