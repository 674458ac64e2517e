import { assert, assertEquals } from "@std/assert";
import type { Source } from "../../../lib/core/source.ts";
import { bernoulli } from "../../../lib/random/bernoulli.ts";
import { discreteLaplace } from "../../../lib/random/discrete_laplace.ts";
import { floatNormal } from "../../../lib/random/float_normal.ts";
import { floatUniform } from "../../../lib/random/float_uniform.ts";
import { rational } from "../../../lib/numeric/rational.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import {
  BLOCK,
  borrowWordBlock,
  fillPairs,
  fillWords,
  returnWordBlock,
  valuesOfBlock,
} from "../../../lib/random/word_block.ts";
import { withExactly } from "./exact_words.ts";

/** 1, 2, 3, … */
const counted = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

Deno.test("borrowWordBlock() lends no block twice, each with two words a draw", () => {
  const blocks = Array.from({ length: 10 }, borrowWordBlock);
  assertEquals(new Set(blocks).size, blocks.length);
  for (const block of blocks) assertEquals(block.length, 2 * BLOCK);
  blocks.forEach(returnWordBlock);
  assert(Array.from({ length: 10 }, borrowWordBlock).every((block) => blocks.includes(block)));
});

Deno.test("samplers hand their blocks of words back", () => {
  const laplace = discreteLaplace({ scale: rational(3) });
  const samplers: Record<string, (source: Source) => void> = {
    bernoulli: (source) => bernoulli(source, new Uint8Array(10), { probability: 0.5 }),
    uniform: (source) => floatUniform(source, new Float64Array(100)),
    normal: (source) => floatNormal(source, new Float64Array(10)),
    laplace: (source) => laplace.fill(source, new Float64Array(10)),
  };
  const two = [borrowWordBlock(), borrowWordBlock()];
  for (const [name, sample] of Object.entries(samplers)) {
    two.forEach(returnWordBlock);
    sample(new SeededSource(name));
    assert([borrowWordBlock(), borrowWordBlock()].every((block) => two.includes(block)), name);
  }
  two.forEach(returnWordBlock);
});

Deno.test("valuesOfBlock() is the whole where that fits into a block, and else a part", () => {
  for (const length of [1, 100, BLOCK]) {
    const out = new Float64Array(length);
    assert(valuesOfBlock(out, 0) === out);
  }
  const out = new Float64Array(BLOCK + 5);
  assertEquals([0, BLOCK].map((from) => valuesOfBlock(out, from).byteOffset / 8), [0, BLOCK]);
  assertEquals([0, BLOCK].map((from) => valuesOfBlock(out, from).length), [BLOCK, 5]);
});

Deno.test("fillWords() fills the first words in the order of the source, and no others", () => {
  for (const count of [1, 2, 15, 16, 17, 100, 2 * BLOCK]) {
    const block = new Uint32Array(2 * BLOCK);
    withExactly(counted(count), (source) => fillWords(source, block, count));
    assertEquals([...block.subarray(0, count)], counted(count));
    assert(block.subarray(count).every((word) => word === 0));
  }
});

Deno.test("few words are asked for one by one, and many as blocks", () => {
  const blocks = (fill: (source: Source) => void): number[] => {
    const seen: number[] = [], source = new SeededSource(1);
    const { uint32, fillUint32 } = source;
    source.uint32 = () => (seen.push(1), uint32.call(source));
    source.fillUint32 = (out) => (seen.push(out.length), fillUint32.call(source, out));
    fill(source);
    return seen;
  };
  const block = new Uint32Array(2 * BLOCK);
  assertEquals(blocks((source) => fillWords(source, block, 3)), [1, 1, 1]);
  assertEquals(blocks((source) => fillWords(source, block, 300)), [300]);
  assertEquals(blocks((source) => fillPairs(source, block, 2)), [1, 1, 1, 1]);
  assertEquals(blocks((source) => fillPairs(source, block, 300)), [300, 300]);
  assertEquals(blocks((source) => fillPairs(source, block, BLOCK)), [2 * BLOCK]);
});

Deno.test("fillPairs() fills the first words of all draws, then the second ones", () => {
  for (const count of [1, 2, 7, 8, 9, 100, BLOCK - 1, BLOCK]) {
    const block = new Uint32Array(2 * BLOCK);
    withExactly(counted(2 * count), (source) => fillPairs(source, block, count));
    assertEquals([...block.subarray(0, count)], counted(count));
    assertEquals([...block.subarray(BLOCK, BLOCK + count)], counted(2 * count).slice(count));
    assert(block.subarray(count, BLOCK).every((word) => word === 0));
    assert(block.subarray(BLOCK + count).every((word) => word === 0));
  }
});
