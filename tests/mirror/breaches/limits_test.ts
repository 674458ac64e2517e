import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  amplification,
  amplificationAt,
  breachFreeAmplification,
  rulesOutBreaches,
} from "../../../lib/breaches/amplification.ts";
import { klDistance, leakage } from "../../../lib/breaches/average_measures.ts";
import {
  beliefIn,
  breachIn,
  findBreach,
  posteriorOf,
  requirePrior,
} from "../../../lib/breaches/privacy_breach.ts";
import { normalTailQuantile } from "../../../lib/numeric/normal_tail.ts";
import { divide, multiply, rational, subtract } from "../../../lib/numeric/rational.ts";
import { nextUp } from "../../../lib/numeric/round_outward.ts";
import { exactLog, isJustAbove } from "../mechanisms/exact_log.ts";
import {
  addUniform,
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/breaches/randomisation_operator.ts";
import {
  confidence,
  confidenceGainProbability,
  confidenceGrowth,
  leastSulqVariance,
  probabilityOfConfidence,
  sulqVariance,
} from "../../../lib/breaches/sulq_condition.ts";

/** Three values, of which only the first two outputs can be seen. */
const half: RandomisationOperator = {
  inputs: 3,
  outputs: 3,
  probability: (input, output) => output === 2 ? 0 : input === output ? 0.75 : 0.25,
};

// Mutant: no room for rounding, so that an amplification at the limit is below it by a unit in the last place.
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

// Mutants: levels that are met, not passed; values that nobody has.
Deno.test("findBreach() decides where levels are just met, values impossible, or outputs never seen", () => {
  const prior = [0.2, 0.2, 0.6];
  // Seeing 0: 0.15 of the first value, 0.05 and 0.15 of the others. 0.2 before, 3/7 after.
  const met = { rho1: 0.2, rho2: 3 / 7 - 1e-12 };
  const { found } = findBreach(half, { prior, ...met });
  assert(found?.kind === "straight");
  assertEquals([found.output, found.values], [0, [0]]);
  assertAlmostEquals(found.prior, 0.2, 1e-15);
  assertAlmostEquals(found.posterior, 3 / 7, 1e-15);
  assertEquals(findBreach(half, { prior, rho1: 0.2, rho2: 3 / 7 + 1e-9 }), {
    found: undefined,
    ruledOut: true,
  });
  // A little below the prior of the only value that gains: a part of it would do, and there is none.
  assertEquals(findBreach(half, { prior, rho1: 0.19, rho2: 3 / 7 - 0.03 }), {
    found: undefined,
    ruledOut: false,
  });
  // Impossible values gain nothing, and lose nothing.
  const sure = findBreach(identityOperator({ size: 3 }), {
    prior: [0.05, 0, 0.95],
    rho1: 0.1,
    rho2: 0.9,
  });
  assert(sure.found?.kind === "straight");
  assertEquals(sure.found.values, [0]);
  const inverse = findBreach(identityOperator({ size: 2 }), {
    prior: [0.5, 0.5],
    rho1: 0.1,
    rho2: 0.5,
  });
  assert(inverse.found?.kind === "inverse");
  assertEquals([inverse.found.prior, inverse.found.posterior], [0.5, 0]);
  assertEquals(inverse.found.values.length, 1);
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

Deno.test("confidence takes chances from 0 to 1, and log-odds of any size", () => {
  for (const p of [-0.001, 1.001, NaN, "0.5" as unknown as number]) {
    assertThrows(() => confidence(p), RangeError, "p must be in [0, 1]");
  }
  assertEquals([-Infinity, 0, Infinity].map(probabilityOfConfidence), [0, 0.5, 1]);
  assertThrows(
    () => probabilityOfConfidence("1" as unknown as number),
    RangeError,
    "logOdds must be a number",
  );
  for (const p of [1e-300, 1e-9, 0.3, 1 - 1e-9]) {
    assertAlmostEquals(probabilityOfConfidence(confidence(p)) / p, 1, 1e-12);
  }
});

Deno.test("SuLQ's condition takes T from 1, δ below 1, and noise of any variance", () => {
  const good = { epsilon: 1, delta: 0.1, queries: 1 };
  for (const make of [sulqVariance, leastSulqVariance]) {
    make(good);
    make({ ...good, delta: 1 - 1e-12 });
    for (const delta of [0, 1, 1.5]) {
      assertThrows(() => make({ ...good, delta }), RangeError, "delta must be");
    }
    for (const queries of [0, 1.5]) {
      assertThrows(() => make({ ...good, queries }), RangeError, "queries must be");
    }
    assertThrows(() => make({ ...good, epsilon: 0 }), RangeError, "epsilon must be");
  }
  for (const queries of [0, 1.5]) {
    assertThrows(() => confidenceGrowth({ queries, variance: 1 }), RangeError, "queries must be");
  }
  confidenceGrowth({ queries: 1, variance: 1e-3 });
  for (const variance of [0, NaN]) {
    assertThrows(() => confidenceGrowth({ queries: 1, variance }), RangeError, "variance must be");
  }
  assertThrows(
    () => confidenceGainProbability({ epsilon: 0, queries: 1, variance: 1 }),
    RangeError,
    "epsilon must be",
  );
  // Next to no noise: the gain is certain, and no more than that.
  assertEquals(confidenceGainProbability({ epsilon: 1e-9, queries: 9, variance: 1e-9 }), 1);
});

/** Two values that are told with 3/4, so that beliefs are fractions that doubles hold. */
const binary: RandomisationOperator = {
  inputs: 2,
  outputs: 2,
  probability: (input, output) => input === output ? 0.75 : 0.25,
};

// Mutants: a level that must be passed; the values of the opposite; one side that decides for both.
Deno.test("findBreach() decides each side at its own level, to the last bit", () => {
  const prior = [0.25, 0.75];
  assertEquals(findBreach(binary, { prior, rho1: 0.25, rho2: 0.5 }).found, {
    kind: "straight",
    output: 0,
    prior: 0.25,
    posterior: 0.5,
    values: [0],
  });
  assertEquals(findBreach(binary, { prior, rho1: 0.5, rho2: 0.75 }).found, {
    kind: "inverse",
    output: 0,
    prior: 0.75,
    posterior: 0.5,
    values: [1],
  });
  // The opposite gains 0.5, and 0.533 with a part of the other value: that is not enough to rule out 0.52.
  assertEquals(findBreach(binary, { prior, rho1: 0.48, rho2: 0.7 }), {
    found: undefined,
    ruledOut: false,
  });
  assertEquals(findBreach(binary, { prior, rho1: 0.46, rho2: 0.7 }), {
    found: undefined,
    ruledOut: true,
  });
});

// Mutant: a bound without room for rounding.
Deno.test("findBreach() rules out no breach that is missed by the last bit alone", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 5 }), (a) => {
      const total = a.reduce((sum, weight) => sum + weight, 0);
      const prior = a.map((weight) => weight / total), rho1 = prior[0]!;
      const operator = replaceByAnother({ size: a.length, keep: 0.6 });
      const { posterior } = beliefIn((value) => value === 0, { prior, operator, output: 0 })!;
      const rho2 = nextUp(posterior);
      const search = findBreach(operator, { prior, rho1, rho2 });
      assert(search.found !== undefined || !search.ruledOut);
    }),
    { seed: 193 },
  );
});

