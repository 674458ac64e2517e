import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { clippedGradient, STEPS_PER_BOUND } from "../../../../lib/learners/sgd/clipped_gradient.ts";
import { dpSgdClaim, type DpSgdOptions, sampleDpSgd } from "../../../../lib/learners/sgd/dp_sgd.ts";
import { deltaAt, gaussian } from "../../../../lib/core/claim.ts";
import { addRemoveOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const OPTIONS: DpSgdOptions = {
  columnCount: 2,
  steps: 1,
  rate: 1,
  clip: 2,
  noiseMultiplier: 1.5,
  learningRate: 0.5,
  delta: 1e-3,
};

// Mutants: coordinates rounded to the nearest; no clipping; the sign of the label.
Deno.test("gradients are those of the logistic loss, and no longer than the bound", () => {
  const at = { weights: [0.3, -0.2], clip: 100 };
  const [first] = clippedGradient({ features: [1, 2], label: 1 }, at);
  const slope = -1 / (1 + Math.exp(0.3 - 0.4));
  assertAlmostEquals(first! * 100 / STEPS_PER_BOUND, slope, 1e-6);
  for (const size of [1e-300, 1, 3, 1e150, 1.7e308]) {
    for (const label of [1, -1]) {
      const steps = clippedGradient({ features: [size, -size, size / 3], label }, {
        weights: [0, 0, 0],
        clip: 1,
      });
      const squares = steps.reduce((sum, each) => sum + BigInt(each) ** 2n, 0n);
      assert(squares <= BigInt(STEPS_PER_BOUND) ** 2n, `${squares}`);
      assert(size < 3 || squares > BigInt(STEPS_PER_BOUND) ** 2n * 99n / 100n, `${size}`);
    }
  }
  const bad = [{ features: [NaN, 1], label: 1 }, { features: [1, 1], label: 2 }];
  for (const row of bad) assertEquals([...clippedGradient(row, at)], [0, 0]);
});

// Mutants: the multiplier squared; noise that does not grow with the clip.
Deno.test("the noise of a step has the deviation that is claimed", () => {
  const source = new SeededSource(2306), count = 4000;
  let squares = 0;
  for (let run = 0; run < count; run++) {
    squares += sampleDpSgd(source, { ...OPTIONS, data: [] })[0]! ** 2;
  }
  // learningRate·clip·noiseMultiplier = 1.5; six standard errors of a variance.
  assertAlmostEquals(squares / count / 1.5 ** 2, 1, 6 * Math.sqrt(2 / count));
});

// Mutants: μ = noiseMultiplier; steps or rate left out.
Deno.test("the claim is that of composed Gaussian noise, and falls with the rate", () => {
  const { epsilon } = dpSgdClaim({ ...OPTIONS, steps: 9 });
  const exact = deltaAt(gaussian({ mu: 3 / 1.5, relation: addRemoveOne }), epsilon);
  assert(exact <= 1e-3 && exact > 0.99e-3, `δ ${exact}`);
  assert(dpSgdClaim({ ...OPTIONS, steps: 9, rate: 0.1 }).epsilon < 0.5 * epsilon);
  assertThrows(
    () => dpSgdClaim({ ...OPTIONS, steps: 200, noiseMultiplier: 0.3, delta: 1e-9 }),
    RangeError,
    "delta must be at least",
  );
});

Deno.test("it learns: weights point to where the labels are", () => {
  const data = Array.from({ length: 500 }, (_, i) => {
    const label = i % 2 === 0 ? 1 : -1;
    return { features: [1, label], label };
  });
  const [, weight] = sampleDpSgd(new SeededSource(2307), {
    ...OPTIONS,
    steps: 20,
    rate: 0.2,
    learningRate: 0.02,
    data,
  });
  assert(weight! > 0.5, `${weight}`);
});
