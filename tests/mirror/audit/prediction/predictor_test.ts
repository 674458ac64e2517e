import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { jointSigns } from "../../../../fixtures/joint_signs.ts";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import {
  type DatasetDifference,
  datasetDifferenceOf,
} from "../../../../lib/audit/location_shift/dataset_difference.ts";
import type { Effort } from "../../../../lib/audit/prediction/effort.ts";
import { Predictor } from "../../../../lib/audit/prediction/predictor.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { Thrown } from "../../../../lib/audit/subjects/subject.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { normalRows } from "../labelled_rows.ts";
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

// Mutants: the density learned from the batch too, a shift predicted at any effort or in any direction, sides
// exchanged.
Deno.test("Predictor.observe() predicts a location shift by the outputs before the batch", () => {
  const shifted = (
    effort: Effort,
    right: readonly number[],
    last: Sides,
  ): PredictionBatch["shifted"] => {
    const predictor = new Predictor({
      effort,
      difference: datasetDifferenceOf({ left: [1], right }),
    });
    for (let seed = 1; seed < 5; seed++) {
      const first = predictor.observe(...normal(400, { shift: 1, seed }));
      assertEquals(first.shifted === undefined, seed === 1 || effort !== "quick" || right[0] === 1);
    }
    return predictor.observe(...last).shifted;
  };
  const batch: Sides = [block(1, [-9, -8, -7, 9]), block(1, [9, 9, 9, 9, 9, -9])];
  const up = shifted("quick", [2], batch)!, down = shifted("quick", [0], batch)!;
  const end = 2 * up.leaves.length - 4;
  assertEquals([...up.counts.slice(0, 2), ...up.counts.slice(end, end + 2)], [3, 1, 1, 5]);
  assertEquals([...down.counts.slice(0, 2), ...down.counts.slice(end, end + 2)], [1, 5, 3, 1]);
  // Outputs move up by 1, a standard deviation: at the ends that is a few nats.
  assert(up.asSeen[0]! < -1 && up.asSeen[end / 2]! > 1, `${up.asSeen}`);
  assert(down.asSeen.every((odds) => odds === 0));
  assertEquals(shifted("quick", [1], batch), undefined);
  assertEquals(shifted("thorough", [2], batch), undefined);
  assertEquals(shifted("sparing", [2], batch), undefined);
  const other = shifted("quick", [2], [batch[1], batch[0]])!;
  for (const key of ["before", "halves", "asData", "asSeen"] as const) {
    assertEquals(other[key], up[key]);
  }
});

// Mutant: the direction of each number forgotten where scores are learned.
Deno.test("Predictor pools numbers that move in opposite directions, by the difference of the data", () => {
  const width = 16, n = 4000, shift = Array.from({ length: width }, (_, j) => j % 2 ? -0.1 : 0.1);
  const { rows, labels } = normalRows({ n, shift, seed: 31 });
  const side = (label: number): Outputs =>
    block(width, rows.filter((_, at) => labels[Math.floor(at / width)] === label));
  const information = (difference?: DatasetDifference): number => {
    const predictor = new Predictor(difference === undefined ? {} : { difference });
    predictor.observe(side(0), side(1));
    return predictor.information;
  };
  const signed = information(datasetDifferenceOf({ left: shift.map(() => 0), right: shift }));
  assert(signed > 1.5 * information(), `${signed}, ${information()}`);
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

// Mutants: labels exchanged; odds of the training draws alone; nothing learned after freeze().
Deno.test("Predictor learns the log odds of randomised response, and learns again when they change", () => {
  const source = new SeededSource("response");
  const response = (truth: number): Sides => {
    const side = (row: number): Outputs =>
      block(1, Array.from({ length: 1000 }, () => source.uniform() < truth ? row : 1 - row));
    return [side(0), side(1)];
  };
  const predictor = new Predictor();
  /** The odds of the leaf that each of the two outputs falls into. */
  const learned = (): number[] =>
    [0, 1].map((row) => {
      const { counts, logOdds } = predictor.observe(block(1, [row]), NONE);
      return logOdds[0]![counts.indexOf(1) >> 1]!;
    });
  for (let k = 0; k < 20; k++) predictor.observe(...response(0.75));
  // Standard error of a log odds at 20,000 draws of an output: 0.0163.
  learned().forEach((odds, row) => assertAlmostEquals(odds, (2 * row - 1) * Math.log(3), 0.08));
  predictor.freeze({ alpha: 0.05, draws: 1e5 });
  learned().forEach((odds, row) => assertAlmostEquals(odds, (2 * row - 1) * Math.log(3), 0.08));
  for (let k = 0; k < 60; k++) predictor.observe(...response(0.5));
  // A quarter of all draws said the truth three times in four: 0.5625 of them.
  learned().forEach((odds, row) => assertAlmostEquals(odds, (2 * row - 1) * Math.log(9 / 7), 0.04));
});

// Mutants: missing outputs that no split separates, a shape that only an encoder of the other side has.
Deno.test("Predictor separates the sides by missing numbers, lengths, kinds and errors", () => {
  const many = (one: unknown, other: unknown, share: number): unknown[] =>
    Array.from({ length: 400 }, (_, i) => i < 400 * share ? one : other);
  const cases: readonly Sides[] = [
    [
      block(1, Array.from({ length: 400 }, (_, i) => i < 200 ? NaN : i)),
      block(1, Array(400).keys()),
    ],
    [values(many([1, 2], [1, 2, 3], 0.9)), values(many([1, 2], [1, 2, 3], 0.1))],
    [values(many("a", "b", 0.9)), values(many("a", "b", 0.1))],
    [values(many(new Thrown("x"), 1, 0.5)), values(many(new Thrown("x"), 1, 0))],
    [block(1, Array(400).keys()), block(2, Array(800).keys())],
  ];
  for (const [left, right] of cases) {
    const predictor = new Predictor();
    for (let k = 0; k < 3; k++) predictor.observe(left, right);
    const largest = predictor.leaves.reduce(
      (most, leaf) => Math.max(most, Math.abs(predictor.logOdds[2]![leaf]!)),
      0,
    );
    assert(largest > 1.5, `${left.values.slice(0, 1)} ${right.values.slice(0, 1)}: ${largest}`);
  }
});
