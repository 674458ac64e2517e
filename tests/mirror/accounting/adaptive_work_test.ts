// Bounds are certain whatever the cells, contours and rounds are; these decide how near they are, and the time. So they are
// held to what they reach: just that work, no wider a gap. What does better is welcome, and lowers the numbers here.
// Mutants: constants and rules of cells, levels, contours, rounds and first guesses.
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { adaptiveDelta, adaptiveEpsilon } from "../../../lib/accounting/adaptive_bounds.ts";
import {
  focusedCurve,
  roughDelta,
  roughEpsilon,
} from "../../../lib/accounting/adaptive_composition.ts";
import { capAll, levelsOf } from "../../../lib/accounting/loss_levels.ts";
import {
  gaussianLoss,
  laplaceLoss,
  type LawPower,
  type LossLaw,
} from "../../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../lib/accounting/subsampled_loss.ts";
import { gaussianDelta } from "../../../lib/numeric/gaussian_delta.ts";

/** Gaussian noise on Poisson samples, in both directions unless they are the same. */
function directionsOf(rate: number, deviation: number, count: number): LawPower[][] {
  const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 / deviation }), { rate });
  const laws = loss.forward === loss.backward ? [loss.forward] : [loss.forward, loss.backward];
  return laws.map((law) => [{ law, count }]);
}

/** μ-GDP as four runs of Gaussian noise. */
const fourRuns = (
  mu: number,
): LawPower[] => [{ law: gaussianLoss({ mu: mu / 2 }).forward, count: 4 }];

// Rate, deviation, runs, δ; losses times points at most; the relative gap at most; how far the first guess is off, by direction.
const epsilons: [number, number, number, number, number, number, number[]][] = [
  [1, 2, 1, 1e-5, 1_621_839, 3.976e-5, [0.00515]],
  [0.3, 5, 200, 1e-8, 2_030_382, 4.39e-5, [0.00187, -0.0583]],
  [0.5, 0.4, 3, 1e-3, 2_754_263, 4.467e-5, [0.00375, -0.88]],
  [0.02, 3, 1e4, 1e-5, 1_939_572, 4.239e-5, [0.00414, -0.01]],
  [0.2, 1, 4, 1e-12, 3_101_936, 5.21e-5, [0.00274, -0.895]],
  [1, 0.1, 1, 1e-3, 1_783_371, 4.638e-5, [-1.85e-5]],
];
for (const [rate, deviation, count, delta, mostWork, mostGap, guesses] of epsilons) {
  Deno.test(`adaptiveEpsilon() takes just that work, and has no wider a gap, for ${count} runs of σ = ${deviation} sampled at ${rate}, δ = ${delta}`, () => {
    const directions = directionsOf(rate, deviation, count);
    const { lower, upper, work } = adaptiveEpsilon(directions, { delta });
    assertEquals(work, mostWork);
    assert(upper / lower - 1 <= mostGap, `gap ${upper / lower - 1}`);
    for (const [i, laws] of directions.entries()) {
      const off = roughEpsilon(laws, { delta }) / upper - 1;
      assert(Math.abs(off - guesses[i]!) <= 0.004 * (1 + Math.abs(off)), `guess off by ${off}`);
    }
  });
}

// μ, ε; losses times points at most; the relative gap at most; how large the first guess is, relative to δ.
const deltas: [number, number, number, number, number][] = [
  [1, 0.5, 214_452, 8.96e-4, 1.9498],
  [5, 10, 473_162, 9.71e-4, 1.6218],
  [1, 0, 225_214, 6.13e-4, 1.778],
  [0.1, 0.3, 11_962_275, 7.71e-5, 3.527],
];
for (const [mu, epsilon, mostWork, mostGap, guess] of deltas) {
  Deno.test(`adaptiveDelta() takes just that work, and has no wider a gap, for μ = ${mu} at ε = ${epsilon}`, () => {
    const laws = fourRuns(mu), truth = gaussianDelta(mu, epsilon);
    const { lower, upper, work } = adaptiveDelta([laws], { epsilon });
    assert(
      lower <= truth * (1 + 1e-9) && truth <= upper * (1 + 1e-9),
      `${lower} ${truth} ${upper}`,
    );
    assertEquals(work, mostWork);
    assert(upper / lower - 1 <= mostGap, `gap ${upper / lower - 1}`);
    const rough = roughDelta(laws, { epsilon }) / truth;
    assert(Math.abs(rough / guess - 1) <= 0.01, `guess ${rough}`);
  });
}

