import { assertEquals, assertRejects } from "@std/assert";
import { reconstruct } from "../../../lib/papers/attacks/reconstruction.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

interface Attack {
  readonly bits: Uint8Array;
  readonly queries: readonly Uint8Array[];
}

/** n random bits and 4n random subsets of them. */
function randomAttack(size: number, source: SeededSource): Attack {
  const coins = (): Uint8Array => Uint8Array.from({ length: size }, () => source.uint32() & 1);
  return { bits: coins(), queries: Array.from({ length: 4 * size }, coins) };
}

Deno.test("reconstruct() finds every bit when answers are exact", async () => {
  for (const size of [1, 2, 7, 40]) {
    const { bits, queries } = randomAttack(size, new SeededSource(620).split(size));
    const answers = queries.map((query) =>
      query.reduce((sum, member, i) => sum + member * bits[i]!, 0)
    );
    // Every row must be in some query for its bit to be known.
    for (let i = 0; i < size; i++) {
      queries[i]!.fill(0)[i] = 1;
      answers[i] = bits[i]!;
    }
    assertEquals((await reconstruct({ size, queries, answers })).bits, bits);
  }
});

Deno.test("reconstruct() stands a tenth of wild answers", async () => {
  const { bits, queries } = randomAttack(64, new SeededSource(623));
  const answers = queries.map((query, q) =>
    q % 10 === 0 ? 64 : query.reduce((sum, member, i) => sum + member * bits[i]!, 0)
  );
  assertEquals((await reconstruct({ size: 64, queries, answers })).bits, bits);
});

Deno.test("reconstruct() refuses queries and answers that do not fit together", async () => {
  const queries = [Uint8Array.of(1, 0)];
  const bad = [
    { size: 2, queries, answers: [] },
    { size: 3, queries, answers: [1] },
    { size: 2, queries, answers: [NaN] },
    { size: 2, queries: [], answers: [] },
    { size: 0, queries, answers: [1] },
  ];
  for (const each of bad) await assertRejects(() => reconstruct(each), RangeError, "Cannot");
});
