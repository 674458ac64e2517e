import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { natsOfLost } from "../../../../../lib/judge/audit/kernel/shards/lost_attempts.ts";

/** All sets of `size` different attempts among those of so many shards and levels, as their numbers. */
function* patterns(attempts: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let k = from; k < attempts.length; k++) {
    for (const rest of patterns(attempts, size - 1, k + 1)) yield [attempts[k]!, ...rest];
  }
}

// Mutants: no 2⁻ʲ; d! twice; no share for the pattern without a loss.
Deno.test("the shares of the level that patterns of lost attempts have add up to at most 1", () => {
  for (const shards of [1, 2, 3]) {
    // Attempts 1 to 5 at each shard: later ones have 1/32 of a share among them.
    const attempts = Array.from({ length: 5 * shards }, (_, k) => 1 + Math.floor(k / shards));
    let sum = 0;
    for (let size = 0; size <= 4; size++) {
      let own = 0;
      for (const lost of patterns(attempts, size)) own += Math.exp(-natsOfLost(lost, shards));
      assert(own <= 7 / 8 * (1 / 8) ** size * (1 + 1e-9), `${shards} shards, ${size} lost: ${own}`);
      sum += own;
    }
    assert(sum <= 1 && sum > 0.9, `${shards}: ${sum}`);
  }
});

Deno.test("natsOfLost() is next to nothing without a loss, and does not depend on the order of losses", () => {
  assertAlmostEquals(natsOfLost([], 100), -Math.log(7 / 8), 1e-12);
  assertEquals(natsOfLost([1, 2, 1], 10), natsOfLost([2, 1, 1], 10));
  assertAlmostEquals(natsOfLost([1], 64) - natsOfLost([], 64), Math.log(64 * 8 * 2), 1e-12);
});
