import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  exponentialFamily,
  type ExponentialFamilyOptions,
} from "../../../lib/papers/bayes/exponential_family.ts";
import { exponentialPosterior } from "../../../lib/papers/bayes/exponential_posterior.ts";
import { betaBernoulli } from "../../../lib/papers/bayes/families.ts";
import {
  noisySufficientStatistics,
  type NoisySufficientStatisticsOptions,
} from "../../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { posteriorSampling } from "../../../lib/papers/bayes/posterior_sampling.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const probabilities = Array.from({ length: 17 }, (_, i) => 0.1 + 0.05 * i);

/** Coin flips by their log-odds. */
const coin: ExponentialFamilyOptions<boolean> = {
  parameters: probabilities.map((p) => [Math.log(p / (1 - p))]),
  statistic: (flip) => [flip ? 1 : 0],
  bounds: { lower: [0], upper: [1] },
  logPartition: ([theta]) => Math.log1p(Math.exp(theta!)),
  prior: { mean: [0.5], strength: 2 },
};

/** A normal law of unknown mean and variance: θ = (m/v, −1/(2v)), S = (x, x²), −1 ≤ x ≤ 1. */
const normal: ExponentialFamilyOptions<number> = {
  parameters: [-0.5, 0, 0.5].flatMap((mean) =>
    [0.3, 0.6, 1.2].map((variance) => [mean / variance, -0.5 / variance])
  ),
  statistic: (x) => [x, x * x],
  bounds: { lower: [-1, 0], upper: [1, 1] },
  logPartition: ([first, second]) =>
    -0.25 * first! * first! / second! - 0.5 * Math.log(-2 * second!),
  prior: { mean: [0, 0.5], strength: 1 },
};

Deno.test("exponentialFamily() is betaBernoulli() when the statistic is the flip", () => {
  const options = { epsilon: 100, relation: replaceOne };
  const natural = posteriorSampling(exponentialFamily(coin), options);
  // Strength 2 and mean ½ are one flip of either kind beyond a flat prior: Beta(2, 2).
  const beta = posteriorSampling(
    betaBernoulli({ ones: 2, zeros: 2, least: 0.1, resolution: 17 }),
    options,
  );
  const data = [true, true, false, true];
  const expected = beta.distribution!(data);
  natural.distribution!(data).forEach(({ probability }, i) =>
    assertAlmostEquals(probability, expected[i]!.probability, 1e-6)
  );
  assertAlmostEquals(exponentialFamily(coin).range, Math.log(9), 1e-12);
});

Deno.test("exponentialFamily() has a range that no row's log-likelihood exceeds, and one row reaches", () => {
  const { parameters, logLikelihood, range } = exponentialFamily(normal);
  const spread = (x: number): number => {
    const logs = parameters.map((parameter) => logLikelihood(x, parameter));
    return Math.max(...logs) - Math.min(...logs);
  };
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (x) => spread(x) <= range * (1 + 1e-12)),
    { seed: 680 },
  );
  // x = 1 is the corner (1, 1) of the box; (1, 0) is a corner that no row has.
  assert(spread(1) >= 0.9 * range);
});

Deno.test("posteriorSampling() of an exponential family loses no more than its claim, enumerated", () => {
  for (const epsilon of [0.2, 2, 100]) {
    for (const relation of [replaceOne, addRemoveOne]) {
      const { distribution, claim } = posteriorSampling(exponentialFamily(normal), {
        epsilon,
        relation,
      });
      assert(claim.kind === "pure");
      let worst = 0;
      for (const rest of [[], [0.3, -0.9], new Array<number>(30).fill(1)]) {
        for (const [one, other] of [[1, 0], [1, -1], [1e9, NaN]] as const) {
          const left = distribution!([...rest, one]);
          const right = distribution!(relation === replaceOne ? [...rest, other] : rest);
          left.forEach(({ probability }, i) =>
            worst = Math.max(worst, Math.abs(Math.log(probability / right[i]!.probability)))
          );
        }
      }
      assert(worst <= claim.epsilon * (1 + 1e-9), `${worst} exceeds ${claim.epsilon}`);
      assert(worst >= 0.4 * claim.epsilon, `${worst} is far below ${claim.epsilon}`);
    }
  }
});

Deno.test("exponentialPosterior() is the posterior that posteriorSampling() has when it is not tempered", () => {
  const data = [0.2, -0.4, 0.9, 0.1];
  const sums = [4, ...[0, 1].map((k) => data.reduce((sum, x) => sum + [x, x * x][k]!, 0))];
  const sampling = posteriorSampling(exponentialFamily(normal), {
    epsilon: 1e6,
    relation: replaceOne,
  });
  const expected = sampling.distribution!(data);
  exponentialPosterior(normal, sums).forEach((probability, i) =>
    assertAlmostEquals(probability, expected[i]!.probability, 1e-6)
  );
  assertThrows(() => exponentialPosterior(normal, [4, 1]), RangeError, "3 numbers");
});

const statistics: NoisySufficientStatisticsOptions<number> = {
  statistic: normal.statistic,
  bounds: normal.bounds,
  granularity: 2 ** -10,
  epsilon: 1,
  relation: replaceOne,
};

Deno.test("noisySufficientStatistics() are within ln(1/β)·width/ε of the sums, as often as the law says, and projected", () => {
  const data = Array.from({ length: 200 }, (_, i) => (i % 21 - 10) / 10);
  const truth = [0, 1].map((k) => data.reduce((sum, x) => sum + normal.statistic(x)[k]!, 0));
  const release = noisySufficientStatistics(statistics);
  const source = new SeededSource(681), runs = 2000, beta = 0.1;
  const within = [0, 0];
  for (let run = 0; run < runs; run++) {
    const [size, ...sums] = release.sample(data, source);
    assertEquals(size, 200);
    // L1 widths 2 and 1: noise of scale 3; P(|Lap(b)| ≤ b·ln(1/β)) = 1 − β. Rounding moves a sum by 0.1.
    sums.forEach((sum, k) => {
      if (Math.abs(sum - truth[k]!) <= 3 * Math.log(1 / beta)) within[k]!++;
    });
  }
  // 1800 of 2000 with deviation 13.4: |z| ≤ 4.5 and the rounding; false alarm below 1e-5 each.
  within.forEach((times) => assert(Math.abs(times - 1800) <= 75, `${times} are within`));
  const few = noisySufficientStatistics({ ...statistics, epsilon: 0.01, relation: addRemoveOne });
  for (let run = 0; run < 200; run++) {
    const [size, first, second] = few.sample([0.5, 0.5], source);
    assert(size! >= 0 && Math.abs(first!) <= size! && second! >= 0 && second! <= size!);
  }
});
