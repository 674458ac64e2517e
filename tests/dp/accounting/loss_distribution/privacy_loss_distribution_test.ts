import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import golden from "../../../../fixtures/core/golden/accounting.json" with { type: "json" };
import { optimalDelta } from "../../../../lib/dp/accounting/composition/optimal_composition.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  deltaBounds,
  epsilonBounds,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";

function assertEnclosed(
  { lower, upper }: { lower: number; upper: number },
  { truth, within }: { truth: number; within: number },
): void {
  assert(lower <= truth && truth <= upper, `${truth} is not in [${lower}, ${upper}]`);
  assert(upper <= lower * (1 + within), `${upper} is too far from ${lower}`);
}

// Mutants: no tilt (δ = 8e-19 drowns in the transform's error); forgetting to divide by the tilt's moment;
// convolving count − 1 times.
Deno.test("deltaBounds() encloses the golden δ of 10,000 Laplace mechanisms of ε = 0.01 within 0.1%", () => {
  const parts = [{ loss: laplaceLoss({ epsilon: 0.01 }), count: 10_000 }];
  for (const { epsilon, delta } of golden.laplace) {
    assertEnclosed(deltaBounds(parts, { epsilon }), { truth: delta, within: 1e-3 });
  }
});

// Mutant: one spacing for each part.
Deno.test("deltaBounds() encloses the golden δ when mechanisms are mixed", () => {
  const parts = [
    { loss: laplaceLoss({ epsilon: 0.05 }), count: 100 },
    { loss: gaussianLoss({ mu: 0.02 }), count: 500 },
    { loss: approximateLoss({ epsilon: 0.01 }), count: 50 },
  ];
  for (const { epsilon, delta } of golden.mixed) {
    assertEnclosed(deltaBounds(parts, { epsilon }), { truth: delta, within: 1e-3 });
  }
});

// Mutant: adding the infinite mass once in place of 1 − (1 − δ)^count.
Deno.test("deltaBounds() encloses the exact sum when randomised responses are composed", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 2, noNaN: true }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(0, 1e-9, 1e-3),
      fc.double({ min: 0, max: 1.1, noNaN: true }),
      (epsilon, count, delta, fraction) => {
        const at = fraction * count * epsilon;
        const truth = optimalDelta([{ epsilon, delta, count }], { epsilon: at });
        const { lower, upper } = deltaBounds(
          [{ loss: approximateLoss({ epsilon, delta }), count }],
          {
            epsilon: at,
          },
        );
        // The exact sum is itself rounded up by 1e-11.
        assert(
          lower <= truth * (1 + 1e-12) && upper >= truth * (1 - 3e-11),
          `${lower} ${truth} ${upper}`,
        );
        assert(upper - lower <= 1e-3 * truth + 1e-14, `${lower} ${truth} ${upper}`);
      },
    ),
    { seed: 111, numRuns: 40 },
  );
});

Deno.test("deltaBounds() is that of a part alone when it is composed with nothing", () => {
  const part = { loss: laplaceLoss({ epsilon: 0.5 }), count: 3 };
  const alone = deltaBounds([part], { epsilon: 0.7 });
  const still = { loss: finiteLoss({ p: [1], q: [1] }), count: 7 };
  const { lower, upper } = deltaBounds([part, still], { epsilon: 0.7 });
  assert(Math.abs(lower - alone.lower) < 1e-9 && Math.abs(upper - alone.upper) < 1e-9);
  assertEquals(deltaBounds([], { epsilon: 0 }), { lower: 0, upper: 0 });
});

// Mutant: composing what underflowed (NaN in place of a bound).
Deno.test("deltaBounds() still encloses δ when losses are so large that probabilities underflow", () => {
  for (const epsilon of [50, 700, 800]) {
    const { lower, upper } = deltaBounds([{ loss: approximateLoss({ epsilon }), count: 2 }], {
      epsilon: 30,
    });
    assert(lower >= 0 && lower <= 1 && upper >= 1 - 1e-8 && upper <= 1);
  }
  assertEquals(
    deltaBounds([{ loss: laplaceLoss({ epsilon: 0.1 }), count: 2 }], { epsilon: 0.2001 }),
    { lower: 0, upper: 0 },
  );
});

// Mutants: the first direction only; the smaller of both. Either may be the larger one.
Deno.test("deltaBounds() and epsilonBounds() are those of the worse direction, whichever it is", () => {
  const { forward, backward } = finiteLoss({ p: [0.9, 0.1], q: [0.5, 0.5] });
  const sides = [forward, backward].map((law) => ({
    loss: { forward: law, backward: law },
    count: 2,
  }));
  for (const epsilon of [0.2, 0.6]) {
    const alone = sides.map((part) => deltaBounds([part], { epsilon }));
    assert(Math.abs(alone[0]!.upper - alone[1]!.upper) > 0.01);
    const most = alone[0]!.upper > alone[1]!.upper ? alone[0] : alone[1];
    for (const loss of [{ forward, backward }, { forward: backward, backward: forward }]) {
      assertEquals(deltaBounds([{ loss, count: 2 }], { epsilon }), most);
    }
  }
  const alone = sides.map((part) => epsilonBounds([part], { delta: 0.2 }));
  for (const loss of [{ forward, backward }, { forward: backward, backward: forward }]) {
    const { lower, upper } = epsilonBounds([{ loss, count: 2 }], { delta: 0.2 });
    const most = Math.max(...alone.map((bounds) => bounds.upper));
    const least = Math.max(...alone.map((bounds) => bounds.lower));
    assert(Math.abs(upper - most) < 1e-5 && Math.abs(lower - least) < 1e-5);
    assert(deltaBounds([{ loss, count: 2 }], { epsilon: upper }).lower <= 0.2);
  }
});

