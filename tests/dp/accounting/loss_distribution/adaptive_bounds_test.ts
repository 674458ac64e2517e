import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import golden from "../../../../fixtures/core/golden/accounting.json" with { type: "json" };
import smallRates from "../../../../fixtures/core/golden/small_rates.json" with { type: "json" };
import {
  adaptiveDelta,
  adaptiveEpsilon,
} from "../../../../lib/dp/accounting/loss_distribution/adaptive_bounds.ts";
import {
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  deltaBounds,
  epsilonBounds,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";
import { LONG } from "../../../long.ts";

/** Losses times points of contours: what takes about a second. */
const MOST_WORK = 2e8;

interface Case {
  readonly rate: number;
  /** Of the noise, per unit of sensitivity. */
  readonly deviation: number;
  readonly count: number;
  readonly delta: number;
}

function lossOf({ rate, deviation }: { rate: number; deviation: number }): LossLaw[] {
  const { forward, backward } = poissonSubsampledLoss(gaussianLoss({ mu: 1 / deviation }), {
    rate,
  });
  return forward === backward ? [forward] : [forward, backward];
}

function boundsOf({ count, delta, ...mechanism }: Case): ReturnType<typeof adaptiveEpsilon> {
  return adaptiveEpsilon(lossOf(mechanism).map((law) => [{ law, count }]), { delta });
}

/** δ(ε) of one sampled run, the larger of both directions (Balle, Barthe, Gaboardi 2018, Theorem 2). */
function oneRun({ rate, deviation }: Case, epsilon: number): number {
  const mu = 1 / deviation, stay = 1 - Math.exp(epsilon) * (1 - rate);
  const added = rate * gaussianDelta(mu, Math.log1p(Math.expm1(epsilon) / rate));
  const removed = stay > 0 ? stay * gaussianDelta(mu, epsilon + Math.log(rate / stay)) : 0;
  return Math.max(added, removed);
}

const cases: readonly (Case & { google?: number })[] = [
  { rate: 1e-4, deviation: 1, count: 1e5, delta: 1e-6 },
  { rate: 1e-4, deviation: 0.8, count: 1e4, delta: 1e-6 },
  { rate: 1e-4, deviation: 0.3, count: 1e3, delta: 1e-6 },
  { rate: 0.01, deviation: 1, count: 1e3, delta: 1e-5 },
  { rate: 0.01, deviation: 1, count: 1e4, delta: 1e-5, google: 6.18774 },
  { rate: 0.001, deviation: 0.6, count: 1e4, delta: 1e-6, google: 3.15219 },
  { rate: 0.02, deviation: 0.5, count: 5e3, delta: 1e-5, google: 61.0056 },
  { rate: 1e-4, deviation: 1, count: 1e6, delta: 1e-6, google: 0.53245 },
];
// The former grids threw, or took 10 to 40 seconds.
for (const { google, ...each } of cases) {
  const { rate, deviation, count } = each;
  Deno.test(`epsilonBounds() is within 0.01% when ${count} runs of σ = ${deviation} are sampled at ${rate}`, () => {
    const { lower, upper, work } = boundsOf(each);
    assert(lower <= upper && upper <= lower * (1 + 1e-4), `${lower} ${upper}`);
    assert(work <= MOST_WORK, `${work}`);
    // Google's dp_accounting 0.6.0 rounds losses up: its value is a little above the truth.
    if (google !== undefined) {
      assert(lower <= google && google <= upper * (1 + 5e-5), `${lower} ${google} ${upper}`);
    }
  });
}

// Mutants: one direction only; the smoothing forgotten in the lower bound; cells of the wrong width.
Deno.test("deltaBounds() encloses the golden δ at small sampling rates within 0.1%", () => {
  for (const { mu, rate, count, epsilon, delta: truth } of smallRates) {
    const loss = poissonSubsampledLoss(gaussianLoss({ mu }), { rate });
    const { lower, upper } = deltaBounds([{ loss, count }], { epsilon });
    // The golden values are right to 1e-8.
    assert(
      lower <= truth * (1 + 1e-8) && truth <= upper * (1 + 1e-8),
      `${lower} ${truth} ${upper}`,
    );
    assert(upper <= lower * (1 + 1e-3), `${lower} ${upper}`);
  }
});

Deno.test("deltaBounds() encloses both directions' golden δ when Gaussian noise is subsampled", () => {
  const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 0.01 });
  for (const { epsilon, with: added, without } of golden.subsampled) {
    for (const [law, truth] of [[loss.forward, added], [loss.backward, without]] as const) {
      const { lower, upper } = adaptiveDelta([[{ law, count: 1000 }]], { epsilon });
      assert(lower <= truth && truth <= upper, `${lower} ${truth} ${upper}`);
      assert(upper <= lower * (1 + 1e-3), `${lower} ${upper}`);
    }
  }
});

// Mutant: no limit to the smoothing, so that a δ of 1e-40 is NaN.
Deno.test("deltaBounds() are numbers in order at every ε", () => {
  const laws = lossOf({ rate: 0.02, deviation: 0.5 });
  for (const epsilon of [0, 1e-9, 1e-3, 1, 30, 61, 90, 200, 1e3, 1e5]) {
    for (const law of laws) {
      for (const count of [1, 5000]) {
        const { lower, upper } = adaptiveDelta([[{ law, count }]], { epsilon });
        assert(lower >= 0 && lower <= upper && upper <= 1, `${epsilon}: ${lower} ${upper}`);
      }
    }
  }
});

