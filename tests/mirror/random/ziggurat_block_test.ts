import { assertEquals } from "@std/assert";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { borrowWordBlock, returnWordBlock } from "../../../lib/random/word_block.ts";
import { LAYERS, type Ziggurat } from "../../../lib/random/ziggurat.ts";
import { fillFromZiggurat, zigguratSampler } from "../../../lib/random/ziggurat_block.ts";
import { withExactly } from "./exact_words.ts";

/** Layer i has steps of i + 1, and is inside up to 2²¹·(1000 + i) and a half of its steps. */
const ziggurat: Ziggurat = {
  tail: 0,
  height: new Float64Array(LAYERS + 1),
  step: Float64Array.from({ length: LAYERS }, (_, i) => i + 1),
  inside: Float64Array.from({ length: LAYERS }, (_, i) => 2 ** 21 * (1000 + i + 0.5)),
};

/** Draws of the given pairs of words, and what had to be finished: those come out as 7. */
function draw(
  pairs: readonly (readonly [low: number, high: number])[],
  twoSided = true,
): { values: number[]; finished: [layer: number, position: number][] } {
  const finished: [number, number][] = [];
  const sampler = zigguratSampler(ziggurat, {
    twoSided,
    finish: (_, layer, position) => {
      finished.push([layer, position]);
      return 7;
    },
  });
  const values = new Float64Array(pairs.length);
  const words = [...pairs.map(([low]) => low), ...pairs.map(([, high]) => high)];
  withExactly(words, (source) => fillFromZiggurat(source, values, { sampler, scale: 2 }));
  return { values: [...values], finished };
}

/** The word of a layer, a sign, and the lowest 21 bits of the position. */
const low = (layer: number, { negative = false, bits = 0 } = {}): number =>
  bits * 2 ** 11 + (negative ? 512 : 0) + layer;

Deno.test("fillFromZiggurat() takes layer, sign and 53 bits of position from two words", () => {
  const { values, finished } = draw([
    [low(3), 5],
    [low(3, { bits: 77 }), 5],
    [low(3, { negative: true, bits: 77 }), 5],
    [low(511, { bits: 2 ** 21 - 1 }), 1510],
  ]);
  const at = 5 * 2 ** 21;
  assertEquals(values, [8 * at, 8 * (at + 77), -8 * (at + 77), 1024 * (1511 * 2 ** 21 - 1)]);
  assertEquals(finished, []);
});

Deno.test("fillFromZiggurat() has every draw finished that may be outside, and no other", () => {
  const { values, finished } = draw([
    [low(3), 1002],
    [low(3), 1003],
    [low(3, { negative: true, bits: 9 }), 1003],
    [low(0, { bits: 2 ** 21 - 1 }), 999],
    [low(0), 1000],
  ]);
  assertEquals(values, [8 * 1002 * 2 ** 21, 14, -14, 2 * (1000 * 2 ** 21 - 1), 14]);
  assertEquals(finished, [[3, 1003 * 2 ** 21], [3, 1003 * 2 ** 21 + 9], [0, 1000 * 2 ** 21]]);
});

Deno.test("fillFromZiggurat() has no negative draws of a density on one side", () => {
  const { values } = draw(
    [[low(3, { negative: true }), 5], [low(3, { negative: true }), 2000]],
    false,
  );
  assertEquals(values, [8 * 5 * 2 ** 21, 14]);
});

Deno.test("fillFromZiggurat() draws two words a draw, whatever the blocks held before", () => {
  for (const length of [0, 1, 5, 8, 9, 2047, 2048, 2049, 4096]) {
    const blocks = [borrowWordBlock(), borrowWordBlock()];
    for (const block of blocks) returnWordBlock(block.fill(0xffffffff));
    // Blocks of draws follow each other: words of one block, then those of the next.
    const finished: number[] = [];
    const sampler = zigguratSampler(ziggurat, {
      twoSided: true,
      finish: (_, layer) => {
        finished.push(layer);
        return 0;
      },
    });
    const values = new Float64Array(length).fill(NaN);
    const words = new Array(2 * length).fill(0);
    withExactly(words, (source) => fillFromZiggurat(source, values, { sampler, scale: 1 }));
    assertEquals(finished, []);
    assertEquals(values, new Float64Array(length));
  }
});

Deno.test("fillFromZiggurat() keeps what waits when finishing a draw draws others", () => {
  const other = zigguratSampler(ziggurat, { twoSided: true, finish: () => 1 });
  const scratch = new Float64Array(3000), waiting = new Array(40).fill(2 ** 32 - 1);
  let count = 0;
  const sampler = zigguratSampler(ziggurat, {
    twoSided: false,
    finish: () => {
      fillFromZiggurat(new SeededSource(1), scratch, { sampler: other, scale: 1 });
      return ++count;
    },
  });
  const values = new Float64Array(20);
  withExactly(waiting, (source) => fillFromZiggurat(source, values, { sampler, scale: 1 }));
  assertEquals([...values], Array.from({ length: 20 }, (_, i) => i + 1));
});