// Mutants: the other end of either bracket, at which nothing was seen to hold.
Deno.test("epsilonBounds() returns ends at which δ was seen to be above and below", () => {
  const parts = [{ loss: laplaceLoss({ epsilon: 0.1 }), count: 30 }], delta = 1e-4;
  const { lower, upper } = epsilonBounds(parts, { delta });
  assert(lower > 0 && lower < upper);
  assert(deltaBounds(parts, { epsilon: lower }).upper > delta);
  assert(deltaBounds(parts, { epsilon: upper }).lower <= delta);
});

// Mutants: an end of the search that forgets a part, its count, or a direction: Infinity where an ε is enough.
Deno.test("epsilonBounds() finds an ε as large as the losses of all parts in either direction", () => {
  const large = approximateLoss({ epsilon: 5 }), small = approximateLoss({ epsilon: 0.5 });
  // Losses up to 0.69 in one direction, up to 3.92 in the other.
  const skew = finiteLoss({ p: [0.99, 0.01], q: [0.5, 0.5] });
  const turned = { forward: skew.backward, backward: skew.forward };
  for (
    const [parts, most] of [
      [[{ loss: large, count: 1 }], 5],
      [[{ loss: large, count: 3 }], 15],
      [[{ loss: large, count: 1 }, { loss: small, count: 1 }], 5.5],
      [[{ loss: small, count: 1 }, { loss: large, count: 1 }], 5.5],
      [[{ loss: skew, count: 1 }], Math.log(50)],
      [[{ loss: turned, count: 1 }], Math.log(50)],
    ] as const
  ) {
    const { lower, upper } = epsilonBounds(parts, { delta: 1e-5 });
    assert(upper <= most * (1 + 1e-13), `${upper}`);
    assert(upper > most - 0.1 && lower >= upper * (1 - 1e-4), `${lower} ${upper}`);
  }
});

// Integrals of (1 − e^(ε − l))⁺ over the normal law of the loss, at 60 digits (mpmath). Mutant: Σμ in place of √Σμ².
Deno.test("bounds of Gaussian losses alone are in closed form, down to the least doubles", () => {
  for (
    const [mu, count, epsilon, delta] of [
      [1, 1, 1, 0.126936737506644],
      [0.01, 1000, 1, 0.000109810480919283],
      [2, 50, 300, 5.20190202423183e-46],
      [5, 1, 200, 5.41168281456446e-309],
      [0.001, 1, 0.02, 1.38378117718856e-93],
    ] as const
  ) {
    const parts = [{ loss: gaussianLoss({ mu }), count }];
    const { lower, upper } = deltaBounds(parts, { epsilon });
    assert(lower <= delta && delta <= upper && upper <= lower * (1 + 1e-9), `${lower} ${upper}`);
    const bounds = epsilonBounds(parts, { delta });
    assert(bounds.lower <= epsilon && epsilon <= bounds.upper * (1 + 1e-12), `${bounds.upper}`);
    assert(bounds.upper <= bounds.lower * (1 + 1e-8));
  }
  const mixed = [0.3, 0.4].map((mu) => ({ loss: gaussianLoss({ mu }), count: 1 }));
  assertEquals(
    epsilonBounds(mixed, { delta: 1e-200 }).upper.toPrecision(9),
    epsilonBounds([{ loss: gaussianLoss({ mu: 0.5 }), count: 1 }], { delta: 1e-200 }).upper
      .toPrecision(9),
  );
});

// Mutant: one direction taken for both.
Deno.test("bounds of a loss that is Gaussian in one direction are those of the worse direction", () => {
  const { forward } = gaussianLoss({ mu: 0.1 }), { backward } = approximateLoss({ epsilon: 2 });
  for (const loss of [{ forward, backward }, { forward: backward, backward: forward }]) {
    // Randomised response: (e² − e)/(1 + e²) at ε = 1.
    const exact = (Math.E ** 2 - Math.E) / (1 + Math.E ** 2);
    const { lower, upper } = deltaBounds([{ loss, count: 1 }], { epsilon: 1 });
    assert(lower <= exact && exact <= upper && upper < 1.002 * exact, `${lower} ${upper}`);
    assert(epsilonBounds([{ loss, count: 1 }], { delta: 0.1 }).upper > 1.5);
  }
});