function exponential(from: number, to: number): fc.Arbitrary<number> {
  return fc.double({ min: Math.log(from), max: Math.log(to), noNaN: true }).map(Math.exp);
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  rate: exponential(1e-5, 1),
  deviation: exponential(0.3, 50),
  count: exponential(1, 1e6).map(Math.round),
  delta: exponential(1e-12, 0.1),
});

/** What the bounds promise: 0.01% of ε, or what changes δ by about 0.01% where that is more. */
function assertNear(each: Case, { lower, upper, work }: ReturnType<typeof boundsOf>): void {
  assert(lower <= upper, `${lower} > ${upper}`);
  assert(work <= MOST_WORK, `${work}`);
  if (upper <= lower * (1 + 1e-4)) return;
  const directions = lossOf(each).map((law) => [{ law, count: each.count }]);
  const at = adaptiveDelta(directions, { epsilon: upper });
  assert(lower > 0 || at.upper >= each.delta * (1 - 2e-3), `${lower} ${upper}`);
  assert(upper <= lower * (1 + 5e-4), `${lower} ${upper}`);
}

Deno.test("epsilonBounds() keeps its bounds near each other at every rate, noise, count and δ", () => {
  fc.assert(
    fc.property(anyCase, (each) => assertNear(each, boundsOf(each))),
    { seed: 171, endOnFailure: true, numRuns: LONG ? 400 : 8 },
  );
});

// Mutants: the sampled law's ends swapped; the share of rare losses left out of the upper bound.
Deno.test("epsilonBounds() encloses the closed form of one sampled run", () => {
  fc.assert(
    fc.property(anyCase, (drawn) => {
      const each = { ...drawn, count: 1 };
      const { lower, upper } = boundsOf(each);
      const rounding = 1e-9;
      assert(oneRun(each, upper) <= each.delta * (1 + rounding), `${upper} is too small`);
      assert(
        lower === 0 || oneRun(each, lower) >= each.delta * (1 - rounding),
        `${lower} is too large`,
      );
    }),
    { seed: 172, endOnFailure: true, numRuns: LONG ? 200 : 8 },
  );
});

// Mutant: the factor for the relative error the wrong way round.
Deno.test("epsilonBounds() encloses the analytic Gaussian when nothing is sampled", () => {
  fc.assert(
    fc.property(anyCase, (drawn) => {
      const each = { ...drawn, rate: 1 };
      const { lower, upper } = boundsOf(each);
      const mu = Math.sqrt(each.count) / each.deviation;
      assert(gaussianDelta(mu, upper) <= each.delta * (1 + 1e-9), `${upper} is too small`);
      assert(lower === 0 || gaussianDelta(mu, lower) >= each.delta * (1 - 1e-9), `${lower}`);
      assertNear(each, { lower, upper, work: 0 });
    }),
    { seed: 173, endOnFailure: true, numRuns: LONG ? 200 : 8 },
  );
});

// Mutant: no slack for probabilities that are right up to their relative error only.
Deno.test("epsilonBounds() encloses the closed form when a law knows no differences", () => {
  const { intervalDifference: _, ...plain } = gaussianLoss({ mu: 0.01 }).forward;
  const { lower, upper } = adaptiveEpsilon([[{ law: plain, count: 10_000 }]], { delta: 1e-5 });
  assert(gaussianDelta(1, upper) <= 1e-5 && gaussianDelta(1, lower) >= 1e-5);
  assert(upper <= lower * (1 + 1e-4));
});

Deno.test("epsilonBounds() encloses a mixture of sampled Gaussian and Laplace noise", () => {
  const parts = [
    { loss: poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 1e-3 }), count: 10_000 },
    { loss: laplaceLoss({ epsilon: 0.01 }), count: 100 },
  ];
  const directions = (["forward", "backward"] as const).map((side) =>
    parts.map(({ loss, count }) => ({ law: loss[side], count }))
  );
  const { lower, upper } = adaptiveEpsilon(directions, { delta: 1e-6 });
  assert(upper <= lower * (1 + 1e-4), `${lower} ${upper}`);
  const alone = epsilonBounds([parts[0]!], { delta: 1e-6 });
  assert(upper > alone.lower && upper < alone.upper + 1);
  const { lower: least, upper: most } = deltaBounds(parts, { epsilon: upper });
  assert(least <= 1e-6 && most >= 0.99e-6);
});

Deno.test("epsilonBounds() is 0 when nothing is composed or δ is generous, Infinity when δ is given away", () => {
  assertEquals(epsilonBounds([], { delta: 1e-6 }), { lower: 0, upper: 0 });
  const loss = gaussianLoss({ mu: 0.1 });
  assertEquals(epsilonBounds([{ loss, count: 1 }], { delta: 0.1 }), { lower: 0, upper: 0 });
  const revealing = { ...loss.forward, infinite: 1e-3 };
  const { lower, upper } = adaptiveEpsilon([[{ law: revealing, count: 1 }]], { delta: 1e-4 });
  assert(lower > 0 && upper === Infinity, `${lower} ${upper}`);
});
