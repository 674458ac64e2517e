import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { clipRows } from "../../../../../lib/dp/learners/erm/rows/clip_rows.ts";
import { denseRows, type Rows, sparseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import { type Rational, rational } from "../../../../../lib/core/numeric/rational.ts";

/** Whether the exact length of a row is at most the bound, in fractions. */
function isWithin(row: readonly number[], bound: number): boolean {
  const square = ({ numerator, denominator }: Rational): Rational => ({
    numerator: numerator ** 2n,
    denominator: denominator ** 2n,
  });
  const sum = row.map((value) => square(rational(value))).reduce(
    (a, b) => ({
      numerator: a.numerator * b.denominator + b.numerator * a.denominator,
      denominator: a.denominator * b.denominator,
    }),
    { numerator: 0n, denominator: 1n },
  );
  const most = square(rational(bound));
  return sum.numerator * most.denominator <= most.numerator * sum.denominator;
}

/** The rows as arrays of stored values. */
function storedRows(rows: Rows): number[][] {
  return Array.from({ length: rows.rowCount }, (_, i) => {
    const [from, to] = rows.kind === "dense"
      ? [i * rows.columnCount, (i + 1) * rows.columnCount]
      : [rows.offsets[i]!, rows.offsets[i + 1]!];
    return [...rows.values.subarray(from, to)];
  });
}

function sparseOf(rows: readonly (readonly number[])[], columnCount: number): Rows {
  return sparseRows({
    columnCount,
    offsets: Int32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
    columns: Int32Array.from(rows.flatMap((row) => row.map((_, k) => k))),
    values: Float64Array.from(rows.flat()),
  });
}

const exponent = fc.double({ min: -300, max: 300, noNaN: true });
const ordinary = fc.double({ min: -3, max: 3, noNaN: true });
/** Of all sizes, many of them about as long as the bound. */
const value = fc.oneof(
  fc.constant(0),
  ordinary,
  fc.tuple(fc.constantFrom(-1, 1), exponent).map(([sign, power]) => sign * 10 ** power),
);
const bound = fc.oneof(fc.constantFrom(1, 0.5, 3), exponent.map((power) => 10 ** power));

// Mutants: no margin, in the comparison or in the scale; rows compared before they are divided by their length; lengths of
// single rows of sparse ones taken from other offsets.
Deno.test("clipRows() leaves no row longer than the bound by exact arithmetic, dense or sparse, of any size", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
      bound,
      (rows, normBound) => {
        // Sparse rows leave out zeros, so that they store different numbers of values.
        for (
          const kind of [
            denseRows(rows),
            sparseOf(rows.map((row) => row.filter((entry) => entry !== 0)), 3),
          ]
        ) {
          const before = kind.values.slice();
          const clipped = clipRows(kind, { normBound });
          assertEquals(kind.values, before);
          storedRows(clipped).forEach((row, i) => {
            assert(isWithin(row, normBound), `${row} is longer than ${normBound}`);
            const given = kind.kind === "dense"
              ? rows[i]!
              : rows[i]!.filter((entry) => entry !== 0);
            // Shorter than the bound by more than the margin: untouched. Otherwise as long as the bound, and parallel.
            if (isWithin(given, normBound * (1 - 2e-12))) return assertEquals(row, given);
            assert(!isWithin(row, normBound * (1 - 3e-12)));
            const largest = given.findIndex((entry) =>
              Math.abs(entry) === Math.max(...given.map(Math.abs))
            );
            row.forEach((entry, k) => {
              const [own, other] = [entry / row[largest]!, given[k]! / given[largest]!];
              assert(
                Math.abs(own - other) <= 1e-12 * (Math.abs(other) + 1e-3),
                `${row} of ${given}`,
              );
            });
          });
        }
      },
    ),
    { seed: 2101, numRuns: 2000 },
  );
});

// Mutant: the comparison without its margin keeps rows that are longer than the bound by a rounding.
Deno.test("clipRows() shortens rows that are longer by the last bits alone", () => {
  fc.assert(
    fc.property(
      fc.array(ordinary, { minLength: 2, maxLength: 40 }),
      fc.integer({ min: -8, max: 8 }),
      (row, bits) => {
        fc.pre(row.some((entry) => Math.abs(entry) > 1e-3));
        const normBound = Math.hypot(...row) * (1 + bits * 2 ** -52);
        const [clipped] = storedRows(clipRows(denseRows([row]), { normBound }));
        assert(isWithin(clipped!, normBound));
      },
    ),
    { seed: 2102, numRuns: 2000 },
  );
});

Deno.test("clipRows() copies the values only if a row is clipped, and once", () => {
  const rows = denseRows([[0.1, 0.2], [3, 4], [0, 0], [30, 40]]);
  assertStrictEquals(clipRows(rows, { normBound: 60 }).values, rows.values);
  const clipped = clipRows(rows, { normBound: 1 });
  assert(clipped.values !== rows.values);
  // The second long row is written into the copy of the first.
  assert(clipped.values[2] !== 3 && clipped.values[6] !== 30);
  assertEquals([...clipped.values.subarray(0, 2)], [0.1, 0.2]);
  assertEquals(
    clipRows(denseRows(new Float64Array(0), { columnCount: 2 }), { normBound: 1 }).rowCount,
    0,
  );
});

Deno.test("clipRows() refuses a bound that is not positive and finite", () => {
  for (const normBound of [0, -1, NaN, Infinity]) {
    assertThrows(
      () => clipRows(denseRows([[1]]), { normBound }),
      RangeError,
      "Cannot clip rows: normBound must be",
    );
  }
});

// Squares of the bound overflow, or vanish. Mutants: no end of what is enough, so that rows of any length stay.
Deno.test("clipRows() clips rows whose squares, or whose bound's squares, are no doubles", () => {
  for (const normBound of [1e-300, 1e-200, 1e-160, 1e-3, 1e154, 1e155, 1e200, 1e307]) {
    for (const factor of [0.1, 0.999, 1.001, 2, 9]) {
      const { values } = clipRows(
        denseRows([[normBound * factor * 0.6, -normBound * factor * 0.8]]),
        {
          normBound,
        },
      );
      const length = Math.hypot(values[0]! / normBound, values[1]! / normBound);
      assert(Math.abs(length - Math.min(1, factor)) <= 1e-11 && length <= 1, `${length} ${factor}`);
    }
  }
});
