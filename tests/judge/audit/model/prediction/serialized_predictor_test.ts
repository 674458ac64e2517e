import { assert, assertEquals } from "@std/assert";
import { fromPortable, toPortable } from "../../../../../cli/shards/portable.ts";
import {
  deserializePredictor,
  type SerializedPredictor,
  serializePredictor,
} from "../../../../../lib/judge/audit/model/prediction/serialized_predictor.ts";
import { LeafCounter } from "../../../../../lib/judge/audit/model/prediction/leaf_counter.ts";
import { Predictor } from "../../../../../lib/judge/audit/model/prediction/predictor.ts";
import { Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { block, EFFORTS, NONE, normal, type Sides, total, values } from "./predictor_outputs.ts";

const source = new SeededSource(4).split("outputs");

function side(output: (u: number) => unknown, count: number): ReturnType<typeof values> {
  return values(Array.from({ length: count }, () => output(source.uniform())));
}

/** Outputs of many kinds, so many a side. */
const SHAPES: Readonly<Record<string, (n: number) => Sides>> = {
  "single numbers": (n) => normal(n, { shift: 0.5, seed: 1 + n }),
  "rows of numbers, which have scores": (n) => normal(n, { width: 6, shift: 0.2, seed: 2 + n }),
  "few different rows": (n) => {
    const rows = (p: number) =>
      block(2, Array.from({ length: 2 * n }, () => source.uniform() < p ? 1 : 0));
    return [rows(0.4), rows(0.6)];
  },
  "texts, records, lists and errors": (n) => {
    const one = (p: number) => (u: number): unknown =>
      u < 0.2 * p
        ? "a"
        : u < 0.4
        ? `b ${Math.round(9 * u)}`
        : u < 0.6
        ? { x: u, y: u > 0.5 }
        : u < 0.8
        ? [u, p, -0]
        : u < 0.9
        ? new Thrown("no")
        : NaN;
    return [side(one(0.5), n), side(one(1), n)];
  },
};

// Mutants: a score without its signs; the thresholds of a tree in another order; codes of categories exchanged.
for (const [name, outputs] of Object.entries(SHAPES)) {
  for (const effort of EFFORTS) {
    Deno.test(`a serialized predictor counts as it was, after a journey as JSON: ${name}, ${effort}`, () => {
      const predictor = new Predictor({ effort, difference: { each: [1], distance: 1 } as never });
      for (let batch = 0; batch < 3; batch++) predictor.observe(...outputs(900));
      predictor.freeze({ alpha: 0.05, draws: 1e4 });
      const sent = serializePredictor(predictor);
      const serialized = fromPortable(
        JSON.parse(JSON.stringify(toPortable(sent))),
      ) as SerializedPredictor;
      assertEquals(serialized, sent);
      const restored = deserializePredictor(serialized), counter = new LeafCounter(serialized);
      assertEquals(restored.logOdds, predictor.logOdds);
      assertEquals([restored.draws, restored.keptShare], [predictor.draws, predictor.keptShare]);
      assertEquals(counter.leaves, predictor.leaves);
      for (const n of [1, 30, 2000]) {
        const [left, right] = outputs(n), counts = counter.count({ left, right });
        assertEquals(counts, predictor.observe(left, right).counts);
        assertEquals(counts, restored.observe(left, right).counts);
        assertEquals([total(counts, 0), total(counts, 1)], [n, n]);
      }
    });
  }
}

Deno.test("a serialized predictor that has learned nothing counts all outputs in one leaf", () => {
  const counter = new LeafCounter(serializePredictor(new Predictor()));
  assertEquals([...counter.count({ left: block(1, [3, 4]), right: NONE })], [2, 0]);
});

Deno.test("toPortable() keeps arrays of numbers, and the numbers that JSON lacks", () => {
  const value = {
    a: [NaN, -0, Infinity, -Infinity, 5e-324, 0.1],
    b: Float64Array.of(NaN, -0, Infinity),
    c: Int8Array.of(-1, 1),
    d: Int32Array.of(-1),
    e: Uint32Array.of(2 ** 32 - 1).subarray(0, 1),
    f: undefined,
    g: { h: null, i: "x" },
  };
  const back = fromPortable(JSON.parse(JSON.stringify(toPortable(value)))) as typeof value;
  assertEquals(back, value);
  assert(Object.is(back.a[1], -0) && Object.is(back.b[1], -0));
});
