import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { answerQueries, queryEvaluator } from "../../../lib/papers/queries/answer_queries.ts";
import { type BoxQuery, marginalQueries } from "../../../lib/papers/queries/box_query.ts";
import { chooseQuery } from "../../../lib/papers/queries/choose_query.ts";
import {
  type FiniteDomain,
  finiteDomain,
  histogramOf,
} from "../../../lib/papers/queries/finite_domain.ts";
import { mwemMechanism, type MwemOptions, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";
import { reweightBox } from "../../../lib/papers/queries/reweight_box.ts";
import { integerLaplace } from "../../../lib/dp/mechanisms/geometric.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const four = finiteDomain({ shape: [4] });
const eachOfFour = marginalQueries(four, { attributes: [0] });

Deno.test("chooseQuery() chooses with probability ∝ exp(rate·score)", () => {
  const source = new SeededSource(610), scores = Float64Array.of(3, 0, 2), count = 40_000;
  const weights = [3, 0, 2].map((score) => Math.exp(0.7 * score));
  const total = weights.reduce((sum, weight) => sum + weight);
  const chosen = [0, 0, 0];
  for (let i = 0; i < count; i++) chosen[chooseQuery(source, { scores, rate: rational(0.7) })]!++;
  chosen.forEach((times, i) => {
    const p = weights[i]! / total;
    // |z| ≤ 4.5: false alarm 7e-6 each.
    assertAlmostEquals(times / count, p, 4.5 * Math.sqrt(p * (1 - p) / count));
  });
});

Deno.test("sampleMwem() makes the rounds of Figure 1 when replayed by hand", () => {
  const domain = finiteDomain({ shape: [3] });
  const queries = marginalQueries(domain, { attributes: [0] });
  const shared = { domain, queries, rounds: 3, epsilon: 5, relation: replaceOne };
  const rows = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2];
  for (const output of ["average", "last"] as const) {
    const { measurements, histogram } = sampleMwem(new SeededSource(611), {
      ...shared,
      output,
      rows,
    });
    let weights = [10 / 3, 10 / 3, 10 / 3];
    const sum = [0, 0, 0];
    for (const { query, value } of measurements) {
      weights.forEach((weight, i) => sum[i]! += weight / 3);
      const factor = Math.exp((value - weights[query]!) / 20);
      weights = weights.map((weight, i) => i === query ? factor * weight : weight);
      const total = weights.reduce((a, b) => a + b);
      weights = weights.map((weight) => 10 * weight / total);
    }
    (output === "last" ? weights : sum).forEach((expected, i) =>
      assertAlmostEquals(histogram[i]!, expected, 1e-9)
    );
  }
});

Deno.test("sampleMwem() adds noise of scale 2T/ε to each measurement, and to a private n", () => {
  const rounds = 2, epsilon = 0.5, runs = 2000;
  const source = new SeededSource(612);
  for (const relation of [replaceOne, addRemoveOne]) {
    const scale = (2 * rounds + (relation === replaceOne ? 0 : 1)) / epsilon;
    let sum = 0, sizes = 0;
    const mechanism = mwemMechanism({
      domain: four,
      queries: eachOfFour,
      rounds,
      epsilon,
      relation,
      sizes: { min: 1000, max: 1000 },
    });
    const rows = Array.from({ length: 1000 }, (_, i) => i % 4);
    for (let run = 0; run < runs; run++) {
      const [, first, , second, size] = mechanism.sample(rows, source);
      sum += Math.abs(first! - 250) + Math.abs(second! - 250);
      sizes += Math.abs(size! - 1000);
    }
    // E|X| = 1/sinh(1/scale) and its deviation is below 1.01·scale: |z| ≤ 4.5, false alarm 7e-6 each.
    const mean = 1 / Math.sinh(1 / scale);
    assertAlmostEquals(sum / (runs * rounds), mean, 4.5 * 1.01 * scale / Math.sqrt(runs * rounds));
    if (relation === replaceOne) assertEquals(sizes, 0);
    else assertAlmostEquals(sizes / runs, mean, 4.5 * 1.01 * scale / Math.sqrt(runs));
  }
});

