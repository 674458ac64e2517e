import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { answerQueries, queryEvaluator } from "../../../lib/papers/queries/answer_queries.ts";
import { rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../../../lib/papers/queries/finite_domain.ts";
import { linearQuery } from "../../../lib/papers/queries/linear_query.ts";
import { sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { longTest } from "../../long.ts";

const six = finiteDomain({ shape: [2, 3] });

Deno.test("answerQueries() sums the weights of the rows, and counts boxes beside them", () => {
  const cells = fc.array(fc.nat({ max: 1000 }), { minLength: 6, maxLength: 6 });
  const shares = fc.array(fc.nat({ max: 2 ** 16 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(cells, shares, (counts, steps) => {
      const query = linearQuery(six, (cell) => steps[cell]! / 2 ** 16);
      const queries = [rangeQuery(six, { 0: [1, 1] }), query, rangeQuery(six, {})];
      const answers = answerQueries(Float64Array.from(counts), { domain: six, queries });
      const sum = counts.reduce((total, count, i) => total + count * steps[i]!, 0) / 2 ** 16;
      const all = counts.reduce((total, count) => total + count, 0);
      assertEquals([...answers], [counts[3]! + counts[4]! + counts[5]!, sum, all]);
    }),
    { seed: 3 },
  );
});

Deno.test("linearQuery() rounds weights to 2^-16 and refuses those outside [0, 1]; evaluators refuse others", () => {
  const { weights } = linearQuery(six, (cell) => cell / 7);
  assert(weights.every((weight, i) => Math.abs(weight - i / 7) <= 2 ** -17));
  for (const bad of [-0.1, 1.1, NaN]) {
    assertThrows(() => linearQuery(six, () => bad), RangeError, "from 0 to 1");
  }
  for (const other of [new Float64Array(5), new Float64Array(6).fill(2), weights.map(() => 0.1)]) {
    assertThrows(() => queryEvaluator(six, [{ weights: other }]), RangeError, "query 0");
  }
});

longTest(
  "sampleMwem() answers 500 linear queries within Theorem 2.2, and far better than at the start",
  () => {
    const domain = finiteDomain({ shape: [64] });
    const source = new SeededSource(626), rounds = 40, epsilon = 1, runs = 10;
    // Random waves over the cells: no boxes.
    const queries = Array.from({ length: 500 }, () => {
      const rate = 20 * source.uniform(), shift = 7 * source.uniform();
      return linearQuery(domain, (cell) => 0.5 + 0.5 * Math.sin(rate * cell / 64 + shift));
    });
    const rows = Uint8Array.from({ length: 100_000 }, () => Math.floor(64 * source.uniform() ** 4));
    const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
    const worst = (histogram: Float64Array): number =>
      answerQueries(histogram, { domain, queries })
        .reduce((most, answer, i) => Math.max(most, Math.abs(answer - truth[i]!)), 0);
    const bound = mwemErrorBound({
      size: rows.length,
      cells: domain.size,
      queries: queries.length,
      rounds,
      epsilon,
    });
    const errors = Array.from({ length: runs }, () => {
      const options = { domain, queries, rounds, epsilon, relation: replaceOne, rows };
      return {
        average: worst(sampleMwem(source, options).histogram),
        last: worst(sampleMwem(source, { ...options, output: "last", replays: 5 }).histogram),
      };
    });
    // With probability 0.84 each: 5 of 10 may miss (more do with probability 3e-3).
    assert(bound.error < 0.7 * rows.length);
    assert(errors.filter(({ average }) => average <= bound.error).length >= runs - 5);
    const start = worst(new Float64Array(64).fill(rows.length / 64));
    assert(errors.every(({ last }) => last < start / 10));
  },
);
