import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Predictor } from "../../../../../lib/judge/audit/model/prediction/predictor.ts";
import { Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { block, countOf, EFFORTS, NONE, normal, total, values } from "./predictor_outputs.ts";

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

// Mutants: a serialized predictor that still grows at the next doubling, or lets a candidate replace its partition.
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
