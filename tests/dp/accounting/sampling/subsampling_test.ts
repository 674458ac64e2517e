import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { approximateLoss } from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { subsampledParameters } from "../../../../lib/dp/accounting/sampling/subsampling.ts";
import { multiply, rational, subtract, toNumber } from "../../../../lib/core/numeric/rational.ts";
import { parameters } from "../arbitraries.ts";

const rates = fc.double({ min: 0.001, max: 1, noNaN: true });

// Mutants: rate·ε; leaving δ as it was; δ·rate².
Deno.test("subsampledParameters() amplifies, the more the smaller the sample", () => {
  fc.assert(
    fc.property(parameters, rates, (part, rate) => {
      const sampled = subsampledParameters(part, { rate });
      assert(sampled.epsilon <= part.epsilon);
      assert(
        sampled.delta >= rate * part.delta && sampled.delta <= rate * part.delta * (1 + 1e-15),
      );
      assert(sampled.epsilon >= subsampledParameters(part, { rate: rate / 2 }).epsilon);
      assert(sampled.epsilon >= rate * part.epsilon * (1 - 1e-12));
    }),
    { seed: 91 },
  );
  assertEquals(subsampledParameters({ epsilon: 0.3, delta: 1e-6 }, { rate: 1 }), {
    epsilon: 0.3,
    delta: 1e-6,
  });
  assertAlmostEquals(
    subsampledParameters({ epsilon: Math.log(3) }, { rate: 0.5 }).epsilon,
    Math.LN2,
    1e-14,
  );
});

// Mutant: swapping the two directions, or giving the sampled side to Q.
Deno.test("poissonSubsampledLoss() is amplification's ε when the mechanism is randomised response", () => {
  const rate = 0.2, epsilon = 1;
  const { forward, backward } = poissonSubsampledLoss(approximateLoss({ epsilon }), { rate });
  const amplified = subsampledParameters({ epsilon }, { rate }).epsilon;
  assertAlmostEquals(forward.highest, amplified, 1e-12);
  assertAlmostEquals(backward.lowest, -amplified, 1e-12);
  const mass = forward.atoms.reduce((sum, { p }) => sum + p, 0);
  assertAlmostEquals(mass, 1, 1e-14);
  for (const { loss, p, q } of [...forward.atoms, ...backward.atoms]) {
    assertAlmostEquals(loss, Math.log(p / q), 1e-12);
  }
});

Deno.test("poissonSubsampledLoss() throws when a loss gives rows away", () => {
  assertThrows(
    () => poissonSubsampledLoss(approximateLoss({ epsilon: 1, delta: 0.1 }), { rate: 0.5 }),
    RangeError,
    "the probability of an infinite loss must be 0",
  );
});

// Mutants: δ·rate²; δ rounded to nearest.
Deno.test("subsampledParameters() gives δ·rate, rounded up and by no more than a few units", () => {
  const fraction = fc.double({ min: 1e-12, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(fraction, fraction, (delta, rate) => {
      const sampled = rational(subsampledParameters({ epsilon: 1, delta }, { rate }).delta);
      const { numerator } = subtract(sampled, multiply(rational(delta), rational(rate)));
      assert(numerator >= 0n, `${delta} ${rate}`);
      assert(toNumber(sampled) <= delta * rate * (1 + 1e-15));
    }),
    { seed: 1506 },
  );
});
