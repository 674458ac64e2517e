import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { pure } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { clampedVectorMean } from "../../../lib/papers/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

function average(rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** An aggregator that tells everything: shows what the blocks made. */
function telling<Estimate>(): Mechanism<Estimate, Estimate[]> {
  return {
    name: "telling",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: (estimates) => [...estimates],
  };
}

const rows = Array.from({ length: 23 }, (_, i) => i);

Deno.test("subsampleAndAggregate() puts every row into one block, of equal sizes or by itself", () => {
  const source = new SeededSource(650);
  for (const relation of [replaceOne, addRemoveOne]) {
    const mechanism = subsampleAndAggregate<number, readonly number[], (readonly number[])[]>({
      blocks: 5,
      estimator: (block) => block,
      fallback: [],
      aggregator: telling(),
      relation,
    });
    const sizes = new Set<string>(), firsts = new Set<number>();
    for (let run = 0; run < 200; run++) {
      const divided = mechanism.sample(rows, source);
      assertEquals(divided.length, 5);
      assertEquals(divided.flat().sort((a, b) => a - b), rows);
      sizes.add(divided.map(({ length }) => length).join());
      firsts.add(divided.findIndex((block) => block.includes(0)));
    }
    assertEquals(firsts.size, 5);
    if (relation === replaceOne) assertEquals([...sizes], ["5,5,5,4,4"]);
    else assert(sizes.size > 50);
  }
});

Deno.test("one row changes one estimate, also where the aggregator would judge estimates together", () => {
  const mechanism = subsampleAndAggregate<number, number, readonly number[]>({
    blocks: 4,
    estimator: average,
    fallback: 2,
    aggregator: {
      name: "what it is given",
      claim: pure({ epsilon: 1, relation: replaceOne }),
      check(values): void {
        if (average(values) < 0) throw new RangeError("a negative sum");
      },
      sample: (values) => values,
    },
    relation: replaceOne,
  });
  const outputs = (data: readonly number[]): readonly number[] =>
    mechanism.sample(data, new SeededSource(655)).toSorted((a, b) => a - b);
  assertEquals(outputs([-1, 3, 4, 5]), [2, 3, 4, 5]);
  assertEquals(outputs([-1, 3, 4, -50]), [2, 2, 3, 4]);
});

interface Labelled {
  readonly features: readonly number[];
  readonly label: number;
}

Deno.test("pluralityVote() lacks at most 2·ln(m/β)/ε votes of the most", () => {
  const source = new SeededSource(656), epsilon = 0.5, beta = 0.1, runs = 2000;
  const counts = [30, 28, 10, 4, 0];
  const votes = [...counts.flatMap((count, i) => new Array<number>(count).fill(i)), 77];
  const vote = pluralityVote({ candidates: [0, 1, 2, 3, 4], epsilon });
  const chosen = [0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run++) chosen[vote.sample(votes, source)]!++;
  const short = 2 * Math.log(5 / beta) / epsilon;
  const within = chosen.reduce((sum, times, i) => counts[i]! >= 30 - short ? sum + times : sum, 0);
  assert(within / runs >= 1 - beta);
  // The ratio of the first two is e^(ε·2/2): |z| ≤ 4.5, false alarm 7e-6.
  const p = 1 / (1 + Math.exp(-epsilon)), both = chosen[0]! + chosen[1]!;
  assertAlmostEquals(chosen[0]! / both, p, 4.5 * Math.sqrt(p * (1 - p) / both));
});

Deno.test("clampedVectorMean() adds noise of scale 2·bound·d/(kε) and keeps to the bound", () => {
  const mechanism = clampedVectorMean({ dimension: 2, bound: 1, granularity: 2 ** -8, epsilon: 8 });
  const source = new SeededSource(657), vectors = [[0.25, 9], [-0.25, 9], [0, 9], [0, 9]];
  const runs = 4000, scale = 4 / (4 * 8);
  let sum = 0, errors = 0;
  for (let run = 0; run < runs; run++) {
    const [first, second] = mechanism.sample(vectors, source);
    sum += first!;
    errors += Math.abs(first!);
    assert(second! <= 1 && second! > -1);
  }
  // |z| ≤ 4.5: false alarm 7e-6 each; the absolute noise has mean and deviation `scale`.
  assertAlmostEquals(sum / runs, 0, 4.5 * scale * Math.SQRT2 / Math.sqrt(runs));
  assertAlmostEquals(errors / runs, scale, 4.5 * scale / Math.sqrt(runs));
  assertThrows(() => mechanism.check!([]), RangeError);
  assertThrows(() => mechanism.check!([[1]]), RangeError);
  assertThrows(() => mechanism.check!([[1, Infinity]]), RangeError);
});
