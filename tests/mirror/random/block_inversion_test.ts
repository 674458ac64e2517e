import * as fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type BlockLaw,
  blockTable,
  fillByBlockInversion,
} from "../../../lib/random/block_inversion.ts";
import { gaussianBlockLaw } from "../../../lib/random/gaussian_block_law.ts";
import { laplaceBlockLaw } from "../../../lib/random/laplace_block_law.ts";
import { rational } from "../../../lib/numeric/rational.ts";
import { withExactly } from "./exact_words.ts";

const ONES = 2 ** 32 - 1;

/** Cumulative probabilities that are whole numbers of 2⁻¹²⁸, known exactly at every precision. */
function exactLaw(shares: readonly bigint[], law: Partial<BlockLaw> = {}): BlockLaw {
  return {
    denominator: 1n,
    blockBits: 0,
    numeratorAt: (magnitude) => magnitude,
    cumulative: ({ precision }) => {
      const bounds = shares.map((share) => share << BigInt(precision - 128));
      return { precision, bounds: bounds.map((bound) => ({ lower: bound, upper: bound })) };
    },
    ...law,
  };
}

const one = 1n << 128n;
/** 1/2, 3/4, 7/8, … */
const halves = Array.from({ length: 40 }, (_, j) => one - (one >> BigInt(j + 1)));

const draw = (law: BlockLaw, words: readonly number[], length = 1): number[] =>
  withExactly(words, (source) => [
    ...fillByBlockInversion(source, new Float64Array(length), blockTable(law)),
  ]);

Deno.test("blockTable() holds the leading words until they are all ones, and where they begin", () => {
  const { thresholds, guide, rejections } = blockTable(exactLaw(halves));
  assertEquals([...thresholds], Array.from({ length: 32 }, (_, j) => 2 ** 32 - 2 ** (31 - j)));
  assertEquals(guide.length, 4096);
  guide.forEach((block, bucket) => {
    assert(thresholds[block]! >= bucket * 2 ** 20);
    assert(block === 0 || thresholds[block - 1]! < bucket * 2 ** 20);
  });
  assertEquals(rejections.length, 0);
});

Deno.test("blockTable() rounds the rise of each block up", () => {
  const law = exactLaw(halves, {
    denominator: 7n * 2n ** 20n,
    blockBits: 3,
    numeratorAt: (magnitude) => magnitude ** 2n,
  });
  blockTable(law).rejections.forEach((word, j) => {
    const rise = law.numeratorAt(BigInt(8 * j + 8)) - law.numeratorAt(BigInt(8 * j));
    const scaled = rise << 32n;
    assert(BigInt(word) * law.denominator >= scaled);
    assert(BigInt(word - 1) * law.denominator < scaled);
  });
});

Deno.test("blockTable() takes blocks that rise by less than 1, as far as a word can tell", () => {
  const rising = (rise: bigint, denominator: bigint): BlockLaw =>
    exactLaw(halves, { denominator, blockBits: 1, numeratorAt: (x) => (x / 2n) * rise });
  assert(blockTable(rising(2n ** 32n - 1n, 2n ** 32n)).rejections.every((word) => word === ONES));
  assertThrows(() => blockTable(rising(2n ** 33n - 1n, 2n ** 33n)), RangeError, "too long");
});

/** A law whose table is `coarse` at the first precision, and exact from the next one on. */
function sharpened(
  coarse: BlockLaw["cumulative"],
): { law: BlockLaw; precisions: number[] } {
  const precisions: number[] = [], exact = exactLaw(halves);
  return {
    precisions,
    law: {
      ...exact,
      cumulative: (options) => {
        precisions.push(options.precision);
        return options.precision === 128 ? coarse(options) : exact.cumulative(options);
      },
    },
  };
}

Deno.test("blockTable() goes finer when a word is open or the table is short, and else not", () => {
  const exact = exactLaw(halves);
  const words = [...blockTable(exact).thresholds];
  const cases: [BlockLaw["cumulative"], number[]][] = [
    // The bound from above begins with the next word.
    [({ precision }) => ({
      precision,
      bounds: halves.map((lower) => ({ lower, upper: lower + (1n << 96n) })),
    }), [128, 256]],
    [({ precision }) => ({
      precision,
      bounds: halves.map((lower) => ({ lower, upper: lower + (1n << 96n) - 1n })),
    }), [128]],
    [(options) => {
      const { precision, bounds } = exact.cumulative(options);
      return { precision, bounds: bounds.slice(0, 31) };
    }, [128, 256]],
    // No cumulative probability is 1, whatever its enclosure says.
    [({ precision }) => ({
      precision,
      bounds: halves.map((lower) => ({
        lower,
        upper: lower >> 96n === BigInt(ONES) ? one + 1n : lower,
      })),
    }), [128]],
  ];
  for (const [coarse, expected] of cases) {
    const { law, precisions } = sharpened(coarse);
    assertEquals([...blockTable(law).thresholds], words);
    assertEquals(precisions, expected);
  }
});

