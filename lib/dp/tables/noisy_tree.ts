import type { Source } from "../../core/mechanism/source.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import type { CellCounts } from "./cell_counts.ts";

/** Children of each node but the root. */
const FAN_OUT = 16;

/**
 * A tree over cells in their order: each node counts the rows of a stretch of cells. Noise is the same on all nodes, and counts are multiplied by a weight,
 * which is largest at the top: noise there is in every quantile.
 */
export interface TreeShape {
  /** For each level from the children of the root downwards: the cells of a node. */
  readonly spans: readonly number[];
  /** For each level: whole numbers that counts are multiplied by. */
  readonly weights: readonly number[];
  /** Children of the root. */
  readonly top: number;
}

/** The tree for so many cells. Sixteen children and weights that fall by .6 a level had the least error on ages, hours and capital gains among 4, 8, 16 and 32 children and .5 to 1. */
export function treeShape(cells: number): TreeShape {
  const depth = Math.max(1, Math.round(Math.log2(cells) / 4));
  const spans = Array.from({ length: depth }, (_, level) => FAN_OUT ** (depth - 1 - level));
  return {
    spans,
    weights: spans.map((_, level) => Math.max(1, Math.round(8 * 0.6 ** level))),
    top: Math.ceil(cells / spans[0]!),
  };
}

/**
 * Hierarchical counts with noise (Hay, Rastogi, Miklau, Suciu 2010; fan-out: Qardaji, Yang, Li 2013), drawn where they are read: noise is independent, so that a
 * node that nobody reads need not be drawn. Children are moved to add up to what their parent is estimated at, so that the rows up to a cell are estimated
 * the same way at all levels.
 */
export class NoisyTree {
  readonly #shape: TreeShape;
  readonly #law: IntegerNoise;
  readonly #counts: Pick<CellCounts, "below">;
  readonly #source: Source;
  readonly #families: readonly Map<number, Float64Array>[];

  /** @param options the rows in each cell, and the noise of weighted counts. */
  constructor(options: {
    readonly shape: TreeShape;
    readonly law: IntegerNoise;
    readonly counts: Pick<CellCounts, "below">;
    readonly source: Source;
  }) {
    this.#shape = options.shape;
    this.#law = options.law;
    this.#counts = options.counts;
    this.#source = options.source;
    this.#families = options.shape.spans.map(() => new Map());
  }

  /** The estimated number of rows. */
  get size(): number {
    return this.#ends(0, 0, undefined).at(-1)!;
  }

  /**
   * The first cell for which the estimated rows up to its end are not too few, or the last for which those before it are not too many. At each level the
   * ends of children are compared, from the left or from the right; the end of a cell is the place behind it.
   */
  find(
    which: "first" | "last",
    isWrong: (rows: number, end: number) => boolean,
  ): number {
    let cell = 0, before = 0, parent: number | undefined;
    this.#shape.spans.forEach((span, level) => {
      const ends = this.#ends(level, cell, parent), last = ends.length - 1;
      const at = (end: number): number => end === 0 ? 0 : ends[end - 1]!;
      const skips = (end: number): boolean => isWrong(before + at(end), cell + end * span);
      let child = which === "first" ? 0 : last;
      if (which === "first") { while (child < last && skips(child + 1)) child++; }
      else while (child > 0 && skips(child)) child--;
      parent = at(child + 1) - at(child);
      before += at(child);
      cell += child * span;
    });
    return cell;
  }

  /** The estimated number of rows from the first of a node's cells to the last of each of its children. */
  #ends(level: number, from: number, parent: number | undefined): Float64Array {
    const known = this.#families[level]!.get(from);
    if (known !== undefined) return known;
    const { spans, weights, top } = this.#shape, count = level === 0 ? top : FAN_OUT;
    const ends = this.#law.fill(this.#source, new Float64Array(count));
    const weight = weights[level]!;
    let sum = 0, below = this.#counts.below(from);
    for (let child = 0; child < count; child++) {
      const next = this.#counts.below(from + (child + 1) * spans[level]!);
      // A whole number with noise, which is what may be known: count and noise by themselves would be rounded differently.
      sum += ((next - below) * weight + ends[child]!) / weight;
      ends[child] = sum;
      below = next;
    }
    if (parent !== undefined) {
      const excess = (parent - sum) / count;
      for (let child = 0; child < count; child++) ends[child]! += excess * (child + 1);
    }
    this.#families[level]!.set(from, ends);
    return ends;
  }
}

/** Whether noise makes estimated rows up to an end, less so many for the level of a quantile, differ from those without noise by this much or more. */
export type IsUnlikely = (excess: number, end: number) => boolean;

/**
 * Tells what noise does with a probability of at most `miss`, on one side, at any of the ends of the nodes that a fixed cell is in.
 *
 * The noise at an end is a sum over levels. At the top, where the end is behind k children and a share f of the next, the noise of the k counts 1 − q times, that of the next f − q
 * times and that of the others −q times. Below, where it is behind p = k + f of 16 children, these are 1 − p/16, f − p/16 and −p/16, for children are made to add up, and what lies
 * above is divided evenly. Chernoff's bound does the rest. For discrete Gaussian noise the moment-generating function is at most exp(σ²t²/2) (Canonne, Kamath, Steinke 2020).
 */
export function noiseAtEnds(
  { spans, weights, top }: TreeShape,
  { law, kind, quantile, miss }: {
    readonly law: IntegerNoise;
    readonly kind: "epsilon" | "rho";
    readonly quantile: number;
    readonly miss: number;
  },
): IsUnlikely {
  const rate = law.logProbability(0) - law.logProbability(1);
  const unit = kind === "epsilon" ? rate : Math.sqrt(2 * rate);
  const logNormal = 2 * Math.log(-Math.expm1(-rate));
  /** The logarithm of the moment-generating function of the noise. */
  const logMoment = (t: number): number =>
    kind === "rho"
      ? t ** 2 / (4 * rate)
      : Math.abs(t) >= rate
      ? Infinity
      : logNormal - Math.log(Math.expm1(t - rate) * Math.expm1(-t - rate));
  const logMomentAt = (end: number, t: number): number => {
    let total = 0, inside = end;
    spans.forEach((span, level) => {
      const count = level === 0 ? top : FAN_OUT, each = t / weights[level]!;
      const place = inside / span, k = Math.floor(place);
      const share = level === 0 ? quantile : place / FAN_OUT;
      inside -= k * span;
      if (share === 0 && place === 0) return;
      if (k > 0) total += k * logMoment((1 - share) * each);
      if (k < count) total += logMoment((place - k - share) * each);
      if (k + 1 < count) total += (count - k - 1) * logMoment(share * each);
    });
    return total;
  };
  const logMiss = Math.log(miss / spans.length);
  return (excess, end) => {
    for (let i = -16; i < 20; i++) {
      const t = weights[0]! * unit * 2 ** (i / 4 - 3);
      if (logMomentAt(end, t) - t * excess <= logMiss) return true;
    }
    return false;
  };
}
