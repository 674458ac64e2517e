import { assert, assertEquals } from "@std/assert";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import type { IntegerNoise } from "../../../lib/core/random/integer_noise.ts";
import { chiSquarePValue } from "./chi_square.ts";

/** A source whose first words are given; the rest come from another source. */
export function scripted(words: readonly number[], rest: Source): Source {
  const left = [...words];
  const uint32 = (): number => left.shift() ?? rest.uint32();
  return {
    kind: "seeded",
    uint32,
    uniform: () => rest.uniform(),
    fillUint32: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = uint32();
    },
    split: () => rest,
  };
}

/** Fails when draws do not follow `logProbability`, with false-alarm rate 1e-6. */
export function assertFollows(
  noise: IntegerNoise,
  { draws, cell, cells }: { draws: Float64Array; cell: number; cells: number },
): void {
  // Cells of `cell` integers around 0 and one for everything beyond on each side.
  const counts = new Float64Array(cells + 2), expected = new Float64Array(cells + 2);
  const first = -Math.floor(cells / 2) * cell, last = first + cells * cell - 1;
  for (const x of draws) {
    assert(Number.isSafeInteger(x) && !Object.is(x, -0));
    counts[x < first ? 0 : x > last ? cells + 1 : 1 + Math.floor((x - first) / cell)]!++;
  }
  for (let i = 0; i < cells; i++) {
    const from = first + i * cell;
    expected[i + 1] = draws.length *
      (Math.exp(noise.logUpperTail(from)) - Math.exp(noise.logUpperTail(from + cell)));
  }
  expected[0] = expected[cells + 1] = draws.length * Math.exp(noise.logUpperTail(last + 1));
  assert(chiSquarePValue(counts, expected) > 1e-6);
}

/** Fails unless the probabilities sum to 1 and the tails are their sums, to 1e-9. */
export function assertNormalised(noise: IntegerNoise, reach: number): void {
  let sum = 0;
  for (let x = reach; x >= -reach; x--) {
    sum += Math.exp(noise.logProbability(x));
    if (x % 7 === 0) assert(Math.abs(Math.exp(noise.logUpperTail(x)) - sum) < 1e-9);
  }
  assert(Math.abs(sum - 1) < 1e-9);
  assertEquals(noise.logProbability(0.5), -Infinity);
}
