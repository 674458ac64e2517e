import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, asserted, replaceOne } from "../../../lib/core/relations/relation.ts";
import { exponentialFamily, withinBounds } from "../../../lib/papers/bayes/exponential_family.ts";
import { exponentialPosterior } from "../../../lib/papers/bayes/exponential_posterior.ts";
import {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "../../../lib/papers/bayes/families.ts";
import { noisyStatistics } from "../../../lib/papers/bayes/noisy_statistics.ts";
import type { PosteriorFamily } from "../../../lib/papers/bayes/posterior_sampling.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** The largest of max − min of log p(row|θ) over parameters, over the rows given: what `range` must not be below. */
function largestRange<Row, Parameter>(
  { parameters, logLikelihood }: PosteriorFamily<Row, Parameter>,
  rows: readonly Row[],
): number {
  return Math.max(...rows.map((row) => {
    const logs = parameters.map((parameter) => logLikelihood(row, parameter));
    return Math.max(...logs) - Math.min(...logs);
  }));
}

/** Differences of a log density from that at the first parameter, which constants do not change. */
function relative(logs: readonly number[]): number[] {
  return logs.map((log) => log - logs[0]!);
}

function assertClose(found: readonly number[], expected: readonly number[]): void {
  assertEquals(found.length, expected.length);
  found.forEach((value, i) => assertAlmostEquals(value, expected[i]!, 1e-9));
}

// Mutants: each term of a log density and of a range dropped or changed, rows that are not brought into the bounds.
Deno.test("gaussianMean() has the log densities of its normal laws, and the range that rows at the bounds reach", () => {
  for (
    const { lower, upper, deviation, mean, spread, resolution } of [
      { lower: -1, upper: 3, deviation: 0.7, mean: 0.4, spread: 2, resolution: 2 },
      { lower: 2, upper: 5, deviation: 3, mean: -1, spread: 0.3, resolution: 7 },
    ]
  ) {
    const family = gaussianMean({
      bounds: { lower, upper },
      deviation,
      prior: { mean, deviation: spread },
      resolution,
    });
    const parameters = Array.from(
      { length: resolution },
      (_, i) => (lower * (resolution - 1 - i) + upper * i) / (resolution - 1),
    );
    assertClose(family.parameters, parameters);
    // ln of exp(−(x − m)²/(2s²)), multiplied out.
    const normal = (x: number, m: number, s: number): number =>
      (x * m - (x * x + m * m) / 2) / s / s;
    assertClose(
      relative(parameters.map(family.logPrior)),
      relative(parameters.map((parameter) => normal(parameter, mean, spread))),
    );
    for (const row of [lower - 10, lower, 0.3 * lower + 0.7 * upper, upper, upper + 1e9]) {
      const held = row < lower ? lower : row > upper ? upper : row;
      assertClose(
        relative(parameters.map((parameter) => family.logLikelihood(row, parameter))),
        relative(parameters.map((parameter) => normal(held, parameter, deviation))),
      );
    }
    assertAlmostEquals(family.range, largestRange(family, [lower, upper]), 1e-9);
  }
});

Deno.test("dirichletMultinomial() has every share in steps, the Dirichlet prior, and the range of its rarest category", () => {
  for (const [prior, resolution] of [[[2, 0.5], 5], [[1, 3, 0.2], 6], [[1, 1, 1, 4], 7]] as const) {
    const family = dirichletMultinomial({ prior, resolution });
    const expected: string[] = [];
    const walk = (parts: number[], left: number): void => {
      if (parts.length === prior.length) {
        if (left === 0) expected.push(`${parts}`);
        return;
      }
      for (let part = 1; part <= left; part++) walk([...parts, part], left - part);
    };
    walk([], resolution);
    assertEquals(
      family.parameters.map((shares) => `${shares.map((share) => Math.round(share * resolution))}`)
        .sort(),
      expected.sort(),
    );
    for (const shares of family.parameters) {
      assertAlmostEquals(shares.reduce((sum, share) => sum + share), 1, 1e-12);
      // The density is ∝ Π shareₖ^(priorₖ − 1).
      const product = shares.reduce((all, share, k) => all * share ** (prior[k]! - 1), 1);
      assertAlmostEquals(family.logPrior(shares), Math.log(product), 1e-9);
      shares.forEach((share, k) =>
        assertAlmostEquals(family.logLikelihood(k, shares), Math.log(share), 1e-12)
      );
      assertEquals(family.logLikelihood(prior.length, shares), 0);
    }
    const categories = prior.map((_, k) => k);
    assertAlmostEquals(family.range, largestRange(family, categories), 1e-9);
  }
});

Deno.test("betaBernoulli() takes two parameters and reaches its range", () => {
  for (const resolution of [2, 9]) {
    const family = betaBernoulli({ ones: 2, zeros: 3, least: 0.1, resolution });
    assertAlmostEquals(family.range, largestRange(family, [true, false]), 1e-9);
    family.parameters.forEach((p) => {
      assertAlmostEquals(family.logPrior(p), Math.log(p * (1 - p) ** 2), 1e-12);
      assertAlmostEquals(family.logLikelihood(false, p), Math.log(1 - p), 1e-12);
    });
  }
});

Deno.test("families refuse options out of range by name", () => {
  const gaussian = {
    bounds: { lower: 0, upper: 1 },
    deviation: 1,
    prior: { mean: 0, deviation: 1 },
    resolution: 2,
  };
  const refused: [() => unknown, string][] = [
    [() => gaussianMean({ ...gaussian, bounds: { lower: 1, upper: 1 } }), "bounds.upper"],
    [() => gaussianMean({ ...gaussian, bounds: { lower: 3, upper: 1 } }), "bounds.upper"],
    [() => gaussianMean({ ...gaussian, deviation: 0 }), "deviation"],
    [() => gaussianMean({ ...gaussian, prior: { mean: 0, deviation: 0 } }), "prior.deviation"],
    [() => gaussianMean({ ...gaussian, resolution: 1 }), "resolution"],
    [() => betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: 1 }), "resolution"],
    [() => dirichletMultinomial({ prior: [1], resolution: 9 }), "length of prior"],
    [() => dirichletMultinomial({ prior: [1, 0], resolution: 9 }), "prior[1]"],
    [() => dirichletMultinomial({ prior: [1, 1, 1], resolution: 3 }), "resolution"],
    // 65,538 − 1 over 1 shares are one too many, 65,536 are not.
    [() => dirichletMultinomial({ prior: [1, 1], resolution: 65_538 }), "parameters"],
    // 363 steps in three shares are 362·361/2 = 65,341 parameters, 364 are 65,703.
    [() => dirichletMultinomial({ prior: [1, 1, 1], resolution: 364 }), "parameters"],
  ];
  for (const [make, named] of refused) assertThrows(make, RangeError, named);
  assertEquals(
    dirichletMultinomial({ prior: [1, 1], resolution: 65_537 }).parameters.length,
    65_536,
  );
  assertEquals(
    dirichletMultinomial({ prior: [1, 1, 1], resolution: 363 }).parameters.length,
    65_341,
  );
  assertEquals(dirichletMultinomial({ prior: [1, 1, 1], resolution: 4 }).parameters.length, 3);
});

