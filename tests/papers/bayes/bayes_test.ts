import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { betaBernoulli } from "../../../lib/papers/bayes/families.ts";
import { noisyStatistics } from "../../../lib/papers/bayes/noisy_statistics.ts";
import { posteriorSampling } from "../../../lib/papers/bayes/posterior_sampling.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { refutes } from "../../dp/learners/refutes.ts";

const flips = betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: 81 });

Deno.test("posteriorSampling() is the posterior itself once epsilon is 2C, and the claim stops there", () => {
  const sampling = posteriorSampling(flips, { epsilon: 100, relation: replaceOne });
  assertEquals(sampling.temper, 1);
  assert(sampling.claim.kind === "pure");
  assertAlmostEquals(sampling.claim.epsilon, 2 * Math.log(9), 1e-6);
  const data = [true, true, true, false];
  const weights = flips.parameters.map((p) => p ** 3 * (1 - p));
  const total = weights.reduce((a, b) => a + b);
  sampling.distribution!(data).forEach(({ probability }, i) =>
    assertAlmostEquals(probability, weights[i]! / total, 1e-6)
  );
  const half = posteriorSampling(flips, { epsilon: 1, relation: replaceOne, samples: 2 });
  assertAlmostEquals(half.temper, 1 / (4 * Math.log(9)), 1e-6);
});

Deno.test("posteriorSampling() draws as its distribution says", () => {
  const sampling = posteriorSampling(
    betaBernoulli({ ones: 2, zeros: 1, least: 0.2, resolution: 4 }),
    { epsilon: 2, relation: replaceOne },
  );
  const data = [true, false, true], draws = 20_000, source = new SeededSource(630);
  const counts = new Map<number, number>();
  for (const p of sampling.sampleMany!(data, draws, source)) {
    counts.set(p, (counts.get(p) ?? 0) + 1);
  }
  assert(counts.has(sampling.sample(data, source)[0]!));
  for (const { output, probability } of sampling.distribution!(data)) {
    // Five deviations in each of four cells: false alarm below 3e-6.
    const deviation = Math.sqrt(draws * probability * (1 - probability));
    assert(Math.abs(counts.get(output[0]!)! - draws * probability) <= 5 * deviation);
  }
});

Deno.test("noisyStatistics() has sensitivity 2, 1 where a row is added, and 1 for two categories", async () => {
  const two = noisyStatistics({ prior: [1, 1], epsilon: 1, relation: replaceOne });
  const twoPair = pairOf(replaceOne, { left: [1, 0, 1], right: [0, 0, 1] });
  const three = noisyStatistics({ prior: [1, 1, 1], epsilon: 1, relation: replaceOne });
  const threePair = pairOf(replaceOne, { left: [1, 0, 2, 1, 0, 2], right: [0, 0, 2, 1, 0, 2] });
  const added = noisyStatistics({ prior: [1, 1], epsilon: 1, relation: addRemoveOne });
  const addedPair = pairOf(addRemoveOne, { left: [1, 0, 1], right: [0, 1] });
  assertEquals(await refutes(two, { pair: twoPair, seed: 634 }), false);
  assertEquals(await refutes(three, { pair: threePair, seed: 635 }), false);
  assertEquals(await refutes(added, { pair: addedPair, seed: 636 }), false);
  // The noise of added rows under a claim for replaced ones: two counts move by one each.
  const mutant: typeof three = {
    ...noisyStatistics({ prior: [1, 1, 1], epsilon: 1, relation: addRemoveOne }),
    claim: three.claim,
  };
  assert(await refutes(mutant, { pair: threePair, seed: 637 }));
});

Deno.test("noisyStatistics() gives the mean of the posterior within its noise, as posteriorSampling() does", () => {
  const ones = 700, data = Array.from({ length: 1000 }, (_, i) => i < ones ? 1 : 0);
  const truth = (1 + ones) / (2 + data.length);
  const statistics = noisyStatistics({ prior: [1, 1], epsilon: 1, relation: replaceOne });
  const source = new SeededSource(639);
  let far = 0;
  for (let i = 0; i < 2000; i++) {
    const [zeros, more] = statistics.sample(data, source);
    // P(|discrete Laplace of scale 1| ≥ 5) = 2e^(−5)/(1 + e^(−1)) = 0.99%.
    if (Math.abs(more! / (zeros! + more!) - truth) * (2 + data.length) > 4.5) far++;
  }
  // Of 2000, 19.7 on average with deviation 4.4; beyond 42 with chance below 1e-5.
  assert(far >= 3 && far <= 42, `${far} are far`);
  const posterior = posteriorSampling(flips, { epsilon: 1, relation: replaceOne });
  const booleans = data.map((bit) => bit === 1);
  // The tempered posterior is as a posterior from n·ε/(2C) rows: deviation about 0.03.
  const law = posterior.distribution!(booleans);
  const mean = law.reduce((sum, { output, probability }) => sum + output[0]! * probability, 0);
  const variance = law.reduce(
    (sum, { output, probability }) => sum + (output[0]! - mean) ** 2 * probability,
    0,
  );
  assertAlmostEquals(mean, truth, 0.01);
  assertAlmostEquals(variance, truth * (1 - truth) / (1000 * posterior.temper), 1e-4);
});
