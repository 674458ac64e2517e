import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Claim, PureClaim, ZcdpClaim } from "../../../lib/core/claims/claim.ts";
import {
  openReusableHoldout,
  sampleReusableHoldout,
  thresholdoutClaim,
  thresholdoutMechanism,
  type ThresholdoutOptions,
} from "../../../lib/papers/holdout/thresholdout.ts";
import { multiply, type Rational, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const itself = (row: number): number => row;
const options: ThresholdoutOptions = { threshold: 0.1, noiseScale: 0.5, count: 2 };

/** Whether a is at least b and not above it by more than 1e-13 of it. */
function justAbove(a: Rational, b: Rational): boolean {
  return subtract(a, b).numerator >= 0n &&
    subtract(a, multiply(b, rational(1 + 1e-13))).numerator <= 0n;
}

// B parts of 2/(σn): ε = 2B/(σn), ρ = B·(2/(σn))²/2. Both in fractions, times (σn)².
Deno.test("thresholdout claims 2B/(σn) and keeps 2B/(σn)² besides, in fractions", () => {
  const random = new SeededSource(1);
  const cases = Array.from({ length: 300 }, () => ({
    noiseScale: random.uniform() + 1e-3,
    rowCount: 1 + random.uint32() % 1000,
    count: 1 + random.uint32() % 50,
  }));
  for (const { noiseScale, rowCount, count } of cases) {
    const mechanism = thresholdoutMechanism({
      ...options,
      noiseScale,
      count,
      rowCount,
      training: [1],
      statistics: [],
    });
    const [also, ...others] = mechanism.alsoKeeps! as ZcdpClaim[];
    assertEquals(others, []);
    const size = multiply(rational(noiseScale), rational(rowCount));
    const { epsilon } = mechanism.claim as PureClaim;
    assert(justAbove(multiply(rational(epsilon), size), rational(2 * count)));
    const square = multiply(size, size);
    assert(justAbove(multiply(rational(also!.rho), square), rational(2 * count)));
    let spent: readonly Claim[] = [];
    openReusableHoldout({ training: [1], holdout: new Array<number>(rowCount).fill(0) }, {
      ...options,
      noiseScale,
      count,
      budget: { spend: (claim, alsoKeeps) => void (spent = [claim, ...alsoKeeps ?? []]) },
    });
    assertEquals(spent, [mechanism.claim, also!]);
  }
});

// Where the next double is not enough, as in one case of ten thousand. Mutant: no margin for rounding.
Deno.test("thresholdoutClaim() is at least 2B/(σn) where the next double is below it", () => {
  const cases = [
    { noiseScale: 0.7183688646474446, rowCount: 826, count: 10 },
    { noiseScale: 0.7202623426354517, rowCount: 122, count: 3 },
    { noiseScale: 0.13926341045492874, rowCount: 477, count: 34 },
    { noiseScale: 0.19787904392603262, rowCount: 989, count: 25 },
    { noiseScale: 0.06613971337567626, rowCount: 309, count: 39 },
  ];
  for (const { noiseScale, rowCount, count } of cases) {
    const { epsilon } = thresholdoutClaim({ ...options, noiseScale, count }, {
      rowCount,
    }) as PureClaim;
    const size = multiply(rational(noiseScale), rational(rowCount));
    assert(justAbove(multiply(rational(epsilon), size), rational(2 * count)));
  }
});

const STEP = 2 ** -16;

/** An answer about one row with noise that is 0 but with chance below e^−1000. */
function plainAnswer(
  { trained, held, threshold }: { trained: number; held: number; threshold: number },
): number | null {
  return sampleReusableHoldout(new SeededSource(1), {
    threshold,
    noiseScale: 1e-8,
    count: 1,
    training: [trained],
    holdout: [held],
  }).answer(itself);
}

Deno.test("answer() compares whole steps of 2^-16: limit, training mean and holdout are rounded to them", () => {
  // The answer that tells which: the training mean, or the holdout.
  const crosses = (trained: number, held: number, threshold: number): boolean =>
    plainAnswer({
      trained: trained * STEP,
      held: held * STEP,
      threshold: threshold * STEP,
    }) !== trained * STEP;
  assertEquals([crosses(0, 10, 10), crosses(0, 11, 10)], [false, true]);
  // A limit of 10.6 is one of 11, and 10.4 one of 10.
  assertEquals([crosses(0, 11, 10.6), crosses(0, 11, 10.4)], [false, true]);
  // A training mean of 10.4 is 10 away from 0, and 10.6 is 11.
  assertEquals([crosses(10.4, 0, 10), crosses(10.6, 0, 10)], [false, true]);
  assertEquals(plainAnswer({ trained: 0, held: 100.4 * STEP, threshold: 0 }), 100 * STEP);
  assertEquals(plainAnswer({ trained: 0, held: 0.5, threshold: 0 }), 0.5);
});

Deno.test("answer() counts 0 for rows whose statistic throws or is no number, on either side", () => {
  for (const value of [NaN, -1, -Infinity]) {
    assertEquals(plainAnswer({ trained: value, held: 0.5, threshold: 0.75 }), 0);
    assertEquals(plainAnswer({ trained: 0.5, held: value, threshold: 0.25 }), 0);
  }
  const opened = sampleReusableHoldout(new SeededSource(1), {
    threshold: 0.25,
    noiseScale: 1e-8,
    count: 1,
    training: [0.5],
    holdout: [0.25],
  });
  const refuse = (row: number): number => {
    if (row === 0.25) throw new Error("a row that cannot be read");
    return row;
  };
  assertEquals([opened.remaining, opened.answer(refuse), opened.remaining], [1, 0, 0]);
});

// Mutant: after an answer from the holdout the threshold has no noise.
Deno.test("answer() crosses as often after an answer from the holdout as before", () => {
  const runs = 4000, source = new SeededSource(7);
  // σ = 1/8. The first statistic differs by 1, with 8σ to spare: nearly always an answer; the second by 4σ.
  const mechanism = thresholdoutMechanism<number>({
    threshold: 0,
    noiseScale: 1 / 8,
    count: 2,
    rowCount: 1,
    training: [0],
    statistics: [(row) => row, (row) => row / 2],
  });
  let first = 0, both = 0;
  for (let run = 0; run < runs; run++) {
    const [one, other] = mechanism.sample([1], source);
    if (one === 0) continue;
    first++;
    if (other !== 0) both++;
  }
  // A difference of 4σ, and noises of 4σ and 2σ: P(both together exceed x) = (16e^(−x/4σ) − 4e^(−x/2σ))/24.
  const expected = 1 - (16 * Math.exp(-1) - 4 * Math.exp(-2)) / 24;
  // The deviation of the share is .007, and of the mutant's expectation .039 away.
  assert(first > 0.8 * runs);
  assertAlmostEquals(both / first, expected, 0.022);
});