Deno.test("fillByBlockInversion() decides by the first word unless it equals a threshold", () => {
  const law = exactLaw(halves);
  assertEquals(draw(law, [2 ** 31 - 1, 0]), [0]);
  assertEquals(draw(law, [2 ** 31 + 1, 0]), [1]);
  assertEquals(draw(law, [2 ** 31 + 1, 1]), [-1]);
  assertEquals(draw(law, [2 ** 31, 0, 0]), [1]);
  assertEquals(draw(law, [3 * 2 ** 30, 1, 0]), [-2]);
  // Minus zero is refused and drawn again.
  assertEquals(draw(law, [5, 1, 6, 0]), [0]);
});

Deno.test("fillByBlockInversion() decides open words with as many digits as it takes", () => {
  const law = exactLaw([one / 2n + (5n << 64n), ...halves.slice(1)]);
  // From 1/2 + 5·2⁻⁶⁴ on it is block 1.
  assertEquals(draw(law, [2 ** 31, 0, 4]), [0]);
  assertEquals(draw(law, [2 ** 31, 0, 5]), [1]);
  const fine = exactLaw([one / 2n + (5n << 32n) + 9n, ...halves.slice(1)]);
  assertEquals(draw(fine, [2 ** 31, 0, 0, 4]), [0]);
  assertEquals(draw(fine, [2 ** 31, 0, 0, 6]), [1]);
  assertEquals(draw(fine, [2 ** 31, 0, 0, 5, 8]), [0]);
  assertEquals(draw(fine, [2 ** 31, 0, 0, 5, 9]), [1]);
});

/** Asks for 2^−tailBits and gets the shortest table that the contract allows. */
const shortest = exactLaw([], {
  cumulative: ({ precision, tailBits }) => ({
    precision,
    bounds: Array.from({ length: tailBits + 1 }, (_, j) => {
      const bound = (1n << BigInt(precision)) - (1n << BigInt(precision - j - 1));
      return { lower: bound, upper: bound };
    }),
  }),
});

Deno.test("fillByBlockInversion() lengthens the table when a draw falls beyond it", () => {
  // 1 − U = 6·2⁻⁹⁶ is in block ⌊96 − log₂ 6⌋.
  assertEquals(draw(shortest, [ONES, 0, ONES, ONES - 5]), [93]);
  assertEquals(draw(shortest, [ONES, 0, ONES, ONES, ONES - 1]), [127]);
  assertEquals(draw(shortest, [ONES, 1, 7]), [-32]);
});

/** Blocks of two, within which a place costs 1/4: the whole rise is 1/2. */
const pairs = exactLaw(halves, { denominator: 4n, blockBits: 1 });

Deno.test("fillByBlockInversion() accepts or refuses each draw by its own third word", () => {
  // Bit 0 is the sign, bit 1 the place within the block.
  assertEquals(draw(pairs, [0, 0b10, 2 ** 31]), [1]);
  assertEquals(draw(pairs, [2 ** 31 + 1, 0b11, 2 ** 31]), [-3]);
  assertEquals(draw(pairs, [2 ** 31 + 1, 0b00, 2 ** 31]), [2]);
  assertEquals(draw(pairs, [0, 0b10, 2 ** 30]), [1]);
  // Below 1/4 the next coin decides: all ones fail, so that the first failure is the second.
  assertEquals(draw(pairs, [0, 0b10, 2 ** 30 - 1, ONES, 0, 0b00, 0]), [0]);
  assertEquals(draw(pairs, [0, 0b10, ONES, 0, 0b10, 0, ONES, 0, 0b00, 0], 2), [1, 0]);
});

Deno.test("fillByBlockInversion() draws as many words as its draws need", () => {
  const zeros = (count: number): number[] => new Array(count).fill(0);
  for (const length of [0, 1, 8, 9, 2048, 2049, 3000, 5000]) {
    assertEquals(draw(exactLaw(halves), zeros(2 * length), length).length, length);
    assertEquals(draw(pairs, zeros(3 * length), length).length, length);
  }
});

Deno.test("fillByBlockInversion() computes no exponent where the third word is above the chord of the block", () => {
  let calls = 0;
  const counted = { ...pairs, numeratorAt: (magnitude: bigint): bigint => (calls++, magnitude) };
  const table = blockTable(counted), out = new Float64Array(1);
  const callsOf = (third: number, more: readonly number[] = []): number => {
    calls = 0;
    withExactly([0, 0b10, third, ...more], (source) => fillByBlockInversion(source, out, table));
    return calls;
  };
  assertEquals([callsOf(2 ** 30 + 1), callsOf(2 ** 31 - 1), callsOf(2 ** 31), callsOf(ONES)], [
    0,
    0,
    0,
    0,
  ]);
  assert(callsOf(2 ** 30) > 0);
});

