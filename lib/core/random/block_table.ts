import type { Enclosure } from "../numeric/exp_enclosure.ts";
import type { Rational } from "../numeric/rational.ts";

/** Certified cumulative probabilities. */
export interface CumulativeTable {
  /** Bits after the binary point. */
  readonly precision: number;
  /** Encloses F(j)·2^precision for each block j. */
  readonly bounds: readonly Enclosure[];
}

/**
 * An even law on the integers, P(x) ∝ exp(−R(|x|)) with R increasing, convex and rational, described
 * for {@linkcode fillByBlockInversion}: R(x) = numeratorAt(x)/denominator, and the magnitudes are cut
 * into blocks of 2^blockBits integers.
 */
export interface BlockLaw {
  /** Of all values of R. */
  readonly denominator: bigint;
  /** Binary logarithm of the length of a block: at most 31. */
  readonly blockBits: number;
  /** R(magnitude) times the denominator. */
  numeratorAt(magnitude: bigint): bigint;
  /**
   * Cumulative probabilities of the blocks, where block j has probability ∝ exp(−R(j·2^blockBits)),
   * at least until 1 − F(j) < 2^−tailBits.
   */
  cumulative(options: { precision: number; tailBits: number }): CumulativeTable;
}

/** The first 32 binary digits of a {@linkcode BlockLaw}: what nearly every draw needs. */
export interface BlockTable {
  /** The law it was worked out for. */
  readonly law: BlockLaw;
  /** Exact table, of which the words below are the leading digits. */
  readonly exact: CumulativeTable;
  /** ⌊2³²·F(j)⌋ for the blocks before the first where it is 2³² − 1, and for that one. */
  readonly thresholds: Uint32Array;
  /** ⌈2³²·(R at the end of block j − R at its start)⌉; none when blocks have length 1. */
  readonly rejections: Uint32Array;
  /** For each value of the leading twelve bits, the first block it can belong to. */
  readonly guide: Uint16Array;
}

const ALL_ONES = 2 ** 32 - 1;

/** The guide is for the leading twelve bits of a word: these are shifted out. */
export const GUIDE_SHIFT = 20;
/** Values of the guide. */
export const GUIDE_SIZE: number = 2 ** (32 - GUIDE_SHIFT);

/** Tables of the laws that were drawn from last: a mechanism is often made anew for each of its draws. */
const kept: { lawOf: LawOf; size: Rational; table: BlockTable }[] = [];
/** Half a megabyte each. */
const MOST_KEPT = 8;

/** The law of a family that has a scale, or a variance, of this size. */
type LawOf = (size: Rational) => BlockLaw;

/** Returns the table of a law, worked out unless it was asked for a short time ago. */
export function keptBlockTable(lawOf: LawOf, size: Rational): BlockTable {
  const at = kept.findIndex((each) =>
    each.lawOf === lawOf && each.size.numerator === size.numerator &&
    each.size.denominator === size.denominator
  );
  const [own = { lawOf, size, table: blockTable(lawOf(size)) }] = at < 0 ? [] : kept.splice(at, 1);
  kept.push(own);
  if (kept.length > MOST_KEPT) kept.shift();
  return own.table;
}

/** Works out the table of a law with certified integer arithmetic; milliseconds. */
export function blockTable(law: BlockLaw): BlockTable {
  for (let precision = 128;; precision *= 2) {
    const exact = law.cumulative({ precision, tailBits: 32 });
    const thresholds = leadingWords(exact);
    if (thresholds === undefined) continue; // An F(j) too near a multiple of 2⁻³² to be told: go finer.
    const rejections = law.blockBits === 0
      ? new Uint32Array() // Blocks of one integer: nothing to reject.
      : Uint32Array.from(thresholds, (_, j) => rejectionWord(law, BigInt(j)));
    return { law, exact, thresholds, rejections, guide: guideOf(thresholds) };
  }
}

function leadingWords({ precision, bounds }: CumulativeTable): Uint32Array | undefined {
  const shift = BigInt(precision - 32);
  const one = 1n << BigInt(precision);
  const words: number[] = [];
  for (const { lower, upper } of bounds) {
    const word = lower >> shift;
    const next = (word + 1n) << shift;
    // F(j) < 1 whatever the enclosure says, for every integer has some probability.
    if (upper >= next && next !== one) return undefined;
    words.push(Number(word));
    if (Number(word) === ALL_ONES) break;
  }
  return words.at(-1) === ALL_ONES ? Uint32Array.from(words) : undefined;
}

function rejectionWord(law: BlockLaw, block: bigint): number {
  const bits = BigInt(law.blockBits);
  const rise = law.numeratorAt((block + 1n) << bits) - law.numeratorAt(block << bits);
  const word = ((rise << 32n) + law.denominator - 1n) / law.denominator;
  if (word > BigInt(ALL_ONES)) throw new RangeError("Cannot tabulate a law: blocks are too long");
  return Number(word);
}

function guideOf(thresholds: Uint32Array): Uint16Array {
  const guide = new Uint16Array(GUIDE_SIZE);
  for (let block = 0, from = 0; from < GUIDE_SIZE; block++) {
    const end = (thresholds[block]! >>> GUIDE_SHIFT) + 1;
    if (end > from) guide.fill(block, from, end);
    from = end;
  }
  return guide;
}
