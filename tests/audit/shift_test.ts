import { assert, assertEquals } from "@std/assert";
import { audit } from "../../lib/audit/audit.ts";
import { directionOf, Shift, type Shifted } from "../../lib/audit/shift.ts";
import { mechanismSubject } from "../../lib/audit/subjects/mechanism_subject.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { noisyHist1 } from "../../fixtures/mutants/additive_noise.ts";

/** The direction between two datasets, in plain numbers. */
function direction(left: unknown, right: unknown): { total: number; each: number[] | undefined } {
  const { total, each } = directionOf({ left, right });
  return { total, each: each && [...each] };
}

interface Seen {
  readonly left: unknown;
  readonly right: unknown;
  /** Rows that the middle is found in. */
  readonly before: readonly number[];
  readonly columns?: number;
  readonly elements?: number;
}

/** Counts rows once the middle of others is known. */
function countAfter(
  { left, right, before, columns = 1, elements = columns }: Seen,
  sides: { left: readonly number[]; right: readonly number[] },
): Shifted | undefined {
  const shift = new Shift(directionOf({ left, right }));
  const shape = Array.from({ length: columns }, (_, i) => ({ name: `${i}`, categorical: false }));
  shift.centre(Float64Array.from(before), { columns: shape, elements });
  return shift.count(
    { left: Float64Array.from(sides.left), right: Float64Array.from(sides.right) },
    columns,
  );
}

// Mutants: the way of the first number, the size of a move for its sign, left and right exchanged, the number of
// data before their total, data that are no numbers taken for zeros.
Deno.test("directionOf() is the way of the total, else of the number of the data, and of each", () => {
  assertEquals(direction([1], [2]), { total: 1, each: [1] });
  assertEquals(direction([5, 1, 0], [2, 1, 1]), { total: -1, each: [-1, 0, 1] });
  assertEquals(direction([1, 1], [0, 2]), { total: 0, each: [-1, 1] });
  assertEquals(direction([false], [true]), { total: 1, each: [1] });
  assertEquals(direction([1, 2], [1, 2, 3]), { total: 1, each: undefined });
  assertEquals(direction([-3], []), { total: 1, each: undefined });
  assertEquals(direction([1, 0], [1]), { total: -1, each: undefined });
  assertEquals(direction([{ age: 3 }], [{ age: 3 }, { age: 4 }]), { total: 1, each: undefined });
  assertEquals(direction([{ age: 3 }], [{ age: 4 }]), { total: 0, each: undefined });
  assertEquals(direction({ rows: 3 }, { rows: 4 }), { total: 0, each: [] });
});

// Mutants: sides exchanged, the middle of the batch itself, outputs at the middle left out, NaN counted.
Deno.test("Shift.count() says how many outputs moved as the data do, by the middle of earlier ones", () => {
  const up: Seen = { left: [0], right: [1], before: [9, 1, 2, 3, 7, NaN] };
  const sides = { left: [-1, 3, 3.5, NaN], right: [4, 5, 6, 1, NaN] };
  assertEquals(countAfter(up, sides), { agreed: 2 + 3, disagreed: 1 + 1 });
  assertEquals(countAfter({ ...up, left: [1], right: [0] }, sides), {
    agreed: 2 + 1,
    disagreed: 1 + 3,
  });
});

// Mutants: all numbers of a row added up, whether they move or not; all columns; the total for rows of many numbers.
Deno.test("Shift.count() follows those numbers of an output that should move", () => {
  const before = [0, 0, 100, 2, 2, -100, 1, 1, 0];
  const shape = { columns: 3, elements: 2, before };
  const sides = { left: [5, -1, 3, NaN, 1, 3], right: [-9, 2, 4, 0, 1, 5] };
  assertEquals(countAfter({ ...shape, left: [0, 0], right: [0, 1] }, sides), {
    agreed: 2 + 1,
    disagreed: 1,
  });
  // Up by its first number and down by its second: rows are -9 − 2 and 0 − 1 on the right, 5 + 1 on the left.
  assertEquals(countAfter({ ...shape, left: [0, 1], right: [1, 0] }, sides), {
    agreed: 0,
    disagreed: 3,
  });
  // A single number goes the way of the total, of however many.
  assertEquals(
    countAfter({
      left: [1, 1],
      right: [2, 2, 2],
      before: [0, 0, 1, 0, 2, 0],
      columns: 2,
      elements: 1,
    }, {
      left: [3, 0],
      right: [3, 0],
    }),
    { agreed: 1, disagreed: 1 },
  );
});

Deno.test("Shift.count() says nothing where no number has a way to go, or none was seen", () => {
  const sides = { left: [1, 2], right: [3, 4] };
  for (
    const seen of [
      { left: [0], right: [0], before: [1] },
      { left: [0, 0], right: [1, 0], before: [1, 2, 3], columns: 1, elements: 0 },
      { left: [0, 0, 0], right: [1, 0, 0], before: [1, 2], columns: 2 },
      { left: [0], right: [0, 1], before: [1, 2], columns: 2 },
    ]
  ) assertEquals(countAfter(seen, sides), undefined);
  assertEquals(countAfter({ left: [0], right: [1], before: [NaN] }, sides), {
    agreed: 0,
    disagreed: 0,
  });
  assertEquals(
    new Shift(directionOf({ left: [0], right: [1] }))
      .count({ left: Float64Array.of(1), right: Float64Array.of(2) }, 1),
    undefined,
  );
});

// Mutant: the first middle kept.
Deno.test("Shift.centre() finds the middle anew", () => {
  const shift = new Shift(directionOf({ left: [0], right: [1] }));
  const shape = { columns: [{ name: "output", categorical: false }], elements: 1 };
  for (const middle of [0, 10, -5]) {
    shift.centre(Float64Array.of(middle - 1, middle, middle + 1), shape);
    const sides = { left: Float64Array.of(middle), right: Float64Array.of(middle + 0.5) };
    assertEquals(shift.count(sides, 1), { agreed: 2, disagreed: 0 });
  }
});

// Mutants: a middle that repeats always in the lower half, always in the upper one.
Deno.test("Shift.count() finds the halves of outputs of few values", () => {
  const sides = { left: [0, 0, 1], right: [1, 1, 0] };
  for (const before of [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]) {
    assertEquals(countAfter({ left: [0], right: [1], before }, sides), { agreed: 4, disagreed: 2 });
  }
});

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
