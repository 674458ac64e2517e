import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import { Predictor } from "../../../../lib/audit/prediction/predictor.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { Thrown } from "../../../../lib/audit/subjects/subject.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import {
  block,
  countOf,
  EFFORTS,
  NONE,
  normal,
  type Sides,
  total,
  values,
} from "./predictor_outputs.ts";

const output = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(NaN, Infinity, "a 1", "b", true, null, {}) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(new Thrown("no")) },
);

/** Outputs of any shape, many of one batch or none. */
const outputs = fc.oneof(
  fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 90 }),
  )
    .map(([width, all]) => block(width, all.slice(0, all.length - all.length % width))),
  fc.array(fc.oneof(fc.double(), fc.constant(NaN)), { maxLength: 60 }).map((all) => block(1, all)),
  fc.array(output, { maxLength: 40 }).map(values),
  fc.constant(NONE),
);

// Mutants: missing numbers counted nowhere, a block of another width read as if it had the old one, a
// partition grown on the outputs of one side only, errors on empty batches.
Deno.test("Predictor counts every output once on its side, of any shape, before and after freeze()", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(outputs, outputs), { maxLength: 8 }),
      fc.nat(8),
      fc.constantFrom(...EFFORTS),
      (sides, freezeAt, effort) => {
        const predictor = new Predictor({ effort, centres: [0, 1] });
        const seen = [0, 0];
        sides.forEach(([left, right], k) => {
          if (k === freezeAt) predictor.freeze({ alpha: 0.05, draws: 1000 });
          const own = [countOf(left), countOf(right)];
          const batch = predictor.observe(left, right);
          assertEquals([total(batch.counts, 0), total(batch.counts, 1)], own);
          assertEquals([total(batch.before, 0), total(batch.before, 1)], seen);
          assertEquals(batch.draws, own[0]! + own[1]!);
          own.forEach((count, side) => seen[side]! += count);
          assertEquals([total(predictor.counts, 0), total(predictor.counts, 1)], seen);
          assertEquals(predictor.draws, seen[0]! + seen[1]!);
          const inner = [...predictor.counts.keys()].filter((at) =>
            !predictor.leaves.includes(at >> 1)
          );
          assert(inner.every((at) => predictor.counts[at] === 0));
          for (const odds of predictor.logOdds) {
            for (const leaf of predictor.leaves) assert(Number.isFinite(odds[leaf]!));
          }
        });
      },
    ),
    { seed: 101, numRuns: 150 },
  );
});

// Mutants: a frozen predictor that still grows at the next doubling, or lets a candidate replace its partition.
Deno.test("Predictor.freeze() fixes the partition for good, while it goes on counting", () => {
  for (const effort of EFFORTS) {
    for (const [width, n] of [[1, 300], [4, 3000], [1, 0]] as const) {
      const predictor = new Predictor({ effort });
      if (n > 0) predictor.observe(...normal(n, { width, shift: 1, seed: 1 }));
      predictor.freeze({ alpha: 0.05, draws: 10_000 });
      const { partition, encoder, leaves } = predictor;
      const copy = structuredClone({ ...partition, features: [] });
      for (let k = 0; k < 8; k++) {
        predictor.observe(...normal(200 * 2 ** k, { width, shift: -1, seed: 10 + k }));
        assert(predictor.partition === partition && predictor.encoder === encoder);
        assertEquals(predictor.leaves, leaves);
      }
      assertEquals({ ...partition, features: [] }, copy);
      assertEquals(total(predictor.counts, 0), n + 200 * 255);
    }
  }
});

// Mutants: bits ignored; several numbers, or a store that is not full, taken for simple; few rows not.
Deno.test("Predictor.isSimple is true when the counts hold all information", () => {
  const fill = (predictor: Predictor, width: number): Predictor => {
    for (let k = 0; !predictor.isSimple && k < 12; k++) {
      predictor.observe(...normal(50_000, { width, shift: 0.1, seed: 400 + k }));
    }
    return predictor;
  };
  assert(!new Predictor().isSimple);
  const effort = "sparing";
  assert(fill(new Predictor({ effort }), 1).isSimple);
  assert(!fill(new Predictor({ effort, centres: [0] }), 1).isSimple);
  assert(!fill(new Predictor({ effort }), 2).isSimple);
  const few = new Predictor({ effort });
  const coins = (seed: number): Outputs => {
    const source = new SeededSource("coins").split(seed);
    return block(2, Array.from({ length: 100_000 }, () => source.uint32() & 1));
  };
  for (let k = 0; k < 4; k++) few.observe(coins(2 * k), coins(2 * k + 1));
  assert(few.isSimple);
});