/**
 * Whether exp(−γ) accepts by uniform reals whose digits are the words, in fractions throughout, and how many words that takes
 * (Canonne, Kamath, Steinke 2020, Algorithm 1).
 */
function acceptedBy(
  words: readonly number[],
  { numerator, denominator }: { numerator: bigint; denominator: bigint },
): { accepted: boolean; used: number } {
  let used = 0;
  for (let k = 1n;; k++) {
    let digits = 0n, scale = 1n, below: boolean | undefined;
    while (below === undefined) {
      digits = (digits << 32n) | BigInt(words[used++]!);
      scale <<= 32n;
      // The real lies from digits/scale to (digits + 1)/scale.
      if (digits * denominator * k >= numerator * scale) below = false;
      else if ((digits + 1n) * denominator * k <= numerator * scale) below = true;
    }
    if (!below) return { accepted: k % 2n === 1n, used };
  }
}

const cubes = exactLaw(halves, {
  denominator: 2n ** 22n,
  blockBits: 3,
  numeratorAt: (magnitude) => magnitude ** 3n,
});

// Words beside γ/k, which chords enclose. Mutants: either chord where the other belongs; no room for rounding, or of the digits that
// are not drawn yet; a word that is drawn again in fractions, or compared with γ where it belongs to γ/k.
Deno.test("fillByBlockInversion() decides as fractions do, with as many words, for words beside every bound", () => {
  const laws = [
    laplaceBlockLaw(rational(2n ** 30n)),
    laplaceBlockLaw(rational(10n ** 6n, 7n)),
    laplaceBlockLaw(rational(2n ** 38n)),
    gaussianBlockLaw(rational(2n ** 60n, 3n)),
    gaussianBlockLaw(rational(10n ** 7n)),
    cubes,
  ].map((law) => ({ law, table: blockTable(law) }));
  const beside = fc.integer({ min: -3, max: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...laws),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.nat(),
      fc.array(fc.oneof(beside, fc.nat(ONES).map((word) => word + 10)), {
        minLength: 6,
        maxLength: 6,
      }),
      fc.constantFrom(0, 1),
      ({ law, table }, share, place, kinds, sign) => {
        const size = 2 ** law.blockBits, block = Math.floor(share * 31), within = place % size;
        const start = BigInt(block) << BigInt(law.blockBits), magnitude = start + BigInt(within);
        fc.pre(magnitude > 0n && table.thresholds[block]! - (table.thresholds[block - 1] ?? 0) > 1);
        const numerator = law.numeratorAt(magnitude) - law.numeratorAt(start);
        const { denominator } = law;
        // The k-th word lies beside γ/k, or anywhere; zeros and ones follow.
        const words = kinds.map((kind, k) => {
          if (kind >= 10) return kind - 10;
          const word = Number((numerator << 32n) / (denominator * BigInt(k + 1))) + kind;
          return Math.min(ONES, Math.max(0, word));
        });
        words.push(ONES, 0, ONES, 0, ONES);
        const { accepted, used } = acceptedBy(words, { numerator, denominator });
        const proposal = [table.thresholds[block]! - 1, 2 * within + sign];
        // Where it is refused, the next draw is 0.
        const next = accepted ? [] : [0, 0, ONES];
        const [trial, ...more] = words.slice(0, used);
        const drawn = withExactly(
          [...proposal, trial!, ...more, ...next],
          (source) => fillByBlockInversion(source, new Float64Array(1), table)[0],
        );
        assertEquals(drawn, accepted ? (1 - 2 * sign) * Number(magnitude) : 0);
      },
    ),
    { seed: 4107, numRuns: 20_000 },
  );
});

Deno.test("fillByBlockInversion() asks for the words of many draws at a time", () => {
  const asked: number[] = [], table = blockTable(exactLaw(halves));
  withExactly(new Array(6000).fill(0), (source) => {
    const fillUint32 = (out: Uint32Array): void => {
      asked.push(out.length);
      source.fillUint32(out);
    };
    fillByBlockInversion({ ...source, fillUint32 }, new Float64Array(3000), table);
  });
  assertEquals(asked, [4096, 1904]);
});

Deno.test("blockTable() asks for a table as long as a word can tell", () => {
  const asked: number[] = [], law = exactLaw(halves);
  blockTable({
    ...law,
    cumulative: (options) => (asked.push(options.tailBits), law.cumulative(options)),
  });
  assertEquals(asked, [32]);
});
