import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  clippedGradient,
  STEPS_PER_BOUND,
} from "../../../../lib/dp/learners/sgd/clipped_gradient.ts";
import {
  dpSgdClaim,
  dpSgdMechanism,
  type DpSgdOptions,
  fitDpSgd,
  sampleDpSgd,
  stepMu,
} from "../../../../lib/dp/learners/sgd/dp_sgd.ts";
import { deltaAt, gaussian } from "../../../../lib/core/mod.ts";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { normalTail } from "../../../../lib/core/numeric/normal_tail.ts";
import { multiply, rational, subtract } from "../../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { LONG, longTest } from "../../../long.ts";

const OPTIONS: DpSgdOptions & { readonly noiseMultiplier: number } = {
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
  const { sample } = dpSgdMechanism(OPTIONS);
  for (let run = 0; run < count; run++) squares += sample([], source)[0]! ** 2;
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

// ε of a whole run is rounded by more than a last digit of μ. Mutants: μ rounded to nearest, or up by a tenth digit.
Deno.test("μ of a step is at least 1 in noise multipliers, in fractions, and above by two last digits at most", () => {
  for (let i = 1; i <= 400; i++) {
    const noiseMultiplier = 0.01 * i + 1 / i, mu = stepMu({ noiseMultiplier });
    const product = multiply(rational(mu), rational(noiseMultiplier));
    assert(subtract(product, rational(1)).numerator >= 0n, `${noiseMultiplier}`);
    assert(subtract(product, rational(1 + 4 * Number.EPSILON)).numerator <= 0n, `${mu}`);
  }
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

/** One row, whose gradient is longer than the bound at small weights. */
const LONG_ROW = { features: [20, 0], label: -1 };

// Mutants: one sample for all steps; a sample of half the rate; a sum that keeps the gradients of the step before.
Deno.test("each step samples each row by itself, at the rate that is claimed", () => {
  const count = 1500, source = new SeededSource(2308);
  const data = [LONG_ROW, { features: [0, 20], label: -1 }];
  const seen = new Map<string, number>();
  const options = { ...OPTIONS, steps: 2, rate: 0.25, noiseMultiplier: 0.1, learningRate: 1e-6 };
  for (let run = 0; run < count; run++) {
    // learningRate·clip a step that a row is in, against noise of 0.14 of it.
    const times = sampleDpSgd(source, { ...options, data }).map((weight) =>
      Math.max(0, Math.min(2, Math.round(-weight / 2e-6)))
    );
    seen.set(times.join(), (seen.get(times.join()) ?? 0) + 1);
  }
  const law = [0.5625, 0.375, 0.0625];
  for (let first = 0; first <= 2; first++) {
    for (let second = 0; second <= 2; second++) {
      const p = law[first]! * law[second]!, share = (seen.get(`${first},${second}`) ?? 0) / count;
      // Five standard errors, and what noise puts elsewhere: it is beyond half a step once in 2,500.
      assertAlmostEquals(share, p, 5 * Math.sqrt(p / count) + 2e-3, `${first} and ${second}`);
    }
  }
});

// Mutants: gradients at the first weights for ever; a rate of learning that is applied twice; the sum's mean.
Deno.test("with all rows in every sample, weights follow gradient descent on clipped gradients", () => {
  const source = new SeededSource(2309);
  const data = Array.from({ length: 2000 }, (_, i) => ({
    features: [3 * source.uniform() - 1, source.uniform() - 0.2],
    label: i % 3 === 0 ? -1 : 1,
  }));
  const options = { ...OPTIONS, steps: 5, clip: 0.4, noiseMultiplier: 0.1, learningRate: 2e-3 };
  const expected = [0, 0];
  for (let step = 0; step < options.steps; step++) {
    const sum = [0, 0];
    for (const { features, label } of data) {
      const margin = label * (features[0]! * expected[0]! + features[1]! * expected[1]!);
      const gradient = features.map((x) => -label * x / (1 + Math.exp(margin)));
      const length = Math.hypot(...gradient);
      gradient.forEach((each, j) => sum[j]! += each * Math.min(1, options.clip / length));
    }
    sum.forEach((each, j) => expected[j]! -= options.learningRate * each);
  }
  const weights = sampleDpSgd(source, { ...options, data });
  // Six deviations of the noise of five steps: the loss is convex, so what a step adds does not grow.
  const deviation = options.learningRate * options.clip * options.noiseMultiplier * Math.sqrt(5);
  for (const j of [0, 1]) assertAlmostEquals(weights[j]!, expected[j]!, 6 * deviation);
  assert(Math.hypot(...expected) > 1000 * deviation);
});

Deno.test("the claim of one sampled step is exact: its δ by the closed form, on both sides", () => {
  for (const [rate, noiseMultiplier] of [[0.1, 0.8], [0.5, 2], [0.02, 0.5]] as const) {
    const { epsilon, delta, relation } = dpSgdClaim({ ...OPTIONS, rate, noiseMultiplier });
    assertEquals([delta, relation], [OPTIONS.delta, addRemoveOne]);
    const mu = 1 / noiseMultiplier;
    // Removed: outputs beyond the point at which 1 − q + q·e^(μx − μ²/2) passes e^ε. Added: those before e^−ε, if any.
    const edge = (bound: number): number => Math.log((bound - 1 + rate) / rate) / mu + mu / 2;
    const up = edge(Math.exp(epsilon));
    const removed = (1 - rate) * normalTail(up) + rate * normalTail(up - mu) -
      Math.exp(epsilon) * normalTail(up);
    let added = 0;
    if (Math.exp(-epsilon) > 1 - rate) {
      const down = edge(Math.exp(-epsilon));
      added = normalTail(-down) - Math.exp(epsilon) *
          ((1 - rate) * normalTail(-down) + rate * normalTail(mu - down));
    }
    const exact = Math.max(removed, added);
    // A thousandth of δ is kept for discrete noise.
    assert(exact <= 0.999 * delta && exact > 0.99 * delta, `δ ${exact} at a rate of ${rate}`);
  }
});

Deno.test("ε is above 0 where δ alone covers all that is lost", () => {
  const { epsilon } = dpSgdClaim({ ...OPTIONS, noiseMultiplier: 100, delta: 0.5 });
  assert(epsilon > 0 && epsilon < 1e-9, `${epsilon}`);
});

// Mutants: the variance in steps of another grid; steps or columns left out; all of δ kept, or twice as much as there is.
Deno.test("δ must be 2,000 times what discrete noise may add, and no more", () => {
  const discrete = (options: typeof OPTIONS, epsilon: number): number =>
    (1 + Math.exp(epsilon)) * options.steps * options.columnCount /
    (5 * (options.noiseMultiplier * 2 ** 28) ** 2);
  let taken = 0, refused = 0;
  for (const one of [0.28, 0.33]) {
    for (const steps of [1, 3]) {
      const noiseMultiplier = one * Math.sqrt(steps);
      for (let power = 4; power < 8; power += 0.1) {
        const options = { ...OPTIONS, columnCount: 1, steps, noiseMultiplier, delta: 10 ** -power };
        let epsilon;
        try {
          ({ epsilon } = dpSgdClaim(options));
        } catch (error) {
          assert(error instanceof RangeError && error.message.includes("delta must be at least"));
          break;
        }
        // So many columns are just too many.
        const most = Math.floor(options.delta / 2000 / discrete(options, epsilon));
        if (most < 1 || most > 4095) continue;
        assertEquals(dpSgdClaim({ ...options, columnCount: most }).epsilon, epsilon);
        taken++;
        const message = assertThrows(
          () => dpSgdClaim({ ...options, columnCount: most + 1 }),
          RangeError,
        ).message;
        const least = Number(/at least (\S+) for/.exec(message)![1]);
        assertAlmostEquals(
          least / 2000 / discrete({ ...options, columnCount: most + 1 }, epsilon),
          1,
          1e-9,
        );
        refused++;
        power += 0.4;
      }
    }
  }

  assert(taken > 5 && refused > 5, `${taken} and ${refused}`);
});

Deno.test("options at their limits are taken, and those beyond are refused, by the claim and by what draws", () => {
  const taken: readonly Partial<DpSgdOptions>[] = [
    { rate: 1 },
    { columnCount: 4096 },
    { noiseMultiplier: 100 },
    { noiseMultiplier: 0.1, delta: 0.999, steps: 1 },
  ];
  for (const options of taken) assert(dpSgdClaim({ ...OPTIONS, ...options }).epsilon > 0);
  const refused: readonly [keyof DpSgdOptions, number[]][] = [
    ["columnCount", [0, 1.5, 4097]],
    ["steps", [0, 1.5]],
    ["rate", [0, 1 + 2 ** -52, NaN]],
    ["clip", [0, Infinity]],
    ["learningRate", [0, -1, Infinity]],
    ["delta", [0, 1]],
    ["noiseMultiplier", [0, 0.0999, 100.001]],
  ];
  for (const [name, values] of refused) {
    for (const value of values) {
      const options = { ...OPTIONS, [name]: value };
      assertThrows(() => dpSgdClaim(options), RangeError, `${name} must be`);
      assertThrows(() => dpSgdMechanism(options), RangeError, `${name} must be`);
      const source = new SeededSource(1);
      assertThrows(() => sampleDpSgd(source, { ...options, data: [] }), RangeError, `${name} must`);
      assertEquals(source.uint32(), new SeededSource(1).uint32());
    }
  }
});

Deno.test("fitDpSgd() spends the claim that the model carries, and returns its weights", () => {
  const spent: unknown[] = [];
  const options = { ...OPTIONS, steps: 3, noiseMultiplier: 0.5, learningRate: 1e-6 };
  const budget = { spend: (claim: unknown): void => void spent.push(claim) };
  const data = Array.from({ length: 100 }, () => LONG_ROW);
  const { weights, claim } = fitDpSgd(data, { ...options, budget });
  assertEquals(spent, [claim]);
  assertEquals(claim, dpSgdClaim(options));
  // Three steps of 100 gradients of length 2; eight deviations of noise.
  assertAlmostEquals(weights[0]!, -600e-6, 8e-6 * Math.sqrt(3));
  assertAlmostEquals(weights[1]!, 0, 8e-6 * Math.sqrt(3));
});

Deno.test("weights stay finite however long a step is, and data cannot stop the training", () => {
  const options = { ...OPTIONS, steps: 3, clip: 1e300, learningRate: 1e300 };
  const data = [{ features: [1e300, -1e300], label: 1 }];
  for (const rows of [[], data]) {
    const weights = sampleDpSgd(new SeededSource(2311), { ...options, data: rows });
    for (const weight of weights) assertEquals(Math.abs(weight), Number.MAX_VALUE);
  }
});

// Mutants: noise that is too small; noise for another δ; twice as much noise as needed; a first search that is taken for the last.
Deno.test("noise for a given ε is no smaller than it must be, and ε within 0.1% of it", () => {
  const cases: readonly (readonly [number, number, number])[] = [
    ...[[20, 0.1, 3], [1, 1, 0.1], [10, 1e-3, 1], [10, 1e-4, 1e-4]] as const,
    ...LONG ? [[1000, 0.01, 1], [10, 1e-3, 0.1], [10, 1e-3, 10]] as const : [],
  ];
  for (const [steps, rate, epsilon] of cases) {
    const { noiseMultiplier: _, ...rest } = { ...OPTIONS, steps, rate, delta: 1e-5 };
    const claim = dpSgdClaim({ ...rest, epsilon });
    assert(claim.epsilon <= epsilon && claim.epsilon >= 0.999 * epsilon, `${claim.epsilon}`);
    assertEquals(claim.delta, 1e-5);
  }
  assertThrows(
    () => dpSgdClaim({ ...OPTIONS, noiseMultiplier: undefined!, epsilon: 1e-4 }),
    RangeError,
    "epsilon must be at least",
  );
  assertThrows(() => dpSgdClaim({ ...OPTIONS, epsilon: 1 }), RangeError, "one of noiseMultiplier");
});

longTest("the least noise is drawn where all that it loses is less than what is allowed", () => {
  const { noiseMultiplier: _, ...rest } = { ...OPTIONS, rate: 1e-3 };
  const { epsilon } = dpSgdClaim({ ...rest, noiseMultiplier: 0.1 });
  assertEquals(dpSgdClaim({ ...rest, epsilon: 2 * epsilon }).epsilon, epsilon);
});
