import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { answerQueries, queryEvaluator } from "../../../lib/papers/queries/answer_queries.ts";
import {
  type BoxQuery,
  marginalQueries,
  rangeQuery,
} from "../../../lib/papers/queries/box_query.ts";
import {
  cellOf,
  type FiniteDomain,
  finiteDomain,
  histogramOf,
} from "../../../lib/papers/queries/finite_domain.ts";
import { reweightBox } from "../../../lib/papers/queries/reweight_box.ts";

const four = finiteDomain({ shape: [4] });

/** Whether the cell lies in the box, by the definition. */
function contains({ shape }: FiniteDomain, { lower, upper }: BoxQuery, cell: number): boolean {
  let rest = cell;
  for (let i = shape.length - 1; i >= 0; i--) {
    const code = rest % shape[i]!;
    rest = (rest - code) / shape[i]!;
    if (code < lower[i]! || code > upper[i]!) return false;
  }
  return true;
}

/** A domain of 1 to 3 attributes, a box in it and a histogram of whole numbers. */
const boxes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }).chain(
  (shape) => {
    const domain = finiteDomain({ shape });
    return fc.record({
      domain: fc.constant(domain),
      query: fc.tuple(
        ...shape.map((values) =>
          fc.tuple(fc.nat({ max: values - 1 }), fc.nat({ max: values - 1 }))
        ),
      ).map((ends) => ({
        lower: ends.map(([a, b]) => Math.min(a, b)),
        upper: ends.map(([a, b]) => Math.max(a, b)),
      })),
      histogram: fc.array(fc.nat({ max: 100 }), {
        minLength: domain.size,
        maxLength: domain.size,
      }).map((counts) => Float64Array.from(counts)),
    });
  },
);

Deno.test("answerQueries() counts the cells in the box when boxes are any", () => {
  fc.assert(
    fc.property(boxes, ({ domain, query, histogram }) => {
      const expected = histogram.reduce(
        (sum, count, cell) => contains(domain, query, cell) ? sum + count : sum,
        0,
      );
      assertEquals(answerQueries(histogram, { domain, queries: [query] })[0], expected);
    }),
    { seed: 1 },
  );
});

Deno.test("reweightBox() multiplies the cells in the box alone and keeps the mass", () => {
  fc.assert(
    fc.property(boxes, fc.double({ min: 0.1, max: 3, noNaN: true }), (box, factor) => {
      const { domain, query } = box;
      const histogram = box.histogram.map((count) => count + 1);
      const raw = histogram.map((mass, cell) =>
        contains(domain, query, cell) ? factor * mass : mass
      );
      const scale = 7 / raw.reduce((sum, mass) => sum + mass, 0);
      reweightBox(histogram, { domain, query, factor, size: 7 });
      histogram.forEach((mass, cell) => assertAlmostEquals(mass, scale * raw[cell]!, 1e-12));
    }),
    { seed: 2 },
  );
});

Deno.test("marginalQueries() partition the domain, and cellOf() finds the cell of each", () => {
  const domain = finiteDomain({ shape: [2, 3, 4] });
  const queries = marginalQueries(domain, { attributes: [0, 2] });
  assertEquals(queries.length, 8);
  for (let cell = 0; cell < domain.size; cell++) {
    assertEquals(queries.filter((query) => contains(domain, query, cell)).length, 1);
  }
  assertEquals(cellOf(domain, [1, 2, 3]), 23);
  assertEquals(histogramOf(domain, [23, 0, 23])[23], 2);
});

Deno.test("domains and queries refuse what is outside, without printing rows", () => {
  assertThrows(() => finiteDomain({ shape: [] }), RangeError);
  assertThrows(() => finiteDomain({ shape: [2 ** 11, 2 ** 10] }), RangeError, "number of cells");
  assertEquals(finiteDomain({ shape: [2 ** 10, 2 ** 10] }).size, 2 ** 20);
  assertThrows(() => rangeQuery(four, { 0: [1, 4] }), RangeError);
  assertThrows(() => rangeQuery(four, { 1: [0, 0] }), RangeError);
  assertThrows(() => queryEvaluator(four, [{ lower: [2], upper: [1] }]), RangeError, "query 0");
  const error = assertThrows(() => histogramOf(four, [0, 987]), RangeError);
  assert(!error.message.includes("987"));
});
