import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  amplification,
  amplificationAt,
  breachFreeAmplification,
  rulesOutBreaches,
} from "../../../lib/papers/breaches/amplification.ts";
import { klDistance, leakage } from "../../../lib/papers/breaches/average_measures.ts";
import {
  beliefIn,
  breachIn,
  findBreach,
  posteriorOf,
  requirePrior,
} from "../../../lib/papers/breaches/privacy_breach.ts";
import {
  addUniform,
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";
import { confidence } from "../../../lib/papers/breaches/sulq_condition.ts";

/** Three values, of which only the first two outputs can be seen. */
const half: RandomisationOperator = {
  inputs: 3,
  outputs: 3,
  probability: (input, output) => output === 2 ? 0 : input === output ? 0.75 : 0.25,
};

// Mutant: no margin for rounding, so that an amplification at the limit is below it by a unit in the last place.
Deno.test("rulesOutBreaches() rules out what is below the limit, and nothing at it, however γ is rounded", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 0.9, noNaN: true }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.integer({ min: 2, max: 40 }),
      (a, b, size) => {
        const levels = { rho1: Math.min(a, b), rho2: Math.max(a, b) };
        if (levels.rho2 - levels.rho1 < 0.01) return;
        const limit = breachFreeAmplification(levels);
        const made = (gamma: number): RandomisationOperator =>
          replaceByAnother({ size, keep: gamma / (gamma + size - 1) });
        assert(!rulesOutBreaches(made(limit), levels));
        assert(!rulesOutBreaches(made(limit * (1 + 1e-9)), levels));
        assert(rulesOutBreaches(made(limit * (1 - 1e-9)), levels));
      },
    ),
    { seed: 191, numRuns: 500 },
  );
});

Deno.test("amplificationAt() takes the outputs that there are", () => {
  assertEquals([0, 1, 2].map((output) => amplificationAt(half, { output })), [3, 3, 1]);
  assertEquals(amplification(half), 3);
  for (const output of [-1, 3, 0.5]) {
    assertThrows(() => amplificationAt(half, { output }), RangeError, "output must be");
    const prior = [0.5, 0.25, 0.25];
    assertThrows(
      () => posteriorOf(prior, { operator: half, output }),
      RangeError,
      "output must be",
    );
  }
});

Deno.test("levels are in (0, 1) and in order, for everything that takes them", () => {
  const prior = [1, 0, 0];
  for (
    const levels of [
      { rho1: 0, rho2: 0.5 },
      { rho1: 0.5, rho2: 1 },
      { rho1: 0.5, rho2: 0.5 },
      { rho1: 0.6, rho2: 0.5 },
      { rho1: NaN, rho2: 0.5 },
      { rho1: 0.5, rho2: NaN },
    ]
  ) {
    for (
      const use of [
        () => breachFreeAmplification(levels),
        () => breachIn({ prior: 0, posterior: 1 }, levels),
        () => findBreach(half, { prior, ...levels }),
      ]
    ) assertThrows(use, RangeError, "rho1 and rho2");
  }
  breachFreeAmplification({ rho1: 1e-300, rho2: 1 - 1e-15 });
});

Deno.test("klDistance() compares equal lengths, is never below 0, and takes 0 for impossible on both sides", () => {
  for (const q of [[0.5], [0.2, 0.3, 0.5]]) {
    assertThrows(() => klDistance([0.5, 0.5], q), RangeError, "the number of probabilities");
  }
  assertEquals(klDistance([0, 1], [0, 1]), 0);
  // Distances that rounding takes below 0.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 6 }), (a) => {
      const total = a.reduce((sum, weight) => sum + weight, 0);
      const p = a.map((weight) => weight / total);
      const q = p.map((value) => value * (1 + Number.EPSILON));
      assert(klDistance(p, q) >= 0);
    }),
    { seed: 192 },
  );
});

// Mutants: an output that is never seen; ties that are not told from a larger distance.
Deno.test("leakage() counts outputs as bad as the worst within 1e-9 nats, and no others", () => {
  // Seeing a value tells −ln of its probability.
  const found = (share: number): ReturnType<typeof leakage> =>
    leakage(identityOperator({ size: 4 }), [0.1, 0.1 * (1 - share), 0.1, 0.7 + 0.1 * share]);
  assertAlmostEquals(found(5e-10).worstProbability, 0.3, 1e-9);
  assertEquals(found(5e-10).worstOutput, 0);
  assertAlmostEquals(found(5e-9).worstProbability, 0.1, 1e-9);
  assertEquals(found(5e-9).worstOutput, 1);
  assertAlmostEquals(found(5e-9).worstDistance, -Math.log(0.1), 1e-8);
  // The worst comes first, and a smaller one later.
  const falling = leakage(identityOperator({ size: 3 }), [0.1, 0.2, 0.7]);
  assertEquals([falling.worstOutput, falling.worstProbability], [0, 0.1]);
  const unseen = leakage(half, [0.5, 0.25, 0.25]);
  assert(unseen.mutualInformation > 0 && unseen.worstOutput < 2);
});

