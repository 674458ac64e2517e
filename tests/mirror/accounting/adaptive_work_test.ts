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

const assertGuess = (guess: number, expected: number): void =>
  assertAlmostEquals(guess, expected, 1e-9 * expected);

// Rate, deviation, runs, δ; losses times points; the relative gap at most; the first guess, by direction.
const epsilons: [number, number, number, number, number, number, number[]][] = [
  [1, 2, 1, 1e-5, 1_563_225, 4.122e-5, [2.113568738600525]],
  [0.3, 5, 200, 1e-8, 1_824_455, 4.849e-5, [5.290638552392185, 4.947206402662966]],
  [0.5, 0.4, 3, 1e-3, 2_537_897, 4.868e-5, [19.401543948550323, 2.0495465448988206]],
  [0.02, 3, 1e4, 1e-5, 1_785_518, 4.58e-5, [3.129091258864415, 3.0777378310717487]],
  [0.2, 1, 4, 1e-12, 2_789_396, 5.799e-5, [8.804744003260238, 0.862369484127713]],
  [1, 0.1, 1, 1e-3, 1_746_056, 4.713e-5, [82.52631045046343]],
];
for (const [rate, deviation, count, delta, exactWork, mostGap, guesses] of epsilons) {
  Deno.test(`adaptiveEpsilon() takes just that work, and has no wider a gap, for ${count} runs of σ = ${deviation} sampled at ${rate}, δ = ${delta}`, () => {
    const directions = directionsOf(rate, deviation, count);
    const { lower, upper, work } = adaptiveEpsilon(directions, { delta });
    assertEquals(work, exactWork);
    assert(upper / lower - 1 <= mostGap, `gap ${upper / lower - 1}`);
    for (const [i, laws] of directions.entries()) {
      assertGuess(roughEpsilon(laws, { delta }), guesses[i]!);
    }
  });
}

// μ, ε; losses times points; the relative gap at most; the first guess.
const deltas: [number, number, number, number, number][] = [
  [1, 0.5, 214_452, 8.96e-4, 0.46486842775945764],
  [5, 10, 473_162, 9.71e-4, 1],
  [1, 0, 225_214, 6.13e-4, 0.6808344923046269],
  [0.1, 0.3, 11_962_275, 7.71e-5, 1.5642654259247278e-4],
];
for (const [mu, epsilon, exactWork, mostGap, guess] of deltas) {
  Deno.test(`adaptiveDelta() takes just that work, and has no wider a gap, for μ = ${mu} at ε = ${epsilon}`, () => {
    const laws = fourRuns(mu), truth = gaussianDelta(mu, epsilon);
    const { lower, upper, work } = adaptiveDelta([laws], { epsilon });
    assert(
      lower <= truth * (1 + 1e-9) && truth <= upper * (1 + 1e-9),
      `${lower} ${truth} ${upper}`,
    );
    assertEquals(work, exactWork);
    assert(upper / lower - 1 <= mostGap, `gap ${upper / lower - 1}`);
    assertGuess(roughDelta(laws, { epsilon }), guess);
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
  assert(none.upper === 0 && none.work === 650, `${none.work}`);
  const revealing = { ...gaussianLoss({ mu: 0.1 }).forward, infinite: 1e-3 };
  const given = adaptiveEpsilon([[{ law: revealing, count: 1 }]], { delta: 1e-4 });
  assert(given.upper === Infinity && given.work === 3_300, `${given.work}`);
});

const sampledAt = (rate: number, deviation: number): LossLaw =>
  poissonSubsampledLoss(gaussianLoss({ mu: 1 / deviation }), { rate }).forward;
// Name, laws, ε, δ, gap; levels; losses times points; the gap, relative to δ; the first guesses.
const manyRuns: [
  string,
  LawPower[],
  { epsilon: number; delta: number; gap: number },
  { levels: number; work: number; gap: number; guesses: [number, number] },
][] = [
  ["one level", [{ law: sampledAt(1e-4, 1), count: 1e5 }], {
    epsilon: 0.1569,
    delta: 1e-6,
    gap: 0.03,
  }, {
    levels: 1,
    work: 89_077,
    gap: 3.42e-2,
    guesses: [0.17346014269062496, 1.0117854934754377e-3],
  }],
  ["two levels", [{ law: sampledAt(1e-4, 0.8), count: 1e4 }], {
    epsilon: 0.07938,
    delta: 1e-6,
    gap: 0.03,
  }, {
    levels: 2,
    work: 739_057,
    gap: 9.08e-3,
    guesses: [0.12590395029662996, 1.5065754929307423e-2],
  }],
  ["rarer losses", [{ law: sampledAt(1e-5, 0.5), count: 1e4 }], {
    epsilon: 0.5,
    delta: 1e-6,
    gap: 0.03,
  }, {
    levels: 2,
    work: 55_576,
    gap: 8.25e-4,
    guesses: [0.49651750418211904, 7.173156942728531e-3],
  }],
  [
    "two laws",
    [{ law: sampledAt(1e-3, 0.6), count: 100 }, {
      law: laplaceLoss({ epsilon: 0.01 }).forward,
      count: 50,
    }],
    { epsilon: 0.7, delta: 1e-5, gap: 0.03 },
    {
      levels: 2,
      work: 331_029,
      gap: 3.24e-3,
      guesses: [1.3136915675613388, 6.0443560565254665e-3],
    },
  ],
];
for (const [name, laws, focus, reached] of manyRuns) {
  Deno.test(`focusedCurve() takes just that work, and has no wider a gap: ${name}`, () => {
    const { epsilon, delta } = focus, { cap } = capAll(laws, 1e-6 * delta);
    assertEquals(levelsOf(laws, { cap, epsilon }).length, reached.levels);
    const curve = focusedCurve(laws, focus);
    assertEquals([curve.work, curve.limited], [reached.work, false]);
    const gap = (curve.upperAt(epsilon) - curve.lowerAt(epsilon)) / delta;
    assert(gap >= 0 && gap <= reached.gap, `${gap}`);
    assertGuess(roughEpsilon(laws, { delta }), reached.guesses[0]);
    assertGuess(roughDelta(laws, { epsilon }), reached.guesses[1]);
  });
}

Deno.test("adaptiveDelta() ends as soon as the second direction is seen to be the smaller one", () => {
  const [forward, backward] = directionsOf(0.3, 5, 200);
  const both = adaptiveDelta([forward!, backward!], { epsilon: 1 });
  assertEquals(both.work, 6_913_663);
  assert(both.work < 1.1 * adaptiveDelta([forward!], { epsilon: 1 }).work);
});

// What an ε next to 0 would take is not worth it. Mutants: a relative gap there too; the limit forgotten, or not by the slope.
Deno.test("adaptiveEpsilon() is as near as changes δ by a few hundred thousandths where ε is next to 0", () => {
  const delta = gaussianDelta(1, 0.01);
  const { lower, upper, work } = adaptiveEpsilon([fourRuns(1)], { delta });
  assert(lower < 0.01 && upper > 0.01);
  assertAlmostEquals(gaussianDelta(1, lower) / gaussianDelta(1, upper), 1, 5e-5);
  assertEquals(work, 38_792_134);
});

// Mutants: work that is not limited, or no end of the rounds when it is.
Deno.test("adaptiveDelta() ends when a curve takes as much work as it may", () => {
  const [laws] = directionsOf(0.00775, 1.27, 12);
  const { lower, upper, work } = adaptiveDelta([laws!], { epsilon: 2.25 });
  assert(lower <= upper && upper <= 1.001 * lower);
  assertEquals(work, 120_006_903);
});
