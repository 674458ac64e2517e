/** The most distinct values that are looked for. */
export const MOST_FEW = 96;

/** About how many values are sorted to find quantiles. */
const SORTED_VALUES = 1 << 12;

/** The place in the sorted sample from which tails are taken from all values: the sample is too coarse there. */
export const TAIL_PLACE = 8;

/**
 * The values of a feature on some rows, with what thresholds are placed by. A tree and a histogram place thresholds on the same
 * values, so each of these is computed once, when it is first asked for.
 */
export class FeatureValues {
  /** The value on each row; NaN where there is none. */
  readonly values: Float64Array;
  #present: number | undefined;
  #few: Float64Array | null | undefined;
  #sorted: Float64Array | undefined;
  readonly #tails: Partial<Record<1 | -1, Float64Array>> = {};

  /** Keeps the values themselves, not a copy. */
  constructor(values: Float64Array) {
    this.values = values;
  }

  /** Returns the distinct values in order, if there are at most `most`, itself at most {@linkcode MOST_FEW}. */
  few(most: number): Float64Array | undefined {
    if (this.#few === undefined) this.#few = fewValues(this.values, MOST_FEW) ?? null;
    return this.#few === null || this.#few.length > most ? undefined : this.#few;
  }

  /** Number of values that are not NaN. */
  get present(): number {
    return this.#present ??= presentOf(this.values);
  }

  /** Some of the values in order, NaN left out. */
  get sorted(): Float64Array {
    return this.#sorted ??= sortedSample(this.values, this.present);
  }

  /**
   * Returns the values beyond place {@linkcode TAIL_PLACE} of the sample from the upper end (`sign` 1) or the lower one (−1), times
   * `sign`, in ascending order. The sample must not be empty.
   */
  tail(sign: 1 | -1): Float64Array {
    return this.#tails[sign] ??= this.#findTail(sign);
  }

  #findTail(sign: 1 | -1): Float64Array {
    const { values, sorted } = this;
    const place = Math.min(TAIL_PLACE, Math.floor(sorted.length / 4));
    const edge = sign * sorted[sign === 1 ? sorted.length - 1 - place : place]!;
    const tail: number[] = [];
    for (let i = 0; i < values.length; i++) {
      if (sign * values[i]! > edge) tail.push(sign * values[i]!);
    }
    return Float64Array.from(tail).sort();
  }
}

/** Returns the distinct values in order, if there are at most `most`; NaN is left out. */
export function fewValues(values: Float64Array, most: number): Float64Array | undefined {
  const found = new Float64Array(most);
  let distinct = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (x !== x) continue;
    let k = 0;
    while (k < distinct && found[k] !== x) k++;
    if (k < distinct) continue;
    if (distinct === most) return undefined;
    found[distinct++] = x;
  }
  return found.subarray(0, distinct).toSorted();
}

function presentOf(values: Float64Array): number {
  let present = 0;
  for (let i = 0; i < values.length; i++) present += Number(values[i] === values[i]);
  return present;
}

function sortedSample(values: Float64Array, present: number): Float64Array {
  const stride = Math.max(1, Math.floor(present / SORTED_VALUES));
  const sample = new Float64Array(Math.ceil(present / stride));
  let n = 0, next = 0;
  for (let i = 0, seen = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]) || seen++ < next) continue;
    next += stride;
    sample[n++] = values[i]!;
  }
  return sample.subarray(0, n).sort();
}
