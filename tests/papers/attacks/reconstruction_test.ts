import { assert, assertEquals, assertRejects } from "@std/assert";
import { reconstruct } from "../../../lib/papers/attacks/reconstruction.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { sampleSulq } from "../../../lib/papers/sulq/sulq_database.ts";
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

function wrongShare(guess: Uint8Array, bits: Uint8Array): number {
  return guess.reduce((wrong, bit, i) => wrong + (bit === bits[i] ? 0 : 1), 0) / bits.length;
}

/** The share of rows guessed wrong when SuLQ answers with noise of this deviation. */
async function attackSulq(size: number, deviation: number, seed: number): Promise<number> {
  const { bits, queries } = randomAttack(size, new SeededSource(seed));
  const rows = Array.from(bits, (bit, i) => ({ bit, i }));
  const database = sampleSulq(new SeededSource(seed).split("noise"), {
    data: rows,
    variance: deviation ** 2,
    queries: queries.length,
    relation: replaceOne,
  });
  const answers = queries.map((query) => database.ask(({ bit, i }) => query[i]! * bit));
  return wrongShare((await reconstruct({ size, queries, answers })).bits, bits);
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

Deno.test("reconstruct() takes nearly all of a database that answers within o(√n), and not one with noise of √n and more", async () => {
  const size = 96;
  // √96 = 9.8. A tenth of it: all but a few rows fall (Theorem 3). Four times it: guessing.
  assert(await attackSulq(size, 0.1 * Math.sqrt(size), 621) <= 0.02);
  assert(await attackSulq(size, 4 * Math.sqrt(size), 622) >= 0.25);
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