Deno.test("leakage() is 0 where outputs tell nothing", () => {
  const same = mixWithUniform(identityOperator({ size: 3 }), { keep: 1e-300 });
  const { mutualInformation, worstDistance, worstOutput, worstProbability } = leakage(
    same,
    [0.2, 0.3, 0.5],
  );
  assertAlmostEquals(mutualInformation, 0, 1e-15);
  assertAlmostEquals(worstDistance, 0, 1e-15);
  assertEquals(worstOutput, 0);
  assertAlmostEquals(worstProbability, 1, 1e-12);
});

Deno.test("priors are at least 0, sum to 1 within 1e-9, and fit the operator", () => {
  for (const prior of [[0.5, 0.5, 0], [1, 0, 0], [0.5, 0.5, 9e-10], [0.5, 0.5 - 9e-10, 0]]) {
    requirePrior(prior, half);
  }
  for (
    const prior of [
      [0.5, 0.5, 1.1e-9],
      [0.5, 0.5 - 1.1e-9, 0],
      [1.5, -0.5, 0],
      [NaN, 0.5, 0.5],
      [0, 0, 0],
    ]
  ) {
    assertThrows(() => requirePrior(prior, half), RangeError, "prior must be at least 0");
    assertThrows(() => leakage(half, prior), RangeError, "prior must be at least 0");
    assertThrows(
      () => findBreach(half, { prior, rho1: 0.1, rho2: 0.5 }),
      RangeError,
      "prior must be at least 0",
    );
  }
  for (const prior of [[0.5, 0.5], [0.25, 0.25, 0.25, 0.25]]) {
    assertThrows(() => requirePrior(prior, half), RangeError, "the number of prior");
  }
});

Deno.test("beliefs are at most 1, however probabilities add up", () => {
  let above = 0;
  for (let size = 2; size < 60; size++) {
    const prior = Array<number>(size).fill(1 / size);
    if (prior.reduce((sum, p) => sum + p, 0) > 1) above++;
    const belief = beliefIn(() => true, { prior, operator: identityOperator({ size }), output: 0 });
    assert(belief!.prior <= 1 && belief!.posterior <= 1);
  }
  assert(above > 0);
  assertEquals(
    beliefIn(() => true, { prior: [0.5, 0.25, 0.25], operator: half, output: 2 }),
    undefined,
  );
});

Deno.test("randomisation operators take the shapes at the ends of their ranges, and none beyond", () => {
  for (const size of [1, 2]) {
    identityOperator({ size });
    addUniform({ size, reach: 0 });
    addUniformModulo({ size, reach: 0 });
  }
  replaceByAnother({ size: 2, keep: 1 });
  mixWithUniform(half, { keep: 1 });
  addUniformModulo({ size: 11, reach: 5 });
  assertEquals(addUniform({ size: 1, reach: 3 }).outputs, 7);
  for (const size of [0, -1, 1.5]) {
    for (
      const make of [
        () => identityOperator({ size }),
        () => addUniform({ size, reach: 0 }),
        () => addUniformModulo({ size, reach: 0 }),
        () => replaceByAnother({ size, keep: 0.5 }),
      ]
    ) assertThrows(make, RangeError, "size must be");
  }
  assertThrows(() => replaceByAnother({ size: 1, keep: 0.5 }), RangeError, "size must be");
  for (const reach of [-1, 0.5, 6]) {
    assertThrows(
      () => addUniformModulo({ size: 12, reach }),
      RangeError,
      "reach must be an integer from 0 to 5:",
    );
    if (reach < 1) assertThrows(() => addUniform({ size: 12, reach }), RangeError, "reach must be");
  }
  for (const keep of [0, -0.5, 1.001, 1.5, NaN]) {
    assertThrows(() => replaceByAnother({ size: 3, keep }), RangeError, "keep must be");
    assertThrows(() => mixWithUniform(half, { keep }), RangeError, "keep must be");
  }
  const operator = replaceByAnother({ size: 5, keep: 0.2 });
  assertEquals([operator.probability(3, 3), operator.probability(3, 1)], [0.2, 0.2]);
});

Deno.test("confidence takes chances from 0 to 1", () => {
  for (const p of [-0.001, 1.001, NaN, "0.5" as unknown as number]) {
    assertThrows(() => confidence(p), RangeError, "p must be in [0, 1]");
  }
});
