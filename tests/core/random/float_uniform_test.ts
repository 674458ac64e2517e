import { assert, assertEquals } from "@std/assert";
import { floatUniform } from "../../../lib/core/random/float_uniform.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { FALSE_ALARM, twoSided } from "./goodness_of_fit.ts";
import { withExactly } from "./exact_words.ts";
import { mutantSource } from "./mutant_source.ts";

/** The lowest p-value over the 53 bits of uniform draws, times 53. */
function bitsFit(draws: Float64Array): number {
  const ones = new Float64Array(53);
  for (const x of draws) {
    const high = Math.floor(x * 2 ** 26), low = (x * 2 ** 26 - high) * 2 ** 27;
    for (let bit = 0; bit < 26; bit++) ones[bit]! += (high >>> bit) & 1;
    for (let bit = 0; bit < 27; bit++) ones[26 + bit]! += (low >>> bit) & 1;
  }
  const scores = ones.map((count) => (2 * count - draws.length) / Math.sqrt(draws.length));
  return 53 * Math.min(...scores.map(twoSided));
}

Deno.test("floatUniform() has 53 fair bits", () => {
  const source = new SeededSource("uniform bits");
  assert(bitsFit(floatUniform(source, new Float64Array(1 << 18))) > FALSE_ALARM);
  const mutant = mutantSource(source, (block) => {
    for (let i = block.length / 2; i < block.length; i++) block[i] = 0;
  });
  assert(bitsFit(floatUniform(mutant, new Float64Array(1 << 18))) < FALSE_ALARM);
});

Deno.test("floatUniform() stays in the open interval when words are all zeros or all ones", () => {
  const source = new SeededSource(1);
  const zeros = mutantSource(source, (block) => block.fill(0));
  const ones = mutantSource(source, (block) => block.fill(0xffffffff));
  assert(floatUniform(zeros, new Float64Array(5000)).every((x) => x > 0 && x < 1));
  assert(floatUniform(ones, new Float64Array(5000)).every((x) => x === 1 - 2 ** -53));
});

Deno.test("floatUniform() draws again what is zero, there and nowhere else", () => {
  const ones = new Array(64).fill(2 ** 31), zeros = new Array(64).fill(0);
  for (const places of [[0], [0, 1], [5, 63], [63]]) {
    const high = ones.map((word, i) => places.includes(i) ? 0 : word);
    const again = places.flatMap((i) => [i + 1, 0]);
    const drawn = withExactly(
      [...high, ...zeros, ...again],
      (source) => floatUniform(source, new Float64Array(64)),
    );
    assertEquals([...drawn], ones.map((_, i) => places.includes(i) ? (i + 1) / 2 ** 32 : 0.5));
  }
  // A high word of zeros is no zero where the low word is not: nothing is drawn again.
  const low = withExactly(
    [...zeros, ...new Array(64).fill(2048)],
    (source) => floatUniform(source, new Float64Array(64)),
  );
  assertEquals([...low], new Array(64).fill(2 ** -53));
});
