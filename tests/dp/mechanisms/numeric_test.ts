import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  addRemoveOne,
  asserted,
  changeEach,
  replaceOne,
} from "../../../lib/core/relations/relation.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { contingencyTable, marginal } from "../../../lib/dp/mechanisms/contingency_table.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { floatSphericalLaplace } from "../../../lib/dp/mechanisms/float_spherical_laplace.ts";
import { truncatedGeometric } from "../../../lib/dp/mechanisms/geometric.ts";
import { noisyHistogram } from "../../../lib/dp/mechanisms/noisy_histogram.ts";
import { mechanismNamed } from "../../../lib/dp/mechanisms/registry.ts";
import { aboveThreshold } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { staircase, staircaseTread } from "../../../lib/dp/mechanisms/staircase.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const bounded = { bounds: { lower: 0, upper: 10 }, epsilon: 1, granularity: 2 ** -4 };

Deno.test("boundedSum() has the sensitivity of its relation and does not depend on the order", () => {
  assertEquals(boundedSum({ ...bounded, relation: replaceOne }).grid.sensitivityInSteps, 160);
  const signed = { ...bounded, bounds: { lower: -20, upper: 10 } };
  assertEquals(boundedSum({ ...signed, relation: addRemoveOne }).grid.sensitivityInSteps, 320);
  const mechanism = boundedSum({ ...bounded, relation: replaceOne });
  // In floating point 2⁵³ + 1 + … + 1 depends on the order; in steps within bounds it cannot.
  const rows = [2 ** 53, ...Array.from({ length: 500 }, (_, i) => i * 0.1), -(2 ** 53)];
  for (const output of [0, 1000, 5000]) {
    assertEquals(
      mechanism.logDensity!(output, rows),
      mechanism.logDensity!(output, rows.toReversed()),
    );
  }
  for (const relation of [asserted, changeEach({ by: 1 })]) {
    assertThrows(() => boundedSum({ ...bounded, relation }), RangeError, "relation must be");
  }
  for (const bounds of [{ lower: 1, upper: 1 }, { lower: 2, upper: 1 }, { lower: NaN, upper: 1 }]) {
    assertThrows(() => boundedSum({ ...bounded, bounds, relation: replaceOne }), RangeError);
    assertThrows(() => boundedMean({ ...bounded, bounds, relation: replaceOne }), RangeError);
  }
});

Deno.test("boundedMean() stays within bounds and is near the mean of many rows", () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => i % 7);
  for (const relation of [replaceOne, addRemoveOne]) {
    const mechanism = boundedMean({ ...bounded, relation });
    const means = mechanism.sampleMany!(rows, 1000, new SeededSource(111));
    for (const mean of means) assert(Math.abs(mean - 3) < 0.05);
    for (const mean of mechanism.sampleMany!([5], 1000, new SeededSource(112))) {
      assert(mean >= 0 && mean <= 10);
    }
  }
  assertThrows(
    () => boundedMean({ ...bounded, relation: replaceOne }).check!([]),
    RangeError,
    "at least one row",
  );
});

Deno.test("count() and noisyHistogram() have noise for the relation that they are told", () => {
  const scale = (relation: typeof replaceOne): number =>
    noisyHistogram<string, string>({
      categories: ["a", "b"],
      categoryOf: (row) => row,
      epsilon: 0.5,
      relation,
    }).grid.scaleInSteps;
  assertEquals(scale(addRemoveOne), 2);
  assertEquals(scale(replaceOne), 4);
  const where = (row: boolean): boolean => row;
  assertEquals(count({ where, epsilon: 0.5, relation: replaceOne }).grid.scaleInSteps, 2);
  assertThrows(() => count({ where, epsilon: 1, relation: asserted }), RangeError);
  assertThrows(
    () =>
      noisyHistogram({
        categories: [],
        categoryOf: () => 0,
        epsilon: 1,
        relation: replaceOne,
      }),
    RangeError,
    "categories",
  );
});

Deno.test("marginal() sums agree with one another and with the rows", () => {
  const attributes = { sex: ["f", "m"], smokes: [true, false], age: [1, 2, 3] };
  const table = contingencyTable({ attributes, epsilon: 1000, relation: addRemoveOne });
  const rows = [
    { sex: "f", smokes: true, age: 3 },
    { sex: "f", smokes: false, age: 1 },
    { sex: "m", smokes: false, age: 1 },
    { sex: "m", smokes: false, age: 7 },
  ];
  // With ε = 1000 the noise is zero for certain: what is told is the table.
  const exact = table.sample(rows, new SeededSource(113));
  assertEquals(marginal(exact, { attributes, keep: ["sex"] }), [2, 1]);
  assertEquals(marginal(exact, { attributes, keep: ["age"] }), [2, 0, 1]);
  assertEquals(marginal(exact, { attributes, keep: ["sex", "smokes"] }), [1, 1, 0, 1]);
  const noisy = contingencyTable({ attributes, epsilon: 0.1, relation: addRemoveOne })
    .sample(rows, new SeededSource(114));
  const pairs = marginal(noisy, { attributes, keep: ["sex", "age"] });
  assertEquals(
    marginal(noisy, { attributes, keep: ["sex"] }),
    [0, 1].map((i) => pairs.slice(3 * i, 3 * i + 3).reduce((a, b) => a + b)),
  );
  assertThrows(() => marginal(noisy, { attributes, keep: ["height"] }), RangeError);
});

