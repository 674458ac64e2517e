import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { LabelledRow } from "../../../../lib/dp/learners/erm/mechanism.ts";
import {
  addGradient,
  clippedGradient,
  STEPS_PER_BOUND,
} from "../../../../lib/dp/learners/sgd/clipped_gradient.ts";

// Mutants: a norm in another measure; no clipping; rounding to the nearest; a slope without the weights.
Deno.test("clippedGradient() is the gradient of the logistic loss, clipped and rounded towards 0, by less than a step", () => {
  const feature = fc.double({ min: -4, max: 4, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(feature, feature), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(1, -1),
      fc.double({ min: -3, max: 2, noNaN: true }),
      (pairs, label, power) => {
        const features = pairs.map(([x]) => x), weights = pairs.map(([, w]) => w);
        const clip = 10 ** power;
        const margin = label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0);
        const plain = features.map((x) => -label * x / (1 + Math.exp(margin)));
        const share = Math.min(1, clip / Math.hypot(...plain));
        const steps = clippedGradient({ features, label }, { weights, clip });
        let squares = 0n;
        plain.forEach((each, j) => {
          const exact = each * share / clip * STEPS_PER_BOUND, step = steps[j]!;
          assert(Number.isInteger(step), `${step}`);
          assert(Math.abs(step) <= Math.abs(exact) * (1 + 1e-13), `${step} for ${exact}`);
          assert(Math.abs(step - exact) < 1 + 1e-11 * Math.abs(exact), `${step} for ${exact}`);
          squares += BigInt(step) ** 2n;
        });
        assert(squares <= BigInt(STEPS_PER_BOUND) ** 2n);
      },
    ),
    { seed: 2310, numRuns: 500 },
  );
});

Deno.test("clippedGradient() is 0 where a row gives no gradient, whatever is wrong with it", () => {
  const at = { weights: [1, -1], clip: 1 };
  const bad: readonly unknown[] = [
    { features: [1, 2], label: 0 },
    { features: [1, 2], label: 2 },
    { features: [1, 2], label: "1" },
    { features: [0, 0], label: 1 },
    { features: [1], label: 1 },
    { features: [1, NaN], label: 1 },
    { features: [Infinity, 1], label: 1 },
    { features: [1, -Infinity], label: -1 },
    { label: 1 },
    null,
    undefined,
    {
      get features(): number[] {
        throw new Error("no features");
      },
      label: 1,
    },
    {
      features: [1, {
        valueOf(): number {
          throw new Error("no value");
        },
      }],
      label: 1,
    },
  ];
  for (const row of bad) assertEquals([...clippedGradient(row as LabelledRow, at)], [0, 0]);
  // The products are ∞ and −∞.
  const far = { weights: [1e308, -1e308], clip: 1 };
  assertEquals([...clippedGradient({ features: [10, 10], label: 1 }, far)], [0, 0]);
});

Deno.test("clippedGradient() reads label and features of a row once", () => {
  let labels = 0, reads = 0;
  const row = {
    get label(): number {
      return labels++ === 0 ? -1 : 1e9;
    },
    get features(): number[] {
      return reads++ === 0 ? [3, 4] : [1e9, 1e9];
    },
  };
  const steps = clippedGradient(row, { weights: [0, 0], clip: 5 });
  // Half of (3, 4), as a share of 5: 0.3 and 0.4 but for rounding towards 0.
  assertEquals([...steps], [0.3, 0.4].map((share) => Math.floor(share * STEPS_PER_BOUND)));
  assertEquals([labels, reads], [1, 1]);
});

// Mutants: no stop on either side; a stop beyond the whole numbers that doubles hold.
Deno.test("addGradient() moves neighbouring sums no further apart, also where sums are as large as they get", () => {
  const step = STEPS_PER_BOUND;
  for (const sign of [1, -1]) {
    for (const start of [0, 5, 2 ** 52 - step, 2 ** 52 - 1, 2 ** 52]) {
      const left = Float64Array.of(sign * start), right = left.slice();
      addGradient(left, Float64Array.of(sign * (step - 1)));
      let apart = step - 1;
      for (const next of [1, step, step - 3, -1, step, 3, -step]) {
        for (const sum of [left, right]) addGradient(sum, Float64Array.of(sign * next));
        const difference = Math.abs(left[0]! - right[0]!);
        assert(difference <= apart, `${difference} after ${apart} at ${start}`);
        assert(Math.abs(left[0]!) <= 2 ** 52, `${left[0]}`);
        apart = difference;
      }
    }
  }
  const sum = Float64Array.of(1, -(2 ** 30), 2 ** 52 - 10);
  addGradient(sum, Float64Array.of(2, -3, 4));
  assertEquals([...sum], [3, -(2 ** 30) - 3, 2 ** 52 - 6]);
});

// Mutants: no margin for rounding; a margin on the wrong side.
Deno.test("clippedGradient() is within the bound where rounding each coordinate up would pass it by a hair", () => {
  const bound = BigInt(STEPS_PER_BOUND) ** 2n, clip = 1;
  for (let k = 0; k < 2000; k++) {
    // Whole numbers whose squares add to one more than the bound allows.
    const features = [2 ** 27 + 12_345 * k];
    let left = bound + 1n - BigInt(features[0]!) ** 2n;
    while (left > 0n) {
      let root = Math.floor(Math.sqrt(Number(left)));
      if (BigInt(root) ** 2n > left) root--;
      features.push(root);
      left -= BigInt(root) ** 2n;
    }
    const weights = features.map(() => 0);
    const squares = clippedGradient({ features, label: 1 }, { weights, clip })
      .reduce((sum, each) => sum + BigInt(each) ** 2n, 0n);
    assert(squares <= bound, `${squares - bound} too long`);
  }
});