// Mutants: a corner of the box of statistics left out, a coordinate that is always at one end.
Deno.test("exponentialFamily() claims the range that its statistics reach, in one to three coordinates", () => {
  const source = new SeededSource(2601);
  for (let run = 0; run < 60; run++) {
    const coordinates = 1 + run % 3;
    const numbers = (): number[] =>
      Array.from({ length: coordinates }, () => 4 * source.uniform() - 2);
    const lower = numbers(), upper = lower.map((least) => least + 0.1 + source.uniform());
    const parameters = Array.from({ length: 1 + run % 5 }, numbers);
    const prior = { mean: numbers(), strength: 2 * source.uniform() };
    const logPartition = (parameter: readonly number[]): number =>
      parameter.reduce((sum, theta) => sum + Math.cosh(theta), 0.5);
    const family = exponentialFamily<readonly number[]>({
      parameters,
      statistic: (row) => row,
      bounds: { lower, upper },
      logPartition,
      prior,
    });
    // A linear function is largest at corners: all of them, each coordinate low or high.
    let corners: number[][] = [[]];
    for (let k = 0; k < coordinates; k++) {
      corners = corners.flatMap((corner) => [[...corner, lower[k]!], [...corner, upper[k]!]]);
    }
    assertAlmostEquals(family.range, largestRange(family, corners), 1e-9);
    const inner = lower.map((least, k) => least + source.uniform() * (upper[k]! - least));
    for (const parameter of parameters) {
      const density = (at: readonly number[]): number =>
        at.reduce((sum, value, k) => sum + value * parameter[k]!, 0) - logPartition(parameter);
      assertAlmostEquals(family.logLikelihood(inner, parameter), density(inner), 1e-9);
      assertAlmostEquals(family.logPrior(parameter), prior.strength * density(prior.mean), 1e-9);
      const beyond = inner.map((_, k) => k % 2 === 0 ? 1e9 : -1e9);
      const held = beyond.map((value, k) => value > 0 ? upper[k]! : lower[k]!);
      assertAlmostEquals(family.logLikelihood(beyond, parameter), density(held), 1e-9);
    }
  }
  assertEquals(withinBounds([NaN, 5, -5], { lower: [1, 1, 1], upper: [2, 2, 2] }), [1, 2, 1]);
});

