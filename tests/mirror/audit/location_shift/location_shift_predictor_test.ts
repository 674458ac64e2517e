import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { noisyHist1 } from "../../../../fixtures/mutants/additive_noise.ts";
import { audit } from "../../../../lib/audit/audit.ts";
import type { LocationShiftBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import { datasetDifferenceOf } from "../../../../lib/audit/location_shift/dataset_difference.ts";
import { estimateShift } from "../../../../lib/audit/location_shift/estimate_shift.ts";
import { LocationShiftPredictor } from "../../../../lib/audit/location_shift/location_shift_predictor.ts";
import { mechanismSubject } from "../../../../lib/audit/subjects/mechanism_subject.ts";
import { floatLaplace } from "../../../../lib/random/float_laplace.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

interface Seen {
  readonly left: unknown;
  readonly right: unknown;
  /** Rows that the shape is learned from, in turn from the left and the right. */
  readonly before: Iterable<number>;
  readonly columns?: number;
  readonly elements?: number;
}

function shiftAfter(
  { left, right, before, columns = 1, elements = columns }: Seen,
): LocationShiftPredictor {
  const shift = new LocationShiftPredictor(datasetDifferenceOf({ left, right }));
  const rows = Float64Array.from(before);
  const labels = Uint8Array.from({ length: rows.length / columns }, (_, i) => i % 2);
  shift.learn({ rows, labels, width: columns }, { elements });
  return shift;
}

/** Counts rows once the shape of others is known. */
function countAfter(
  seen: Seen,
  sides: { left: readonly number[]; right: readonly number[] },
): LocationShiftBatch | undefined {
  return shiftAfter(seen).count(
    { left: Float64Array.from(sides.left), right: Float64Array.from(sides.right) },
    seen.columns ?? 1,
  );
}

/** How many outputs are in the half where they are expected, and in the other one. */
function halved(
  { counts, leaves, halves }: LocationShiftBatch,
): { agreed: number; disagreed: number } {
  let agreed = 0, disagreed = 0;
  for (const leaf of leaves) {
    const [left, right] = [counts[2 * leaf]!, counts[2 * leaf + 1]!];
    const up = Number(halves[leaf]! > 0), down = Number(halves[leaf]! < 0);
    agreed += up * right + down * left;
    disagreed += up * left + down * right;
  }
  return { agreed, disagreed };
}

// Mutants: sides exchanged, the middle of the batch itself, outputs at the middle left out, NaN in a half.
Deno.test("Shift.count() says in which half outputs are, by the middle of earlier ones", () => {
  const up: Seen = { left: [0], right: [1], before: [9, 1, 2, 3, 7, 4, NaN, NaN] };
  const sides = { left: [-1, 3, 3.5, NaN], right: [4, 5, 6, 1, NaN] };
  const shifted = countAfter(up, sides)!;
  assertEquals(halved(shifted), { agreed: 2 + 3, disagreed: 1 + 1 });
  assertEquals(shifted.counts.reduce((a, b) => a + b, 0), 9);
  assertEquals(shifted.before.reduce((a, b) => a + b, 0), 8);
  assertEquals([...shifted.counts.slice(-2)], [1, 1]);
  // Downwards 3 and 3.5 are beyond the middle.
  assertEquals(halved(countAfter({ ...up, left: [1], right: [0] }, sides)!), {
    agreed: 1,
    disagreed: 3 + 3,
  });
});

// Mutants: all numbers of a row added up, whether they move or not; all columns; the total for rows of many numbers.
Deno.test("Shift.count() follows those numbers of an output that should move", () => {
  const before = [0, 0, 100, 2, 2, -100, 1, 1, 0];
  const shape = { columns: 3, elements: 2, before };
  const sides = { left: [5, -1, 3, NaN, 1, 3], right: [-9, 2, 4, 0, 1, 5] };
  assertEquals(halved(countAfter({ ...shape, left: [0, 0], right: [0, 1] }, sides)!), {
    agreed: 1 + 2,
    disagreed: 1,
  });
  // Up by its first number and down by its second: rows are -9 − 2 and 0 − 1 on the right, 5 + 1 on the left.
  const apart = { ...shape, before: [0, 0, 100, 1, -1, -100] };
  assertEquals(halved(countAfter({ ...apart, left: [0, 1], right: [1, 0] }, sides)!), {
    agreed: 0,
    disagreed: 3,
  });
  // A single number goes the way of the total, of however many.
  assertEquals(
    halved(
      countAfter({
        left: [1, 1],
        right: [2, 2, 2],
        before: [0, 0, 1, 0, 2, 0],
        columns: 2,
        elements: 1,
      }, { left: [3, 0], right: [3, 0] })!,
    ),
    { agreed: 1, disagreed: 1 },
  );
});

Deno.test("Shift.count() says nothing where no number has a way to go, or none was seen", () => {
  const sides = { left: [1, 2], right: [3, 4] };
  for (
    const seen of [
      { left: [0], right: [0], before: [1, 2] },
      { left: [0, 0], right: [1, 0], before: [1, 2, 3], columns: 1, elements: 0 },
      { left: [0, 0, 0], right: [1, 0, 0], before: [1, 2], columns: 2 },
      { left: [0], right: [0, 1], before: [1, 2], columns: 2 },
      { left: [0], right: [1], before: [NaN] },
    ]
  ) {
    assertEquals(countAfter(seen, sides), undefined);
    assertEquals(shiftAfter(seen).predictedOdds(0), undefined);
  }
  assertEquals(
    new LocationShiftPredictor(datasetDifferenceOf({ left: [0], right: [1] }))
      .count({ left: Float64Array.of(1), right: Float64Array.of(2) }, 1),
    undefined,
  );
});

// Mutant: the first shape kept.
Deno.test("LocationShiftPredictor.learn() finds the middle anew", () => {
  const shift = new LocationShiftPredictor(datasetDifferenceOf({ left: [0], right: [1] }));
  for (const middle of [0, 10, -5]) {
    const rows = Float64Array.of(middle - 1, middle, middle + 1, middle + 2);
    shift.learn({ rows, labels: Uint8Array.of(0, 1, 0, 1), width: 1 }, { elements: 1 });
    const sides = { left: Float64Array.of(middle), right: Float64Array.of(middle + 0.5) };
    assertEquals(halved(shift.count(sides, 1)!), { agreed: 2, disagreed: 0 });
  }
});

/** Laplace noise of scale 10 in turn around two middles, each number of a row. */
function laplaceRows(
  { n, width = 1, move, seed }: { n: number; width?: number; move: number; seed: number },
): Float64Array {
  const rows = floatLaplace(new SeededSource(seed), new Float64Array(n * width), { scale: 10 });
  return rows.map((x, at) => x + (Math.floor(at / width) % 2 ? move : 0));
}

// Mutants: the total for the one that moves most, one number's move for that of all, odds of the other side.
Deno.test("Shift.count() expects the odds of a move as far as the data's", () => {
  const cases = [
    // One number moves by 4, or each of three by 1: an answer is expected to move by the most.
    { left: [2], right: [6], distance: 4, width: 1 },
    { left: [9, 9, 9], right: [8, 8, 8], distance: 1, width: 1 },
    // Without numbers, one datum more is a move of 1.
    { left: [{}, {}], right: [{}], distance: 1, width: 1 },
    // All numbers that move are added up.
    { left: [0, 5], right: [0, 2], distance: 3, width: 2 },
  ];
  for (const { left, right, distance, width } of cases) {
    const before = laplaceRows({ n: 4000, width, move: 0, seed: 3 });
    const { asData, halves } = countAfter({ left, right, before, columns: width }, {
      left: Array(width).fill(0),
      right: Array(width).fill(0),
    })!;
    const upper = asData.filter((_, k) => halves[k]! > 0),
      lower = asData.filter((_, k) => halves[k]! < 0);
    assertAlmostEquals(upper[2]!, distance / 10, 0.015 * distance);
    assertAlmostEquals(lower.at(-3)!, -distance / 10, 0.015 * distance);
    assertEquals(asData.at(-1), 0);
  }
});

// Mutants: labels of the stored rows forgotten or exchanged, batches not learned from, or learned from before they are
// predicted, the error not taken off.
Deno.test("Shift learns how far outputs move, less half a standard error, from all that came before", () => {
  const seen = { left: [0], right: [1] };
  const shift = shiftAfter({ ...seen, before: laplaceRows({ n: 3000, move: 3, seed: 5 }) });
  const learned = (): { distance: number; error: number; slopes: Float64Array } => {
    const slopes = shift.count(NONE, 1)!.asData;
    return { slopes, ...estimateShift({ slopes, counts: shift.predictedOdds(0)!.counts }) };
  };
  const first = learned();
  assert(Math.abs(first.distance - 3) < 3 * first.error && first.error < 0.5, `${first.distance}`);
  const more = laplaceRows({ n: 60_000, move: 3, seed: 6 });
  const sides = { left: more.filter((_, i) => i % 2 === 0), right: more.filter((_, i) => i % 2) };
  const { asSeen, before } = shift.count(sides, 1)!;
  const taken = first.distance - first.error / 2;
  asSeen.forEach((odds, k) => assertAlmostEquals(odds, taken * first.slopes[k]!, 1e-9));
  assertEquals(before.reduce((a, b) => a + b, 0), 3000);
  const second = learned();
  assert(Math.abs(second.distance - 3) < 0.4 && second.error < first.error / 4);
  const { odds } = shift.predictedOdds(2)!;
  odds.forEach((own, k) =>
    assertAlmostEquals(own, (second.distance - 2 * second.error) * second.slopes[k]!, 1e-9)
  );
  assert(shift.predictedOdds(1e6)!.odds.every((own) => own === 0), "no odds the other way");
});

const NONE = { left: new Float64Array(0), right: new Float64Array(0) };

// Mutants: nothing bet on outputs that follow the data, only single numbers followed.
Deno.test("audit() sees early that outputs follow the data too closely, whatever the pair", async () => {
  const { mechanism } = noisyHist1;
  /** Half the noise that is claimed. */
  const close: typeof mechanism = {
    ...mechanism,
    sampleMany: (data, count, source) =>
      mechanism.sampleMany!(data, count, source)
        .map((y, i) => (Number(data[i % data.length]) + y) / 2),
  };
  const draws: number[] = [];
  for (let seed = 1; seed <= 9; seed++) {
    const report = await audit(mechanismSubject(close, { source: new SeededSource(seed) }), {
      seed,
      maxDraws: 50_000,
      shrink: false,
    });
    draws.push(report.verdict === "refuted" ? report.draws : Infinity);
  }
  draws.sort((a, b) => a - b);
  assert(draws[4]! < 12_000, `${draws}`);
});

// Mutant: the largest difference found by a call with all rows as arguments.
Deno.test("Shift.count() knows by how much a number moves where datasets have a million rows", () => {
  const left = new Float64Array(1_000_000), right = left.slice();
  right[7] = 1;
  const seen: Seen = {
    left: [...left],
    right: [...right],
    before: [9, 1, 2, 3, 7, 4],
    elements: 1,
  };
  assert(countAfter(seen, { left: [1], right: [5] }) !== undefined);
});
