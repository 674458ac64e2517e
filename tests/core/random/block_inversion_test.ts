import * as fc from "fast-check";
import { assertEquals } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { fillByBlockInversion } from "../../../lib/core/random/block_inversion.ts";
import { type BlockLaw, blockTable } from "../../../lib/core/random/block_table.ts";
import { gaussianBlockLaw } from "../../../lib/core/random/gaussian_block_law.ts";
import { laplaceBlockLaw } from "../../../lib/core/random/laplace_block_law.ts";
import { exactLaw, halves, one, ONES } from "./exact_block_laws.ts";
import { withExactly } from "./exact_words.ts";

const draw = (law: BlockLaw, words: readonly number[], length = 1): number[] =>
  withExactly(words, (source) => [
    ...fillByBlockInversion(source, new Float64Array(length), blockTable(law)),
  ]);

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
  // The sign is that of the draw that is open.
  assertEquals(draw(fine, [5, 0, 2 ** 31, 1, 0, 5, 9], 2), [0, -1]);
  // Minus zero is refused here too.
  assertEquals(draw(fine, [2 ** 31, 1, 0, 4, 6, 0]), [0]);
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

// Words beside γ/k, which chords enclose. Mutants: either chord where the other belongs; no margin for rounding, or of the digits that
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
