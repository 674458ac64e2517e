import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { deltaBounds } from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { subsetSampledLoss } from "../../../../lib/dp/accounting/sampling/subset_sampled_loss.ts";

/** The chance that the answer about m of n bits, the parity of their sum by randomised response, is 1. */
function chanceOfOne(
  bits: readonly number[],
  { taken, epsilon }: { taken: number; epsilon: number },
): number {
  const subsets = Array.from(
    { length: 2 ** bits.length },
    (_, set) => bits.filter((_, i) => (set >> i) % 2 === 1),
  ).filter(({ length }) => length === taken);
  const truth = 1 / (1 + Math.exp(-epsilon));
  const odd = subsets.filter((set) => set.reduce((sum, bit) => sum + bit, 0) % 2 === 1).length;
  return (odd * truth + (subsets.length - odd) * (1 - truth)) / subsets.length;
}

/** δ of some runs between a pair of chances, by the number of ones. */
function exactDelta(
  [a, b]: readonly [number, number],
  { runs, epsilon }: { runs: number; epsilon: number },
): number {
  let [choose, delta] = [1, 0];
  for (let ones = 0; ones <= runs; ones++) {
    const mass = (p: number) => choose * p ** ones * (1 - p) ** (runs - ones);
    delta += Math.max(0, mass(a) - Math.exp(epsilon) * mass(b));
    choose = choose * (runs - ones) / (ones + 1);
  }
  return delta;
}

// All pairs of five bits that differ in one. Mutants: the part below 0 left out, by which what is left is more; the mixture's own part below 0 in place of the mirror image.
Deno.test("subsetSampledLoss() bounds every pair of small datasets, in every number of runs, and attains some", () => {
  for (const taken of [1, 2, 4]) {
    const loss = subsetSampledLoss(approximateLoss({ epsilon: 1.2 }), { rate: taken / 5 });
    for (const runs of [1, 2, 5]) {
      for (const epsilon of [0, 0.15, 0.4]) {
        const { upper } = deltaBounds([{ loss, count: runs }], { epsilon });
        let most = 0;
        for (let set = 0; set < 2 ** 5; set++) {
          const bits = Array.from({ length: 5 }, (_, i) => (set >> i) % 2);
          const [left, right] = [bits, bits.with(0, 1 - bits[0]!)].map((side) =>
            chanceOfOne(side, { taken, epsilon: 1.2 })
          ) as [number, number];
          most = Math.max(most, exactDelta([left, right], { runs, epsilon }));
        }
        assert(
          most <= upper * (1 + 1e-9) + 1e-12,
          `${taken}, ${runs}, ${epsilon}: ${most} > ${upper}`,
        );
        if (runs === 1) {
          assert(upper <= most * 1.002 + 1e-9, `${taken}, ${epsilon}: ${upper}, ${most}`);
        }
      }
    }
  }
});

// Mutants: what is left without the continuous part; a mirror image that keeps P and Q; differences that are not swapped.
Deno.test("subsetSampledLoss() is a law that is its own mirror image", () => {
  for (const loss of [gaussianLoss({ mu: 1 }), laplaceLoss({ epsilon: 1 })]) {
    const law = subsetSampledLoss(loss, { rate: 0.3 }).forward;
    const all = law.intervalMass!(-Infinity, Infinity);
    for (const side of ["p", "q"] as const) {
      assertAlmostEquals(law.atoms.reduce((sum, atom) => sum + atom[side], all[side]), 1, 1e-9);
    }
    for (const [from, to] of [[0.05, 0.2], [-0.1, 0.1], [-0.2, -0.01]] as const) {
      const { p, q } = law.intervalMass!(from, to), image = law.intervalMass!(-to, -from);
      assertAlmostEquals(p, image.q, 1e-12);
      const found = law.intervalDifference!(from, to);
      if (found === undefined) continue;
      assertAlmostEquals(found.rise, p - q * Math.exp(from), 1e-12);
      assertAlmostEquals(found.fall, q - p * Math.exp(-to), 1e-12);
    }
  }
});

Deno.test("subsetSampledLoss() of one run is the mixture at every ε, and composes to no less than either side", () => {
  for (const loss of [gaussianLoss({ mu: 1 }), laplaceLoss({ epsilon: 1 })]) {
    const subset = subsetSampledLoss(loss, { rate: 0.1 }),
      mixed = poissonSubsampledLoss(loss, { rate: 0.1 });
    for (const epsilon of [0.01, 0.1]) {
      const one = { epsilon },
        own = { loss: { forward: mixed.forward, backward: mixed.forward }, count: 1 };
      const found = deltaBounds([{ loss: subset, count: 1 }], one),
        expected = deltaBounds([own], one);
      assert(found.upper >= expected.lower && found.lower <= expected.upper);
      const many = deltaBounds([{ loss: subset, count: 20 }], one);
      assert(many.upper >= deltaBounds([{ loss: mixed, count: 20 }], one).lower);
    }
  }
});

Deno.test("subsetSampledLoss() refuses losses that differ by direction or give rows away", () => {
  const uneven = finiteLoss({ p: [0.5, 0.5], q: [0.2, 0.8] });
  assertThrows(() => subsetSampledLoss(uneven, { rate: 0.1 }), RangeError, "same both ways");
  const telling = approximateLoss({ epsilon: 1, delta: 0.1 });
  assertThrows(() => subsetSampledLoss(telling, { rate: 0.1 }), RangeError, "must be 0");
});