/** P(Z > z) of the normal law, from tables (Abramowitz, Stegun 1964, Table 26.1) and by more digits. */
const TAILS = [
  [0, 0.5],
  [1, 0.158655253931457051],
  [2, 0.0227501319481792072],
  [3, 0.00134989803163009453],
  [5, 2.86651571879193912e-7],
] as const;

// Mutants: roundings to the nearest.
Deno.test("chances and variances of SuLQ are rounded up, by as much as may be lost", () => {
  for (const [z, tail] of TAILS) {
    // Mean 1/2, deviation 1.
    const found = confidenceGainProbability({ epsilon: 0.5 + z, queries: 1, variance: 1 });
    assert(found >= tail * (1 + 5e-13) && found <= tail * (1 + 2e-12), `${z}: ${found}`);
  }
  for (let epsilon = 0.013; epsilon < 3; epsilon *= 1.37) {
    for (const queries of [1, 3, 100, 12345]) {
      // At δ = 1/2 half of the gains are above their mean: μ²/2 = ε.
      const even = leastSulqVariance({ epsilon, delta: 0.5, queries });
      const share = even / (queries / (2 * epsilon)) - 1;
      assert(share > 5e-12 && share < 2e-11, `${epsilon}, ${queries}: ${share}`);
      for (const delta of [0.3, 0.01, 1e-5, 1e-9]) {
        const logarithm = exactLog(divide(rational(queries), rational(delta)));
        const exact = divide(
          multiply(rational(8 * queries), multiply(logarithm, logarithm)),
          multiply(rational(epsilon), rational(epsilon)),
        );
        const variance = sulqVariance({ epsilon, delta, queries });
        assert(isJustAbove(variance, exact, { share: 2e-14 }), `${epsilon}, ${queries}, ${delta}`);
        assert(subtract(rational(variance), exact).numerator > 0n);
      }
    }
  }
});

// Mutants: the form of the root that loses digits.
Deno.test("leastSulqVariance() solves μ²/2 + zμ = ε to ten digits, however small ε", () => {
  for (const epsilon of [1e-9, 1e-6, 0.1, 10]) {
    for (const delta of [1e-12, 0.01, 0.2, 0.5, 0.8, 0.99]) {
      const mu = Math.sqrt(7 / leastSulqVariance({ epsilon, delta, queries: 7 }));
      const z = normalTailQuantile(delta);
      // Off by what the rounding of μ and z moves the sum, and ε.
      const apart = Math.abs(mu * mu / 2 + z * mu - epsilon);
      assert(apart <= 1e-10 * (z > 0 ? epsilon : mu * mu / 2 - z * mu), `${epsilon}, ${delta}`);
    }
  }
});
