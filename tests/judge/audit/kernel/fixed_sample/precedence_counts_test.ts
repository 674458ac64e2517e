import { assert, assertEquals } from "@std/assert";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import { precedenceCounts } from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_counts.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

/** Twelfths: a tie of at most four outputs is split by them exactly. */
const PARTS = 12;

/** How often each result of `run` comes up, in twelfths to the power `depth`, with every sequence of `depth` uniforms. */
function lawOfRun(run: (source: Source) => number[], depth: number): Map<string, bigint> {
  const law = new Map<string, bigint>();
  const walk = (path: number[]): void => {
    let used = 0, missing = false;
    const uniform = (): number => {
      if (used === path.length) missing = true;
      return (path[used++] ?? 0) / PARTS;
    };
    const result = run({ kind: "seeded", uniform } as unknown as Source);
    assert(used <= depth, `more than ${depth} uniforms`);
    if (missing) {
      for (let part = 0; part < PARTS; part++) walk([...path, part]);
    } else {
      const key = String(result), weight = BigInt(PARTS) ** BigInt(depth - path.length);
      law.set(key, (law.get(key) ?? 0n) + weight);
    }
  };
  walk([]);
  return law;
}

/** The counts of every order of all outputs, ties in each order, by listing them. */
function lawOfOrders(
  { scores, others }: { readonly scores: Float64Array; readonly others: Float64Array },
  ranks: readonly number[],
): { law: Map<string, bigint>; orders: bigint } {
  const outputs = [
    ...Array.from(scores, (value) => ({ value, own: true })),
    ...Array.from(others, (value) => ({ value, own: false })),
  ];
  const law = new Map<string, bigint>();
  let orders = 0n;
  const place = (placed: typeof outputs, left: typeof outputs): void => {
    if (left.length === 0) {
      const counts = ranks.map((rank) => {
        let own = 0, above = 0;
        for (const output of placed) {
          if (output.own && ++own === rank) return above;
          if (!output.own) above++;
        }
        throw new Error("no such rank");
      });
      orders++;
      law.set(String(counts), (law.get(String(counts)) ?? 0n) + 1n);
      return;
    }
    const largest = Math.max(...left.map((output) => output.value));
    for (const output of left) {
      if (output.value === largest) {
        place([...placed, output], left.filter((other) => other !== output));
      }
    }
  };
  place([], outputs);
  return { law, orders };
}

// Mutants: what is taken kept from the group before, ties won by one side, a group that is not counted down, `<=` for `<`.
Deno.test("precedenceCounts() has the law of all orders of tied outputs, at all ranks together", () => {
  const cases: [number[], number[], number[]][] = [
    [[1], [1], [1]],
    [[1, 1], [1, 1], [1, 2]],
    [[1, 1], [1, 1], [2]],
    [[1, 1, 1], [1], [1, 3]],
    [[1], [1, 1, 1], [1]],
    [[1, 2, 2], [2, 2], [1, 2, 3]],
    [[1, 1, 2, 2], [1, 2], [1, 2, 3, 4]],
    [[1, 1, 3, 3], [1, 1, 2, 3], [1, 3]],
    [[1, 1, 3, 3], [1, 1, 2, 3], [2, 4]],
    [[1, 1, 2, 2], [0, 1, 1, 3], [2, 3]],
    [[1, 2, 3], [1, 2, 3, 3, 4], [1, 2, 3]],
  ];
  for (const [own, other, ranks] of cases) {
    const samples = { scores: Float64Array.from(own), others: Float64Array.from(other) };
    const depth = 6;
    const seen = lawOfRun((source) => precedenceCounts(samples, { ranks, source }), depth);
    const { law, orders } = lawOfOrders(samples, ranks);
    assertEquals([...seen.keys()].sort(), [...law.keys()].sort());
    for (const [counts, number] of law) {
      assertEquals(seen.get(counts)! * orders, number * BigInt(PARTS) ** BigInt(depth));
    }
  }
});

Deno.test("precedenceCounts() counts what lies above, and orders ties at random", () => {
  const source = new SeededSource(5);
  const samples = { scores: Float64Array.of(1, 2, 3, 4), others: Float64Array.of(0, 2.5, 3.5, 9) };
  assertEquals(precedenceCounts(samples, { ranks: [1, 2, 3, 4], source }), [1, 2, 3, 3]);
  // One and one, all equal: the other one is above in half the orders.
  const tied = { scores: Float64Array.of(7), others: Float64Array.of(7) };
  let above = 0;
  for (let i = 0; i < 1000; i++) above += precedenceCounts(tied, { ranks: [1], source })[0]!;
  assert(above > 435 && above < 565, `${above}`); // 4 standard deviations
});
