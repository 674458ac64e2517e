import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { answerQueries, queryEvaluator } from "../../../lib/papers/queries/answer_queries.ts";
import { marginalQueries, rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { cellOf, finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { linearQuery } from "../../../lib/papers/queries/linear_query.ts";
import { reweightLinear } from "../../../lib/papers/queries/reweight_linear.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";

const domain = finiteDomain({ shape: [3, 2] });

// Mutants: each part of the condition that a box is inside the domain.
Deno.test("boxes are inside the domain, of whole codes, and not empty", () => {
  const histogram = Float64Array.of(1, 2, 4, 8, 16, 32);
  const boxes: [number[], number[]][] = [
    [[0, 0], [3, 1]],
    [[0, 0], [2, 2]],
    [[-1, 0], [2, 1]],
    [[2, 0], [1, 1]],
    [[0.5, 0], [2, 1]],
    [[0, 0], [1.5, 1]],
    [[0], [2, 1]],
    [[0, 0], [2]],
    [[0, 0, 0], [2, 1]],
    [[0, 0], [2, 1, 0]],
    [[0], [2]],
    [[NaN, 0], [2, 1]],
  ];
  for (const [lower, upper] of boxes) {
    assertThrows(
      () => answerQueries(histogram, { domain, queries: [{ lower, upper }] }),
      RangeError,
      "query 0 is not",
    );
  }
  const all = { lower: [0, 0], upper: [2, 1] }, last = { lower: [2, 1], upper: [2, 1] };
  const first = { lower: [0, 0], upper: [0, 0] };
  assertEquals([...answerQueries(histogram, { domain, queries: [all, last, first] })], [63, 32, 1]);
  for (const range of [[-1, 1], [0, 3], [2, 1], [0.5, 1], [0, 1.5], [NaN, 1]] as const) {
    assertThrows(() => rangeQuery(domain, { 0: range }), RangeError, "ranges must be of codes");
  }
  assertThrows(() => rangeQuery(domain, { 2: [0, 0] }), RangeError, "attribute 2");
  assertThrows(() => rangeQuery(domain, { [-1]: [0, 0] }), RangeError, "attribute -1");
  assertEquals(rangeQuery(domain, { 0: [0, 0], 1: [1, 1] }), { lower: [0, 1], upper: [0, 1] });
  assertEquals(rangeQuery(domain, { 0: [2, 2] }), { lower: [2, 0], upper: [2, 1] });
  for (const attribute of [2, -1, 0.5]) {
    assertThrows(
      () => marginalQueries(domain, { attributes: [attribute] }),
      RangeError,
      "attributes must be",
    );
  }
});

Deno.test("histograms, weights and codes are as many as the domain asks for, and in it", () => {
  for (const cells of [5, 7]) {
    assertThrows(
      () => answerQueries(new Float64Array(cells), { domain, queries: [] }),
      RangeError,
      "histogram must have 6 numbers",
    );
  }
  const plain = linearQuery(domain, (cell) => cell / 8);
  assertEquals([...answerQueries(new Float64Array(6).fill(1), { domain, queries: [plain] })], [
    15 / 8,
  ]);
  const wrong = [
    plain.weights.slice(1),
    plain.weights.with(0, -1 / 8),
    plain.weights.with(0, 9 / 8),
    plain.weights.with(5, 2 ** -17),
    plain.weights.with(5, NaN),
  ];
  for (const weights of wrong) {
    assertThrows(
      () => queryEvaluator(domain, [{ weights }]),
      RangeError,
      "those of query 0 are not",
    );
  }
  assertEquals(cellOf(domain, [2, 0]), 4);
  assertEquals(cellOf(domain, [0, 1]), 1);
  for (const codes of [[3, 0], [0, 2], [-1, 0], [0, -1], [0.5, 0], [0, NaN]]) {
    assertThrows(() => cellOf(domain, codes), RangeError, "the code of attribute");
  }
  for (const codes of [[0], [0, 0, 0], []]) {
    assertThrows(() => cellOf(domain, codes), RangeError, "codes must be as many");
  }
  for (const shape of [[0], [2, 0], [1.5], [-1, -1], [0.5, 4]]) {
    assertThrows(() => finiteDomain({ shape }), RangeError, "shape[");
  }
  assertThrows(() => finiteDomain({ shape: [] }), RangeError, "length of shape");
  assertThrows(() => finiteDomain({ shape: [2 ** 20 + 1] }), RangeError, "number of cells");
  assertEquals(finiteDomain({ shape: [1] }).size, 1);
  assertEquals(finiteDomain({ shape: [2 ** 10, 2 ** 10] }).size, 2 ** 20);
});

Deno.test("reweightLinear() multiplies every cell, the first as well, and keeps the mass", () => {
  const query = linearQuery(domain, (cell) => cell === 0 ? 1 : 0.5);
  const histogram = new Float64Array(6).fill(1);
  reweightLinear(histogram, { query, exponent: Math.log(4), size: 14 });
  // Weights 4 and five times 2, of mass 14.
  [4, 2, 2, 2, 2, 2].forEach((mass, i) => assertAlmostEquals(histogram[i]!, mass, 1e-12));
});

// The figures are those of Theorem 2.2, by hand: 2·100·√(ln 8/2) and 10·2·ln 16/ε.
Deno.test("mwemErrorBound() is the bound of Theorem 2.2 at the average iterate", () => {
  const options = { size: 100, cells: 8, queries: 16, rounds: 2, epsilon: 0.5 };
  const { error, probability } = mwemErrorBound(options);
  assertAlmostEquals(error, 203.9333980337618 + 110.90354888959125, 1e-9);
  assertEquals(probability, 0.75);
  assertEquals(mwemErrorBound({ ...options, rounds: 9 }).probability, 0);
  assertEquals(mwemErrorBound({ ...options, size: 1, cells: 1, queries: 1, rounds: 1 }), {
    error: 0,
    probability: 0,
  });
  for (
    const [name, value] of Object.entries({ size: 0, cells: 0, queries: 0, rounds: 0, epsilon: 0 })
  ) {
    assertThrows(() => mwemErrorBound({ ...options, [name]: value }), RangeError, name);
  }
});
