import { assert, assertEquals } from "@std/assert";
import type { Feature } from "../../lib/audit/features.ts";
import { evidenceGain } from "../../lib/audit/mixture.ts";
import { growPartition } from "../../lib/audit/partition.ts";
import { knownFeatures, profilesOf } from "../../lib/audit/profile.ts";
import { SecondGrowth } from "../../lib/audit/second_growth.ts";
import { normalRows, noShift } from "./labelled_rows.ts";

const WIDTH = 3;
const ROOM = 1 << 19;
const SIDE = 40_000;

/** Normal rows of a side; on the right more are above 0 in the first and the second place at once. */
function side(label: number, seed: number): Float64Array {
  const { rows } = normalRows({ n: SIDE, shift: noShift(WIDTH), seed });
  for (let i = 0; i < label * SIDE; i += 4) {
    for (const j of [0, 1]) rows[i * WIDTH + j] = Math.abs(rows[i * WIDTH + j]!);
  }
  return rows;
}

const SIDES = [side(0, 51), side(1, 52)];

const FIRST: Feature = { kind: "column", index: 0, name: "output[0]" };
const SECOND: Feature = { kind: "column", index: 1, name: "output[1]" };
const SUM: Feature = { kind: "sum", elements: 3, name: "sum(output)" };
const EQUAL: Feature = { kind: "category", index: 2, name: "output[2]" };

/** Fills a growth with batches of changing size, an empty one first; returns the batches. */
function fill(growth: SecondGrowth): { label: 0 | 1; from: number; to: number }[] {
  const batches = [];
  for (let k = 0; !growth.isFull; k++) {
    const label = (k % 2) as 0 | 1;
    const from = 1700 * k % 10_000, to = from + 4111 * k % 30_000;
    growth.add(SIDES[label]!.subarray(from * WIDTH, to * WIDTH), WIDTH, label);
    batches.push({ label, from, to });
    assert(k < 1e3);
  }
  return batches;
}

// Mutants: a batch over the one before it, labels a batch late, a feature in the place of another, a
// partition that asks for columns of what was kept back instead of features of an output.
Deno.test("SecondGrowth.finish() is the partition that one growth on all rows gives", () => {
  const features = [SUM, FIRST, SECOND];
  const growth = SecondGrowth.of(features)!;
  const batches = fill(growth);
  growth.add(SIDES[0]!.subarray(0, 50 * WIDTH), WIDTH, 1);

  const rows = new Float64Array(ROOM * WIDTH), labels = new Uint8Array(ROOM);
  let count = 0;
  for (const { label, from, to } of batches) {
    const n = Math.min(to - from, ROOM - count);
    rows.set(SIDES[label]!.subarray(from * WIDTH, (from + n) * WIDTH), count * WIDTH);
    labels.fill(label, count, count += n);
  }
  assertEquals(count, ROOM);
  const { partition } = growPartition({ rows, labels, width: WIDTH, features });
  const second = growth.finish({ width: WIDTH });
  assertEquals(second.partition, partition);
  // The rows that shaped it are not counted.
  assertEquals(second.counts, new Float64Array(2 * partition.left.length));

  // On other outputs it tells more than either place alone.
  const fresh = [side(0, 53), side(1, 54)];
  fresh.forEach((own, label) => second.assign(own, label as 0 | 1, second.counts));
  const all = {
    rows: Float64Array.from(fresh.flatMap((own) => [...own])),
    labels: new Uint8Array(2 * SIDE).fill(1, SIDE),
    width: WIDTH,
  };
  const [profile] = profilesOf(
    all,
    knownFeatures(all, { features: [FIRST, SECOND], known: new Map() }),
  );
  assert(
    evidenceGain(second.partition, second.counts) >
      1.2 * evidenceGain(profile!.partition, profile!.counts),
  );
});

// Mutant: categories asked for their order.
Deno.test("SecondGrowth asks categories for equality only", () => {
  const growth = SecondGrowth.of([FIRST, EQUAL])!;
  // Of the categories 0, 1 and 2 the middle one is rarer on the right.
  const sides = [[0, 1, 2], [0, 2, 0, 2, 0, 1, 2, 0, 2]].map((categories) =>
    Float64Array.from(
      { length: 6000 * WIDTH },
      (_, at) => at % WIDTH === 2 ? categories[Math.floor(at / WIDTH) % categories.length]! : 0,
    )
  );
  for (let k = 0; !growth.isFull; k++) {
    growth.add(sides[k % 2]!, WIDTH, (k % 2) as 0 | 1);
  }
  const { partition } = growth.finish({ width: WIDTH });
  assertEquals(partition.features, [EQUAL]);
  assertEquals([partition.threshold[0], partition.left.length], [1, 3]);
});

// Mutants: a growth on one feature, which its profile is already; more of them than there is room for.
Deno.test("SecondGrowth.of() wants two different features and takes a few", () => {
  assertEquals(SecondGrowth.of([]), undefined);
  assertEquals(SecondGrowth.of([SUM]), undefined);
  assertEquals(SecondGrowth.of([SUM, SUM, SUM]), undefined);
  assert(SecondGrowth.of([SUM, FIRST, SUM]) !== undefined);
  const reached = new Set<Feature>();
  const many = Array.from({ length: 20 }, (_, k): Feature => ({
    kind: "score",
    name: `score ${k}`,
    score: { fill: () => void reached.add(many[k]!) },
  }));
  SecondGrowth.of([...many.slice(0, 2), ...many])!.add(new Float64Array(3), WIDTH, 0);
  assertEquals([...reached], many.slice(0, reached.size));
  assert(reached.size > 2 && reached.size < 20);
});
