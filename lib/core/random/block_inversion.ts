import type { Source } from "../mechanism/source.ts";
import { TableSlots } from "./kernels/table_slots.ts";
import { kernelFor } from "./block_kernel.ts";
import { type BlockTable, GUIDE_SHIFT, GUIDE_SIZE } from "./block_table.ts";
import { firstFailureIsOdd } from "./exact_bernoulli.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

/** Draws that are fewer than so many make no use of a kernel. */
const FEWEST_DRAWS = 16;

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
  const perDraw = wordsPerDraw(table);
  const words = borrowWordBlock();
  const most = words.length - words.length % perDraw;
  for (let i = 0; i < out.length;) {
    const filled = Math.min(most, (out.length - i) * perDraw);
    fillWords(source, words, filled);
    for (let at = 0; at < filled; at += perDraw) {
      const part = { at, filled, out, i };
      const done = drawByKernel(words, part, table) ?? drawDecided(words, part, table);
      at += (done >>> 16) * perDraw;
      i += done & 0xffff;
      // The draw at which they stopped.
      if (at < filled && drawOpen(source, { words, at, out, i }, table)) i++;
    }
  }
  returnWordBlock(words);
  return out;
}

function wordsPerDraw({ law }: BlockTable): number {
  return law.blockBits === 0 ? 2 : 3;
}

/** The first block whose threshold is not below a word. */
function blockOf(word: number, { thresholds, guide }: BlockTable): number {
  let block = guide[word >>> GUIDE_SHIFT]!;
  while (word > thresholds[block]!) block++;
  return block;
}

/** Words from `at` to `filled`, and where the draws that they make go. */
interface Part {
  readonly at: number;
  readonly filled: number;
  readonly out: Float64Array;
  readonly i: number;
}

/**
 * The hot loop: draws until one that its 32 digits leave open.
 *
 * @returns 2¹⁶ times the draws that were decided, plus the values that were written.
 */
function drawDecided(words: Uint32Array, { at, filled, out, i }: Part, table: BlockTable): number {
  const { thresholds, rejections } = table, { blockBits } = table.law;
  const size = 2 ** blockBits, perDraw = wordsPerDraw(table);
  let from = at, to = i;
  for (; from < filled; from += perDraw) {
    const word = words[from]!, place = words[from + 1]!;
    const block = blockOf(word, table);
    if (word === thresholds[block]) break;
    if (perDraw === 3 && words[from + 2]! < rejections[block]!) break;
    const magnitude = block * size + ((place >>> 1) & (size - 1));
    // A product has no branch that half of the draws take. Minus zero is refused: the next value is written over it.
    const sign = 1 - 2 * (place & 1);
    out[to] = magnitude * sign;
    if (magnitude > 0 || sign > 0) to++;
  }
  return ((from - at) / perDraw) << 16 | (to - i);
}

/** The bytes of a table in the kernels' memory, of so many blocks at most, and the tables that stay there. */
const MOST_BLOCKS = 6144, TABLE_BYTES = 2 * GUIDE_SIZE + 8 * MOST_BLOCKS, TABLES = 4;

const tables = new TableSlots<BlockTable>({
  bytes: TABLE_BYTES,
  slots: TABLES,
  write: ({ guide, thresholds, rejections }, memory, address) => {
    new Uint16Array(memory, address, GUIDE_SIZE).set(guide);
    const entries = new Uint32Array(memory, address + 2 * GUIDE_SIZE, 2 * thresholds.length);
    thresholds.forEach((threshold, block) => {
      entries[2 * block] = threshold;
      entries[2 * block + 1] = rejections[block] ?? 0;
    });
  },
});

/** {@linkcode drawDecided} by the kernel; `undefined` where there is none, or draws are few. */
function drawByKernel(
  words: Uint32Array,
  { at, filled, out, i }: Part,
  table: BlockTable,
): number | undefined {
  const perDraw = wordsPerDraw(table), draws = (filled - at) / perDraw;
  if (draws < FEWEST_DRAWS || table.thresholds.length > MOST_BLOCKS) return undefined;
  const own = kernelFor(words), address = own && tables.addressOf(table, own.kernels);
  if (address === undefined) return undefined;
  const { kernels, values } = own!;
  const done = kernels.drawBlocks(
    words.byteOffset + 4 * at,
    draws,
    4 * perDraw,
    address,
    table.law.blockBits,
    values.byteOffset,
  );
  out.set(values.subarray(0, done & 0xffff), i);
  return done;
}

/** Decides a draw with as many digits as it takes. @returns whether it was accepted, and written. */
function drawOpen(
  source: Source,
  { words, at, out, i }: { words: Uint32Array; at: number; out: Float64Array; i: number },
  table: BlockTable,
): boolean {
  const { thresholds, rejections } = table, { blockBits } = table.law;
  const word = words[at]!, place = words[at + 1]!;
  let block = blockOf(word, table);
  if (word === thresholds[block]) block = resolveBlock(source, table, word);
  const within = (place >>> 1) & (2 ** blockBits - 1), sign = 1 - 2 * (place & 1);
  const magnitude = block * 2 ** blockBits + within;
  if (blockBits > 0) {
    const trial = words[at + 2]!;
    // A block beyond the table has no entry: undefined makes the comparison false.
    if (!(trial >= rejections[block]! || accept(source, table, { block, within, trial }))) {
      return false;
    }
  }
  if (magnitude === 0 && sign < 0) return false;
  out[i] = magnitude * sign;
  return true;
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
