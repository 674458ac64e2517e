import { assert, assertEquals } from "@std/assert";
import { OutputStore } from "../../../../lib/audit/prediction/output_store.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";

function block(width: number, values: readonly number[]): Outputs {
  return { kind: "block", width, values: Float64Array.from(values) };
}

// Mutants: labels exchanged, rows of one batch alone, outputs left after clear().
Deno.test("OutputStore.encoded() has every stored output with its side, until clear()", () => {
  const store = new OutputStore("quick");
  store.add(block(2, [1, 2, 3, 4]), 0);
  store.add(block(2, []), 0);
  store.add(block(2, [5, 6]), 1);
  assertEquals(store.draws, 3);
  const { encoder, all } = store.encoded();
  assertEquals(encoder.columns.length, 2);
  assertEquals(all, {
    rows: Float64Array.of(1, 2, 3, 4, 5, 6),
    labels: Uint8Array.of(0, 0, 1),
    width: 2,
  });
  store.clear();
  assertEquals(store.draws, 0);
  assertEquals(store.encoded().all.labels.length, 0);
});

// Mutants: the limit of numbers without the width, the same limit for every effort, no limit of draws.
Deno.test("OutputStore.isFull() at a number of draws, and at a number of numbers by effort", () => {
  const store = new OutputStore("sparing");
  store.add(block(1, Array(1 << 12).fill(0)), 0);
  assert(!store.isFull(15));
  assert(store.isFull(16));
  const thorough = new OutputStore("thorough");
  thorough.add(block(1, Array(1 << 12).fill(0)), 0);
  assert(!thorough.isFull(63));
  assert(thorough.isFull(64));
  const quick = new OutputStore("quick");
  quick.add(block(1, Array((1 << 19) - 1).fill(0)), 0);
  assert(!quick.isFull(1));
  quick.add(block(1, [0]), 1);
  assert(quick.isFull(1));
});
