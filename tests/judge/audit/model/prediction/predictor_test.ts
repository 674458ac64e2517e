import { assert, assertEquals } from "@std/assert";
import { jointSigns } from "../../../../../fixtures/judge/joint_signs.ts";
import type { PredictionBatch } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { Predictor } from "../../../../../lib/judge/audit/model/prediction/predictor.ts";
import type { Outputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { block, EFFORTS, NONE, normal, type Sides, values } from "./predictor_outputs.ts";

// Mutants: odds computed after the batch was counted, a tree grown on the batch before it is bet on.
Deno.test("Predictor.observe() predicts a batch by what came before, whatever the batch", () => {
  const history = [40, 200, 60, 1200, 1500].map((n, k) =>
    normal(n, { width: 2, shift: 1, seed: k })
  );
  const batches: Sides[] = [
    normal(500, { width: 2, shift: -5, seed: 90 }),
    normal(500, { width: 2, shift: 5, seed: 91 }),
    [NONE, NONE],
    [values(["a", [1, 2], null, NaN]), NONE],
  ];
  for (const effort of EFFORTS) {
    for (let seen = 0; seen <= history.length; seen++) {
      const predicted = batches.map(([left, right]) => {
        const predictor = new Predictor({ effort });
        for (const [a, b] of history.slice(0, seen)) predictor.observe(a, b);
        const { logOdds, leaves, before } = predictor.observe(left, right);
        return { logOdds, leaves, before };
      });
      for (const other of predicted.slice(1)) assertEquals(other, predicted[0]);
    }
  }
});

// Parities and scores are chosen by labels. Mutants: a tree grown on the batch before it is bet on; odds computed after the batch
// was counted.
Deno.test("Predictor.observe() predicts a batch of wide outputs alike when its labels change places", () => {
  const width = 10;
  const mechanism = jointSigns({ width, at: [1, 4, 8], epsilon: 1 });
  const source = new SeededSource(36);
  const draw = (row: number, count: number): Outputs =>
    block(width, mechanism.sampleMany!([row], count, source));
  const history = [300, 500, 1500].map((n): Sides => [draw(0, n), draw(1, n)]);
  const left = draw(0, 400), right = draw(1, 400);
  for (const effort of EFFORTS) {
    for (let seen = 0; seen <= history.length; seen++) {
      const [one, exchanged] = ([[left, right], [right, left]] as const).map((sides) => {
        const predictor = new Predictor({ effort });
        for (const [a, b] of history.slice(0, seen)) predictor.observe(a, b);
        const { partition } = predictor;
        const { logOdds, leaves, before, counts } = predictor.observe(...sides);
        const places = Float64Array.from(counts, (_, at) => counts[at ^ 1]!);
        return {
          logOdds,
          leaves,
          before,
          counts,
          places,
          names: partition.features.map(({ name }) => name),
        };
      });
      assertEquals(one!.logOdds, exchanged!.logOdds);
      assertEquals(one!.leaves, exchanged!.leaves);
      assertEquals(one!.before, exchanged!.before);
      assertEquals(one!.counts, exchanged!.places);
      if (seen === history.length) assert(one!.names.some((name) => name.startsWith("odd(")));
    }
  }
});

// Mutant: one array for the counts of a batch and of the predictor, or odds that are overwritten later.
Deno.test("Predictor.observe()'s batches do not change with what is learned later", () => {
  const predictor = new Predictor();
  const batches: { own: PredictionBatch; copy: PredictionBatch }[] = [];
  for (let k = 0; k < 8; k++) {
    const own = predictor.observe(...normal(100 + 100 * k, { shift: 1, seed: k }));
    batches.push({ own, copy: structuredClone(own) });
  }
  for (const { own, copy } of batches) assertEquals(own, copy);
});