Deno.test("exponentialFamily() takes 1 to 8 coordinates and at most 65,536 parameters", () => {
  const make = (coordinates: number, count: number, strength = 0) => {
    const zeros = Array<number>(coordinates).fill(0);
    return exponentialFamily<readonly number[]>({
      parameters: Array.from({ length: count }, () => zeros),
      statistic: (row) => row,
      bounds: { lower: zeros, upper: zeros.map(() => 1) },
      logPartition: () => 0,
      prior: { mean: zeros, strength },
    });
  };
  assertEquals(make(8, 1).range, 0);
  assertEquals(make(1, 65_536).parameters.length, 65_536);
  assertThrows(() => make(9, 1), RangeError, "coordinates");
  assertThrows(() => make(0, 1), RangeError, "coordinates");
  assertThrows(() => make(1, 0), RangeError, "parameters");
  assertThrows(() => make(1, 65_537), RangeError, "parameters");
  assertThrows(() => make(1, 1, -1), RangeError, "prior.strength");
  assertThrows(
    () =>
      exponentialPosterior(
        { parameters: [[1]], logPartition: () => 0, prior: { mean: [], strength: 1 } },
        [],
      ),
    RangeError,
    "must be 1 numbers",
  );
});

// Mutants: counts that begin at 1, one category after the other mixed up, priors left out, counts below 0.
Deno.test("noisyStatistics() adds counts to the prior, category by category, and never less than nothing", () => {
  const source = new SeededSource(2602), data = [0, 0, 2, 0, 1];
  // At ε = 200 noise that is not 0 has probability below e^−60 a count.
  for (const relation of [replaceOne, addRemoveOne]) {
    const sure = noisyStatistics({ prior: [1, 2, 3.5], epsilon: 200, relation });
    assertEquals([...sure.sampleMany!(data, 2, source)], [4, 3, 4.5, 4, 3, 4.5]);
    assertEquals(sure.sample([], source), [1, 2, 3.5]);
    const balanced = noisyStatistics({ prior: [5, 0.25], epsilon: 200, relation });
    assertEquals([...balanced.sampleMany!([1, 1, 0], 2, source)], [6, 2.25, 6, 2.25]);
    const loud = noisyStatistics({ prior: [1, 2, 3.5], epsilon: 0.1, relation });
    const drawn = loud.sampleMany!(data, 1000, source);
    const extra = drawn.map((shape, i) => shape - [1, 2, 3.5][i % 3]!);
    assert(extra.every((each) => each >= 0 && Number.isInteger(each)) && extra.includes(0));
    const pair = noisyStatistics({ prior: [1, 1], epsilon: 0.1, relation });
    const seconds = pair.sampleMany!([1, 1, 0], 500, source).filter((_, i) => i % 2 === 1);
    assert(seconds.every((shape) => shape >= 1) && seconds.includes(1));
  }
  // A count has no noise with probability tanh(ε/(2Δ)), Δ = 2 for three categories and a row replaced.
  const half = noisyStatistics({ prior: [1, 1, 1], epsilon: 2, relation: replaceOne });
  const silent = half.sampleMany!(data, 4000, source).filter((shape, i) =>
    shape === [4, 2, 2][i % 3]
  );
  const share = Math.tanh(0.5);
  // Six standard errors: 2e-9.
  assertAlmostEquals(silent.length / 12_000, share, 6 * Math.sqrt(share * (1 - share) / 12_000));
  const domain = { size: { min: 1, max: 3 }, rows: { type: "integer", min: 0, max: 2 } } as const;
  const options = { prior: [1, 1, 1], epsilon: 1, relation: replaceOne };
  assertEquals(noisyStatistics({ ...options, domain }).domain, domain);
  assert(!("domain" in noisyStatistics(options)));
  assertThrows(() => noisyStatistics({ ...options, relation: asserted }), RangeError, "relation");
  for (const row of [1.5, -1, 3, NaN]) {
    assertThrows(() => noisyStatistics(options).check!([0, row]), RangeError, "indices");
  }
});
