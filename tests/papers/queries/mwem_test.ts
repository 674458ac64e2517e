import { assertAlmostEquals, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { marginalQueries } from "../../../lib/papers/queries/box_query.ts";
import { chooseQuery } from "../../../lib/papers/queries/choose_query.ts";
import { finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { mwemMechanism, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
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
