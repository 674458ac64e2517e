import type { Source } from "../core/source.ts";
import type { Enclosure } from "../numeric/exp_enclosure.ts";
import { firstFailureIsOdd } from "./exact_bernoulli.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

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
  /** What the words below are the leading digits of. */
  readonly exact: CumulativeTable;
  /** ⌊2³²·F(j)⌋ for the blocks before the first where it is 2³² − 1, and for that one. */
  readonly thresholds: Uint32Array;
  /** ⌈2³²·(R at the end of block j − R at its start)⌉; none when blocks have length 1. */
  readonly rejections: Uint32Array;
  /** For each value of the leading twelve bits, the first block it can belong to. */
  readonly guide: Uint16Array;
}

const ALL_ONES = 2 ** 32 - 1;
const GUIDE_SHIFT = 20;

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
  let block = 0;
  return Uint16Array.from({ length: 2 ** (32 - GUIDE_SHIFT) }, (_, bucket) => {
    while (bucket * 2 ** GUIDE_SHIFT > thresholds[block]!) block++;
    return block;
  });
}

/**
 * Fills `out` with independent draws of the law, exactly. One draw proposes a block j by inversion, a
 * place in it and a sign uniformly, and accepts x = j·2^blockBits + place with probability
 * exp(R(block start) − R(x)); what is accepted is ∝ exp(−R(|x|)), once −0 is refused.
 *
 * Why no rounding enters, although nearly all work is on 32-bit words:
 *
 * 1. *Inversion.* Let U be a uniform real, `word` its first 32 binary digits, T(j) = ⌊2³²F(j)⌋. If
 *    word > T(j) then 2³²U ≥ word ≥ T(j) + 1 > 2³²F(j), so U ≥ F(j). If word < T(j) then
 *    2³²U < word + 1 ≤ T(j) ≤ 2³²F(j), so U < F(j). Only word = T(j) leaves it open, and then more
 *    digits of the same U are drawn and compared with finer enclosures until it is decided.
 * 2. *Acceptance.* Algorithm 1 of Canonne, Kamath, Steinke 2020 for exp(−γ), γ = R(x) − R(start),
 *    accepts at its first step when a uniform V is at least γ. γ is less than the block's whole rise,
 *    so the first 32 digits of V at or above that rise (rounded up) are enough to say so; otherwise
 *    {@linkcode accept} says what is.
 */
export function fillByBlockInversion(
  source: Source,
  out: Float64Array,
  table: BlockTable,
): Float64Array {
  const { thresholds, rejections, guide } = table;
  const { blockBits } = table.law;
  const size = 2 ** blockBits, perDraw = blockBits === 0 ? 2 : 3;
  const words = borrowWordBlock();
  const most = words.length - words.length % perDraw;
  let at = 0, filled = 0;
  for (let i = 0; i < out.length;) {
    if (at === filled) {
      filled = Math.min(most, (out.length - i) * perDraw);
      fillWords(source, words, filled);
      at = 0;
    }
    const word = words[at]!, place = words[at + 1]!;
    let block = guide[word >>> GUIDE_SHIFT]!;
    while (word > thresholds[block]!) block++;
    if (word === thresholds[block]) block = resolveBlock(source, table, word);
    let magnitude = block, accepted = true;
    if (perDraw === 3) {
      const within = (place >>> 1) & (size - 1), trial = words[at + 2]!;
      magnitude = block * size + within;
      // A block beyond the table has no entry: undefined makes the comparison false.
      accepted = trial >= rejections[block]! || accept(source, table, { block, within, trial });
    }
    at += perDraw;
    // A product has no branch that half of the draws take. What is refused is written over by the next draw.
    const sign = 1 - 2 * (place & 1);
    out[i] = magnitude * sign;
    if (accepted && (magnitude > 0 || sign > 0)) i++;
  }
  returnWordBlock(words);
  return out;
}

/** Decides the block of the uniform real whose first digits are `word`, drawing more of them. */
function resolveBlock(source: Source, { law, exact }: BlockTable, word: number): number {
  let prefix = BigInt(word), bits = 32;
  // Beyond the last entry, or too near a bound: more digits, and a finer and longer table.
  for (
    let { precision, bounds } = exact;;
    { precision, bounds } = law.cumulative({ precision: 3 * bits, tailBits: 2 * bits })
  ) {
    prefix = (prefix << 32n) | BigInt(source.uint32());
    bits += 32;
    const shift = BigInt(precision - bits);
    const from = prefix << shift, to = (prefix + 1n) << shift;
    const block = bounds.findIndex(({ upper }) => from < upper);
    if (block >= 0 && to <= bounds[block]!.lower) return block;
  }
}

/**
 * Algorithm 1 of Canonne, Kamath, Steinke 2020 for exp(−γ), γ = R(x) − R(start of the block): uniform reals are compared with γ,
 * γ/2, γ/3, … until one is not below, and the first of them begins with the word `trial`.
 *
 * R is convex, so from the start of a block on it lies below the chord of the block and above the chord of the block before, extended:
 * `within`/size times the rise of the one and of the other, of which `rejections` are the ceilings. A word at or above the first (over k,
 * and 1 for rounding) decides for every γ there may be; so does a word that is 3 below the second (1 for the ceiling, 1 for the
 * digits that are not drawn, 1 for rounding). What lies between is decided in fractions, with the words drawn so far.
 */
function accept(
  source: Source,
  { law, rejections }: BlockTable,
  { block, within, trial }: { block: number; within: number; trial: number },
): boolean {
  const share = within / 2 ** law.blockBits;
  const high = share * (rejections[block] ?? Infinity), low = share * (rejections[block - 1] ?? 0);
  let word = trial;
  for (let k = 1;; k++) {
    if (word >= high / k + 1) return k % 2 === 1;
    if (!(word + 3 <= low / k)) {
      const start = BigInt(block) << BigInt(law.blockBits);
      const numerator = law.numeratorAt(start + BigInt(within)) - law.numeratorAt(start);
      return firstFailureIsOdd(source, { numerator, denominator: law.denominator, word, from: k });
    }
    word = source.uint32();
  }
}