// Mutants: a store that forgets the draws before it was full, or goes on growing; candidates with other counts;
// draws that fill the store counted with effort sparing, or not counted with effort thorough.
Deno.test("Predictor counts on when its store is full, in one partition or a candidate", () => {
  const predictor = new Predictor({ effort: "sparing" });
  const width = 128;
  let seen = 0;
  for (let k = 0; k < 12; k++) {
    const n = 500;
    const batch = predictor.observe(...normal(n, { width, shift: 0.1, seed: 200 + k }));
    assertEquals(total(batch.counts, 0) + total(batch.counts, 1), 2 * n);
    // The second batch fills the store. The tree of few outputs begins with counts of 0, its candidates do not.
    seen = k === 1 ? 0 : seen + n;
    const both = [total(predictor.counts, 0), total(predictor.counts, 1)];
    assertEquals(both[0], both[1]);
    assert(both[0] === seen || (k > 1 && both[0] === n * (k + 1)), `${both[0]} after ${k}`);
  }
  // 128 shifts of a tenth are together one of 1.13 deviations: their sum has log odds beyond 1.
  const odds = predictor.logOdds[0]!;
  const ofLargeOdds = predictor.leaves.filter((leaf) => Math.abs(odds[leaf]!) > 1)
    .reduce((sum, leaf) => sum + predictor.counts[2 * leaf]! + predictor.counts[2 * leaf + 1]!, 0);
  assert(ofLargeOdds > 0.2 * predictor.draws, `${ofLargeOdds} of ${predictor.draws}`);
  // With effort thorough the store holds more, and the draws that fill it are counted.
  const thorough = new Predictor({ effort: "thorough" });
  thorough.observe(...normal(1500, { width, shift: 0.1, seed: 200 }));
  assertEquals([total(thorough.counts, 0), total(thorough.counts, 1)], [1500, 1500]);
});

// Mutant: the rows that the tree was grown on stay counted by cross-fitted scores, which later outputs never have.
Deno.test("Predictor counts past outputs by the scores that later outputs have", () => {
  const predictor = new Predictor({ effort: "thorough" });
  const source = new SeededSource("coins");
  const width = 8, seen: Sides[] = [];
  const coins = (n: number, chance: number): Outputs =>
    block(width, Array.from({ length: n * width }, () => Number(source.uniform() < chance)));
  for (let k = 0; k < 10; k++) {
    const sides = [coins(2000, 0.5), coins(2000, 0.55)] as const;
    seen.push(sides);
    predictor.observe(...sides);
  }
  const { partition, counts } = predictor;
  assert(partition.features.some(({ kind }) => kind === "score"));
  const expected = new Float64Array(counts.length);
  const countLeaves = compileCountLeaves(partition, width);
  for (const sides of seen) {
    sides.forEach(({ values }, label) =>
      countLeaves(values as Float64Array, label as 0 | 1, expected)
    );
  }
  assertEquals(counts, expected);
});

// Mutants: counts or odds of the draws before kept, or those of the candidates, one of which is best in the
// end; another partition; a predictor that grows again.
Deno.test("Predictor.resetCounts() sets all counts to 0 and keeps the partitions", () => {
  // With a full store, and with one that is still filling.
  for (const effort of EFFORTS) {
    for (const n of effort === "sparing" ? [80_000, 3000] : [3000]) {
      const predictor = new Predictor({ effort });
      const draw = (count: number, seed: number): PredictionBatch =>
        predictor.observe(...normal(count, { width: 2, shift: 0.4, seed }));
      for (let k = 0; k < 4; k++) draw(n / 4, 300 + k);
      const closed = n > 3000 ? predictor.partition : undefined;
      assert(predictor.logOdds.some((odds) => odds.some((own) => own !== 0)));
      predictor.resetCounts();
      const { partition } = predictor;
      if (closed !== undefined) assert(partition === closed);
      assert(partition.left.length > 1);
      assertEquals([predictor.draws, total(predictor.counts, 0), total(predictor.counts, 1)], [
        0,
        0,
        0,
      ]);
      for (const odds of predictor.logOdds) {
        assert(predictor.leaves.every((leaf) => Math.abs(odds[leaf]!) < 1e-9));
      }
      const batch = draw(1000, 310);
      assertEquals(batch.before, new Float64Array(batch.before.length));
      for (let k = 0; k < 4; k++) draw(3000, 311 + k);
      // Fewer draws than the first review needs.
      assert(predictor.partition === partition);
      assertEquals([total(predictor.counts, 0), total(predictor.counts, 1)], [13_000, 13_000]);
      assertEquals(predictor.draws, 26_000);
      predictor.freeze({ alpha: 0.05, draws: 1e6 });
      assertEquals([total(predictor.counts, 0), total(predictor.counts, 1)], [13_000, 13_000]);
    }
  }
});