Deno.test("sampleMwem() chooses a query with probability ∝ exp(ε/2T·error/2)", () => {
  const source = new SeededSource(621), runs = 8000, rows = [0, 0, 0, 0, 0, 0, 0, 0];
  const mechanism = mwemMechanism({
    domain: four,
    queries: eachOfFour,
    rounds: 1,
    epsilon: 2,
    relation: replaceOne,
    sizes: { min: 8, max: 8 },
  });
  let first = 0;
  for (let run = 0; run < runs; run++) if (mechanism.sample(rows, source)[0] === 0) first++;
  // The uniform estimate is 2 in each cell: off by 6, 2, 2, 2. |z| ≤ 4.5: false alarm 7e-6.
  const p = Math.exp(3) / (Math.exp(3) + 3 * Math.exp(1));
  assertAlmostEquals(first / runs, p, 4.5 * Math.sqrt(p * (1 - p) / runs));
});

/** All intervals of 64 values, and rows of which nine tenths are in two cells. */
function intervals(
  length: number,
): { domain: FiniteDomain; queries: BoxQuery[]; rows: Uint8Array } {
  const domain = finiteDomain({ shape: [64] });
  const queries: BoxQuery[] = [];
  for (let first = 0; first < 64; first++) {
    for (let last = first; last < 64; last++) queries.push({ lower: [first], upper: [last] });
  }
  const rows = Uint8Array.from(
    { length },
    (_, i) => i % 10 === 0 ? (i / 10) % 64 : i % 2 === 0 ? 7 : 50,
  );
  return { domain, queries, rows };
}

function worst(estimate: Float64Array, truth: Float64Array): number {
  return estimate.reduce((most, value, i) => Math.max(most, Math.abs(value - truth[i]!)), 0);
}

Deno.test("sampleMwem() keeps the error of Theorem 2.2, and a wrong sign does not", () => {
  const { domain, queries, rows } = intervals(200_000);
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  const rounds = 40, epsilon = 1, runs = 10;
  const bound = mwemErrorBound({
    size: rows.length,
    cells: domain.size,
    queries: queries.length,
    rounds,
    epsilon,
  });
  assertAlmostEquals(bound.error, 4e5 * Math.sqrt(Math.log(64) / 40) + 400 * Math.log(2080), 1e-6);
  assertAlmostEquals(bound.probability, 1 - 80 / 2080, 1e-12);
  const source = new SeededSource(613);
  const estimates = Array.from(
    { length: runs },
    () => sampleMwem(source, { domain, queries, rounds, epsilon, relation: replaceOne, rows }),
  );
  const errors = estimates.map(({ histogram }) =>
    worst(answerQueries(histogram, { domain, queries }), truth)
  );
  // With probability 0.96 each: 2 of 10 may miss (more do with probability 6e-3).
  assert(errors.filter((error) => error <= bound.error).length >= runs - 2);
  // Weights that move away from the measurements: the bound is not one that anything keeps.
  const away = new Float64Array(64).fill(rows.length / 64), sum = new Float64Array(64);
  const evaluate = queryEvaluator(domain, queries);
  for (const { query, value } of estimates[0]!.measurements) {
    const answer = evaluate(away, new Float64Array(queries.length))[query]!;
    const factor = Math.exp((answer - value) / (2 * rows.length));
    away.forEach((mass, cell) => sum[cell] = sum[cell]! + mass / rounds);
    reweightBox(away, { domain, query: queries[query]!, factor, size: rows.length });
  }
  assert(worst(answerQueries(sum, { domain, queries }), truth) > bound.error);
});

Deno.test("sampleMwem() answers 2,080 ranges of 5,000 rows better than plain Laplace", () => {
  const { domain, queries, rows } = intervals(5000);
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  const source = new SeededSource(614), epsilon = 1;
  const plain = integerLaplace<number>({
    query: () => Array.from(truth),
    dimension: queries.length,
    sensitivity: queries.length,
    epsilon,
    relation: replaceOne,
  });
  let reached = 0, replayed = 0, laplace = 0;
  for (let run = 0; run < 5; run++) {
    const options = { domain, queries, rounds: 10, epsilon, relation: replaceOne, rows };
    const error = (more: Partial<MwemOptions>): number => {
      const { histogram } = sampleMwem(source, { ...options, ...more });
      return worst(answerQueries(histogram, { domain, queries }), truth) / 5;
    };
    reached += error({ output: "last" });
    replayed += error({ output: "last", replays: 20 });
    laplace += worst(Float64Array.from(plain.sample([], source)), truth) / 5;
  }
  assert(reached < laplace / 5);
  assert(replayed < reached / 5);
});