// Mutants: a level, a direction or what lies beyond the range not counted; a gap shared out wrongly between levels.
Deno.test("focusedCurve() is as near as it is asked to be, and takes just that work", () => {
  for (
    const [laws, truth, epsilon, works] of [
      [fourRuns(1), gaussianDelta(1, 2), 2, [7_221, 57_165, 781_715]],
      [fourRuns(6), gaussianDelta(6, 20), 20, [10_101, 155_925, 1_308_528]],
      [fourRuns(0.05), gaussianDelta(0.05, 0.1), 0.1, [7_476, 93_258, 785_655]],
    ] as const
  ) {
    for (const [i, gap] of [0.1, 0.01, 1e-3].entries()) {
      const curve = focusedCurve(laws, { epsilon, delta: truth, gap });
      const [lower, upper] = [curve.lowerAt(epsilon), curve.upperAt(epsilon)];
      assert(lower <= truth && truth <= upper && !curve.limited);
      assert(upper - lower <= gap * truth, `${(upper - lower) / truth}`);
      assertEquals(curve.work, works[i]);
    }
  }
});

Deno.test("adaptiveDelta() and adaptiveEpsilon() do nothing for nothing, and end where nothing can be nearer", () => {
  assertEquals(adaptiveDelta([[]], { epsilon: 1 }), { lower: 0, upper: 0, work: 0 });
  assertEquals(adaptiveEpsilon([[]], { delta: 0.1 }), { lower: 0, upper: 0, work: 0 });
  assertEquals(adaptiveEpsilon([], { delta: 0.1 }), { lower: 0, upper: 0, work: 0 });
  // δ is 12 standard deviations away: what is infinite is all there is.
  const far = adaptiveDelta([fourRuns(1)], { epsilon: 60 });
  assert(far.lower === 0 && far.upper < 1e-32 && far.work === 248_559, `${far.upper} ${far.work}`);
  const none = adaptiveEpsilon([fourRuns(0.01)], { delta: 0.1 });
  assert(none.upper === 0 && none.work === 1_600, `${none.work}`);
});

const sampledAt = (rate: number, deviation: number): LossLaw =>
  poissonSubsampledLoss(gaussianLoss({ mu: 1 / deviation }), { rate }).forward;
// Name, laws, ε, δ, gap; levels; losses times points; the gap, relative to δ; whether it was all that may be; the first guesses.
const manyRuns: [
  string,
  LawPower[],
  { epsilon: number; delta: number; gap: number },
  { levels: number; work: number; gap: number; limited: boolean; guesses: [number, number] },
][] = [
  ["one level", [{ law: sampledAt(1e-4, 1), count: 1e5 }], {
    epsilon: 0.1569,
    delta: 1e-6,
    gap: 0.03,
  }, { levels: 1, work: 99_855, gap: 3.42e-2, limited: false, guesses: [0.15813, 1.01179e-3] }],
  ["two levels", [{ law: sampledAt(1e-4, 0.8), count: 1e4 }], {
    epsilon: 0.07938,
    delta: 1e-6,
    gap: 0.03,
  }, { levels: 2, work: 770_770, gap: 8.96e-3, limited: false, guesses: [0.0978173, 1.506575e-2] }],
  ["rarer losses", [{ law: sampledAt(1e-5, 0.5), count: 1e4 }], {
    epsilon: 0.5,
    delta: 1e-6,
    gap: 0.03,
  }, { levels: 2, work: 53_869, gap: 8.25e-4, limited: false, guesses: [0.37483, 7.173157e-3] }],
  [
    "two laws",
    [{ law: sampledAt(1e-3, 0.6), count: 100 }, {
      law: laplaceLoss({ epsilon: 0.01 }).forward,
      count: 50,
    }],
    { epsilon: 0.7, delta: 1e-5, gap: 0.03 },
    { levels: 2, work: 310_509, gap: 3.24e-3, limited: false, guesses: [0.982421, 6.044356e-3] },
  ],
  ["a gap that takes too much", [{ law: sampledAt(1e-4, 1), count: 1e5 }], {
    epsilon: 0.1569,
    delta: 1e-6,
    gap: 1e-7,
  }, { levels: 1, work: 120_026_400, gap: 8.98e-3, limited: true, guesses: [0.15813, 1.01179e-3] }],
];
for (const [name, laws, focus, reached] of manyRuns) {
  Deno.test(`focusedCurve() takes just that work, and has no wider a gap: ${name}`, () => {
    const { epsilon, delta } = focus, { cap } = capAll(laws, 1e-6 * delta);
    assertEquals(levelsOf(laws, { cap, epsilon }).length, reached.levels);
    const curve = focusedCurve(laws, focus);
    assertEquals([curve.work, curve.limited], [reached.work, reached.limited]);
    const gap = (curve.upperAt(epsilon) - curve.lowerAt(epsilon)) / delta;
    assert(gap >= 0 && gap <= reached.gap, `${gap}`);
    const guesses = [roughEpsilon(laws, { delta }), roughDelta(laws, { epsilon })];
    guesses.forEach((guess, i) => assertAlmostEquals(guess, reached.guesses[i]!, 1e-5 * guess));
  });
}
