import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import type { Outputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import {
  SamplesExhausted,
  samplesPair,
  type SamplesSubject,
  samplesSubject,
} from "../../../../../lib/judge/audit/subjects/recorded/samples_subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const pair = samplesPair({ left: "a.csv", right: "b.csv" });
const left: Outputs = {
  kind: "block",
  width: 2,
  values: Float64Array.from({ length: 200 }, (_, i) => i),
};
const right: Outputs = {
  kind: "values",
  values: Array.from({ length: 50 }, (_, i) => `output ${i}`),
};

function subject(seed: number): SamplesSubject {
  return samplesSubject({ left, right, pair, source: new SeededSource(seed) });
}

Deno.test("samplesSubject() hands every output out once, rows of a block whole", () => {
  const recorded = subject(1);
  const seen: number[] = [];
  for (const count of [1, 60, 39]) {
    const { kind, values } = recorded.draw(pair.left, count);
    assertEquals([kind, values.length], ["block", 2 * count]);
    for (let i = 0; i < values.length; i += 2) {
      assertEquals(values[i + 1], Number(values[i]) + 1);
      seen.push(Number(values[i]) / 2);
    }
  }
  assertEquals(seen.toSorted((a, b) => a - b), Array.from({ length: 100 }, (_, i) => i));
  assertEquals(recorded.remaining("left"), 0);
  assertEquals(recorded.remaining("right"), 50);
  const texts = recorded.draw(pair.right, 50).values as string[];
  assertEquals(new Set(texts).size, 50);
});

Deno.test("samplesSubject() fixes a random order by the source alone", () => {
  const first = subject(1).draw(pair.left, 100);
  assertEquals(subject(1).draw(pair.left, 100), first);
  assertNotEquals(subject(2).draw(pair.left, 100), first);
  assertNotEquals(first, left);
  // Batches do not change the order, and neither does the other side.
  const batched = subject(1);
  batched.draw(pair.right, 7);
  const parts = [batched.draw(pair.left, 30), batched.draw(pair.left, 70)];
  assertEquals(parts.flatMap(({ values }) => Array.from(values)), Array.from(first.values));
});

Deno.test("samplesSubject() throws SamplesExhausted, and keeps what is left, when a side runs out", () => {
  const recorded = subject(1);
  recorded.draw(pair.right, 48);
  const error = assertThrows(
    () => recorded.draw(pair.right, 3),
    SamplesExhausted,
    "right side must hold 3 more",
  );
  assertEquals(error.side, "right");
  assertEquals(recorded.remaining("right"), 2);
  assertEquals(recorded.draw(pair.right, 2).values.length, 2);
});

Deno.test("samplesSubject() compares its pair by value and refuses other data", () => {
  const recorded = subject(1);
  recorded.draw(JSON.parse(JSON.stringify(pair.left)), 1);
  assertEquals(recorded.remaining("left"), 99);
  assertThrows(() => recorded.draw(["a.csv"], 1), RangeError, "must be a side of the pair");
});

Deno.test("samplesPair() tells the sides apart even when one file stands for both", () => {
  const same = samplesPair({ left: "a.csv", right: "a.csv" });
  assertNotEquals(same.left, same.right);
  assert(same.relation.name === "asserted");
});
