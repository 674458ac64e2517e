import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { optimalEpsilon } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import type { Claim } from "../../../lib/core/claims/claim.ts";
import {
  sampleReusableHoldout,
  type Statistic,
  thresholdoutClaim,
  thresholdoutMechanism,
} from "../../../lib/papers/holdout/thresholdout.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const itself: Statistic<number> = (row) => row;

Deno.test("thresholdoutClaim() is 2B/(σn), and grows with the root of B when δ is allowed", () => {
  const options = { threshold: 0.04, noiseScale: 0.01, count: 500 };
  const claim = thresholdoutClaim(options, { rowCount: 10_000 });
  assert(claim.kind === "pure" && claim.epsilon >= 10);
  assertAlmostEquals(claim.epsilon, 10, 1e-9);
  const rooted = thresholdoutClaim({ ...options, delta: 1e-6 }, { rowCount: 10_000 });
  assert(rooted.kind === "approximate" && rooted.epsilon < 3 && rooted.delta === 1e-6);
  assert(
    thresholdoutClaim({ ...options, count: 1, delta: 1e-6 }, { rowCount: 10 }).kind === "pure",
  );
  for (const wrong of [{ noiseScale: 0 }, { count: 0 }, { threshold: -1 }, { delta: 1 }]) {
    assertThrows(() => thresholdoutClaim({ ...options, ...wrong }, { rowCount: 9 }), RangeError);
  }
});

// Mutants: ε of advanced composition halved; δ ignored; a part of 1/(σn).
Deno.test("thresholdoutClaim() with δ claims no less than B parts of 2/(σn) can lose, nor much more", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(1e-9, 1e-6, 1e-3),
      (count, parts, delta) => {
        const rowCount = 1000, noiseScale = 0.2 / parts;
        const options = { threshold: 0.1, noiseScale, count, delta };
        const { epsilon } = pointOf(thresholdoutClaim(options, { rowCount }));
        const each = 2 / (noiseScale * rowCount);
        // Kairouz, Oh, Viswanath 2015: what B such parts lose at the worst.
        assert(epsilon >= optimalEpsilon([{ epsilon: each, count }], { delta })! * (1 - 1e-9));
        // Dwork, Rothblum, Vadhan 2010.
        const advanced = Math.sqrt(2 * count * Math.log(1 / delta)) * each +
          count * each * Math.expm1(each);
        assert(epsilon <= Math.min(count * each, advanced) * (1 + 1e-9));
      },
    ),
    { seed: 1507, numRuns: 60 },
  );
});

function pointOf(claim: Claim): { epsilon: number } {
  assert(claim.kind === "pure" || claim.kind === "approximate");
  return claim;
}

Deno.test("answer() tells the training mean below the threshold and spends nothing", () => {
  const asked = sampleReusableHoldout(new SeededSource(630), {
    training: [0.1, 0.2, 0.6],
    holdout: Array.from({ length: 1000 }, () => 0.3),
    threshold: 0.5,
    noiseScale: 0.001,
    count: 3,
  });
  for (let i = 0; i < 50; i++) assertEquals(asked.answer(itself), (0.1 + 0.2 + 0.6) / 3);
  assertEquals(asked.remaining, 3);
});

Deno.test("answer() crosses the threshold as often as noise of 2σ and 4σ does, and adds σ", () => {
  const rowCount = 100, noiseScale = 0.05, runs = 20_000;
  const holdout = Array.from({ length: rowCount }, (_, i) => i < 65 ? 1 : 0);
  // The difference is 3σ above the threshold.
  const mechanism = thresholdoutMechanism<number>({
    training: [0],
    statistics: [itself],
    threshold: 0.5,
    noiseScale,
    count: 1,
    rowCount,
  });
  const source = new SeededSource(631);
  let crossed = 0, error = 0;
  for (let run = 0; run < runs; run++) {
    const answer = mechanism.sample(holdout, source)[0]!;
    if (answer === 0) continue;
    crossed++;
    error += Math.abs(answer - 0.65);
  }
  // P(Lap(2) + Lap(4) < 3), the noises in units of σ.
  const p = 1 - (16 * Math.exp(-3 / 4) - 4 * Math.exp(-3 / 2)) / 24;
  // |z| ≤ 4.5: false alarm 7e-6 each. The absolute noise has mean σ and deviation σ.
  assertAlmostEquals(crossed / runs, p, 4.5 * Math.sqrt(p * (1 - p) / runs));
  assertAlmostEquals(error / crossed, noiseScale, 4.5 * noiseScale / Math.sqrt(crossed));
});

Deno.test("answer() draws the threshold's noise anew after a crossing, and only then", () => {
  // The difference is the threshold itself: each comparison is a fair coin.
  const mechanism = thresholdoutMechanism<number>({
    training: [0],
    statistics: [itself, itself],
    threshold: 0.5,
    noiseScale: 0.05,
    count: 2,
    rowCount: 100,
  });
  const holdout = Array.from({ length: 100 }, (_, i) => i % 2);
  const source = new SeededSource(641), runs = 20_000;
  let crossings = 0, silences = 0;
  for (let run = 0; run < runs; run++) {
    const [first, second] = mechanism.sample(holdout, source);
    if (first !== 0 && second !== 0) crossings++;
    if (first === 0 && second === 0) silences++;
  }
  // Independent coins after a crossing. With one γ for both, E[P(η > γ)²] = 7/24.
  // |z| ≤ 4.5: false alarm 7e-6 each.
  for (const [times, p] of [[crossings, 1 / 4], [silences, 7 / 24]] as const) {
    assertAlmostEquals(times / runs, p, 4.5 * Math.sqrt(p * (1 - p) / runs));
  }
});

Deno.test("answer() tells nothing more when B answers came from the holdout", () => {
  const asked = sampleReusableHoldout(new SeededSource(632), {
    training: [0],
    holdout: Array.from({ length: 1000 }, () => 1),
    threshold: 0.1,
    noiseScale: 0.001,
    count: 3,
  });
  for (const left of [2, 1, 0]) {
    assertAlmostEquals(asked.answer(itself)!, 1, 0.02);
    assertEquals(asked.remaining, left);
  }
  assertEquals(asked.answer(itself), null);
  assertEquals(asked.answer(() => 0), null);
});

Deno.test("answer() brings statistics into [0, 1] and counts NaN as 0", () => {
  const asked = sampleReusableHoldout(new SeededSource(633), {
    training: [-5, 5, NaN, 1],
    holdout: Array.from({ length: 1000 }, (_, i) => [NaN, -7, 9, 1][i % 4]!),
    threshold: 0.4,
    noiseScale: 0.001,
    count: 1,
  });
  assertEquals(asked.answer(itself), 0.5);
});