Deno.test("staircaseTread() has the least expected noise and the share of Geng and Viswanath", () => {
  for (const epsilon of [0.3, 1, 2, 5]) {
    assertAlmostEquals(
      staircaseTread({ epsilon, steps: 100_000 }) / 100_000,
      1 / (1 + Math.exp(epsilon / 2)),
      2e-5,
    );
  }
  // Against all treads, from probabilities of the mechanism's own noise: only the best is offered.
  const steps = 16, epsilon = 2;
  const mechanism = staircase<number>({
    query: (rows) => rows[0]!,
    epsilon,
    sensitivity: steps,
    granularity: 1,
    relation: replaceOne,
  });
  let cost = 0, laplaceCost = 0;
  const q = Math.exp(-epsilon / steps);
  for (let x = -1000; x <= 1000; x++) {
    cost += Math.abs(x) * Math.exp(mechanism.logDensity!(x, [0]));
    laplaceCost += Math.abs(x) * (1 - q) / (1 + q) * q ** Math.abs(x);
  }
  const costOf = (tread: number): number => {
    let sum = 0, total = 0;
    for (let x = -1000; x <= 1000; x++) {
      const m = Math.abs(x);
      const p = Math.exp(-epsilon * (Math.floor(m / steps) + (m % steps < tread ? 0 : 1)));
      sum += m * p;
      total += p;
    }
    return sum / total;
  };
  assertAlmostEquals(
    cost,
    Math.min(...Array.from({ length: steps }, (_, i) => costOf(i + 1))),
    1e-9,
  );
  assert(cost < laplaceCost);
});

Deno.test("truncatedGeometric() equals the sampler of Ghosh and others at integer e^epsilon", () => {
  // K = 2³, ε = ln(1 + 1/K): chances are fractions with denominator 17·9⁴ (DP-Sniper's table).
  const k = 8, n = 5, total = (2 * k + 1) * (k + 1) ** (n - 1);
  const law = truncatedGeometric<number>({
    query: (rows) => rows[0]!,
    epsilon: Math.log1p(1 / k),
    sensitivity: 1,
    bounds: { lower: 0, upper: n },
    relation: changeEach({ by: 1 }),
  }).distribution!([2]);
  const cumulative = (z: number): number =>
    z < 2
      ? k ** (2 - z) * (k + 1) ** (n - 2 + z)
      : z < n
      ? total - k ** (z - 1) * (k + 1) ** (n - 1 - z + 2)
      : total;
  law.forEach(({ output, probability }) =>
    assertAlmostEquals(
      probability,
      (cumulative(output) - (output === 0 ? 0 : cumulative(output - 1))) / total,
      1e-12,
    )
  );
});

Deno.test("aboveThreshold() stops after its count and enumerates transcripts that sum to 1", () => {
  const mechanism = aboveThreshold<number>({
    answers: (rows) => rows,
    epsilon: 1,
    sensitivity: 1,
    threshold: 0,
    count: 2,
    granularity: 1,
    relation: changeEach({ by: 1 }),
  });
  const law = mechanism.distribution!([3, -2, 0, 1]);
  assertAlmostEquals(law.reduce((sum, { probability }) => sum + probability, 0), 1, 1e-9);
  const source = new SeededSource(115);
  for (let i = 0; i < 200; i++) {
    const said = mechanism.sample([500, -500, 500, 500], source);
    assertEquals(said, [true, false, true]);
  }
});

Deno.test("floatSphericalLaplace() has a Gamma norm and a uniform direction", () => {
  const dimension = 3, scale = 2, draws = 20_000;
  const block = floatSphericalLaplace<number>({
    query: () => [0, 0, 0],
    dimension,
    epsilon: 1,
    sensitivity: scale,
    relation: replaceOne,
  }).sampleMany!([0], draws, new SeededSource(117));
  let norm = 0;
  const sums = [0, 0, 0];
  for (let i = 0; i < draws; i++) {
    const vector = block.subarray(3 * i, 3 * i + 3);
    norm += Math.hypot(...vector);
    vector.forEach((x, j) => sums[j]! += x / Math.hypot(...vector));
  }
  // Mean d·scale, standard deviation √d·scale; directions have variance 1/3: five deviations each.
  assert(Math.abs(norm / draws - 6) < 5 * Math.sqrt(3) * scale / Math.sqrt(draws));
  for (const sum of sums) assert(Math.abs(sum) < 5 * Math.sqrt(draws / 3));
});

Deno.test("mechanismNamed() refuses unknown names and Gaussians without delta", () => {
  assertThrows(() => mechanismNamed("magic", { epsilon: 1 }), RangeError, "name must be one of");
  assertThrows(() => mechanismNamed("toString", { epsilon: 1 }), RangeError);
  assertThrows(() => mechanismNamed("gaussian", { epsilon: 1 }), RangeError, "delta must be given");
});
