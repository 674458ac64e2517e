import { assert, assertEquals, assertThrows } from "@std/assert";
import { type BlockLaw, blockTable } from "../../../lib/random/block_table.ts";
import { exactLaw, halves, one, ONES } from "./exact_block_laws.ts";

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

Deno.test("blockTable() asks for a table as long as a word can tell", () => {
  const asked: number[] = [], law = exactLaw(halves);
  blockTable({
    ...law,
    cumulative: (options) => (asked.push(options.tailBits), law.cumulative(options)),
  });
  assertEquals(asked, [32]);
});
