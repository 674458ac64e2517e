import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type LossGrid,
  optimisticGrid,
  pessimisticGrid,
} from "../../../lib/accounting/loss_grid.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../lib/accounting/subsampled_loss.ts";
import { deltaAt, gaussian, pure } from "../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../lib/core/relation.ts";
import { normalTail } from "../../../lib/numeric/normal_tail.ts";

/** Σ masses·(1 − e^(ε − loss))⁺ and the infinite mass. */
function gridDelta({ first, spacing, masses, infinite }: LossGrid, epsilon: number): number {
  return masses.reduce((sum, mass, i) => {
    const excess = (first + i) * spacing - epsilon;
    return excess > 0 ? sum - mass * Math.expm1(-excess) : sum;
  }, infinite);
}

const sampled = poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 0.1 });
const laws: [string, LossLaw, (epsilon: number) => number][] = [
  [
    "laplace",
    laplaceLoss({ epsilon: 1 }).forward,
    (epsilon) => epsilon >= 1 ? 0 : -Math.expm1((epsilon - 1) / 2),
  ],
  [
    "gaussian",
    gaussianLoss({ mu: 1 }).forward,
    (epsilon) => deltaAt(gaussian({ mu: 1, relation }), epsilon),
  ],
  [
    "randomised response",
    approximateLoss({ epsilon: 1 }).forward,
    (epsilon) => deltaAt(pure({ epsilon: 1, relation }), epsilon),
  ],
  // Sampled without the row against with it: the other way round, delta(e) = rate·delta at the unmixed ε.
  [
    "sampled",
    sampled.forward,
    (epsilon) =>
      0.1 * deltaAt(gaussian({ mu: 1, relation }), Math.log1p(Math.expm1(epsilon) / 0.1)),
  ],
];

// Mutants: rounding every loss down in the pessimistic grid, or up in the optimistic one; splitting a
// cell by its P-mass only; dropping what is left where the mergers meet.
for (const [name, law, exact] of laws) {
  Deno.test(`pessimisticGrid() and optimisticGrid() enclose δ when the loss is ${name}`, () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0.003, max: 0.4, noNaN: true }),
        (epsilon, spacing) => {
          const high = gridDelta(pessimisticGrid(law, { spacing }), epsilon);
          const low = gridDelta(optimisticGrid(law, { spacing }), epsilon);
          const truth = exact(epsilon);
          assert(high >= truth * (1 - 1e-11) - 1e-15, `${high} < ${truth}`);
          assert(low <= truth * (1 + 1e-11) + 1e-15, `${low} > ${truth}`);
        },
      ),
      { seed: 101, numRuns: 60 },
    );
  });

  // Mutant: rounding losses up or down one by one, which is off by the spacing, not by its square.
  Deno.test(`pessimisticGrid() and optimisticGrid() are near each other when the loss is ${name}`, () => {
    for (const points of [10, 40]) {
      const spacing = 1 / points;
      const high = gridDelta(pessimisticGrid(law, { spacing }), 0.35);
      const low = gridDelta(optimisticGrid(law, { spacing }), 0.35);
      assert(high - low <= 0.5 * spacing * spacing + 1e-12, `${high - low}`);
    }
  });

  Deno.test(`pessimisticGrid() keeps probabilities summing to 1 when the loss is ${name}`, () => {
    for (
      const grid of [
        pessimisticGrid(law, { spacing: 0.07 }),
        optimisticGrid(law, { spacing: 0.07 }),
      ]
    ) {
      const sum = grid.masses.reduce((total, mass) => total + mass, grid.infinite);
      assertAlmostEquals(sum, 1, 1e-11);
      assert(grid.masses.every((mass) => mass >= 0));
    }
  });
}

// Mutants: dropping the tail above (δ too small), or the one below (probability lost).
Deno.test("pessimisticGrid() and optimisticGrid() enclose δ when tails are outside the range", () => {
  const law: LossLaw = { ...gaussianLoss({ mu: 1 }).forward, lowest: -1.5, highest: 2 };
  const high = pessimisticGrid(law, { spacing: 0.05 }),
    low = optimisticGrid(law, { spacing: 0.05 });
  for (const epsilon of [0, 0.7, 1.8, 2.5]) {
    const truth = deltaAt(gaussian({ mu: 1, relation }), epsilon);
    assert(gridDelta(high, epsilon) >= truth && gridDelta(low, epsilon) <= truth);
  }
  for (const { masses, infinite } of [high, low]) {
    assertAlmostEquals(masses.reduce((total, mass) => total + mass, infinite), 1, 1e-11);
  }
  assertAlmostEquals(high.infinite, normalTail(1.5), 1e-11);
});

// Mutant: sorting cells by their probability, or merging cells that are not neighbours.
Deno.test("optimisticGrid() and pessimisticGrid() enclose δ when a pair has arbitrary finite outputs", () => {
  const weights = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })),
    {
      minLength: 2,
      maxLength: 8,
    },
  ).filter((pairs) => pairs.some(([p]) => p > 0) && pairs.some(([, q]) => q > 0));
  fc.assert(
    fc.property(weights, fc.double({ min: 0, max: 3, noNaN: true }), (pairs, epsilon) => {
      const totals = pairs.reduce(([a, b], [p, q]) => [a + p, b + q], [0, 0]);
      const p = pairs.map(([weight]) => weight / totals[0]!),
        q = pairs.map(([, w]) => w / totals[1]!);
      const { forward } = finiteLoss({ p, q });
      const truth = p.reduce(
        (sum, mass, i) => sum + Math.max(0, mass - Math.exp(epsilon) * q[i]!),
        0,
      );
      for (const spacing of [0.05, 0.31]) {
        assert(gridDelta(pessimisticGrid(forward, { spacing }), epsilon) >= truth - 1e-11);
        assert(gridDelta(optimisticGrid(forward, { spacing }), epsilon) <= truth + 1e-11);
      }
    }),
    { seed: 102, numRuns: 300 },
  );
});

Deno.test("pessimisticGrid() throws when the spacing leaves too many points", () => {
  assertThrows(
    () => pessimisticGrid(gaussianLoss({ mu: 1 }).forward, { spacing: 1e-9 }),
    RangeError,
    "spacing must leave at most",
  );
});

Deno.test("finiteLoss() throws when the probabilities do not sum to 1", () => {
  assertThrows(() => finiteLoss({ p: [0.5, 0.4], q: [0.5, 0.5] }), RangeError, "p must be");
  assertThrows(() => finiteLoss({ p: [1, 0], q: [1] }), RangeError, "outputs under Q");
});

// Probabilities under P and Q are right up to a factor, and the grid's own roundings come on top. Mutants: either left out.
Deno.test("pessimisticGrid() and optimisticGrid() say what probabilities may be off by: the law's error and 1e-12", () => {
  const law: LossLaw = { ...approximateLoss({ epsilon: 1 }).forward, relativeError: 1e-3 };
  for (
    const grid of [pessimisticGrid(law, { spacing: 0.1 }), optimisticGrid(law, { spacing: 0.1 })]
  ) {
    assertEquals(grid.relativeError, 1e-3 + 1e-12);
  }
});

// 0.3/0.1 is 2.9999999999999996. Mutants: no room for a rounding at a point, on either side.
Deno.test("pessimisticGrid() and optimisticGrid() leave atoms that are on the grid, but for a rounding, where they are", () => {
  for (
    const [epsilon, spacing, index] of [[0.3, 0.1, 3], [0.7, 0.1, 7], [0.35, 0.05, 7], [
      0.6,
      0.2,
      3,
    ]] as const
  ) {
    const { forward } = approximateLoss({ epsilon });
    for (
      const { first, masses } of [
        pessimisticGrid(forward, { spacing }),
        optimisticGrid(forward, { spacing }),
      ]
    ) {
      const at = [...masses].flatMap((mass, i) => mass > 1e-9 ? [first + i] : []);
      assertEquals(at, [-index, index]);
    }
  }
});

// Mutants: an end of the range counted alone, or their sum.
Deno.test("pessimisticGrid() takes as many points as lie between the ends, wherever these are", () => {
  const between = (lowest: number, highest: number): LossLaw => ({
    atoms: [{ loss: lowest, p: 0.5, q: 0.5 * Math.exp(-lowest) }, {
      loss: highest,
      p: 0.5,
      q: 0.5 * Math.exp(-highest),
    }],
    infinite: 0,
    lowest,
    highest,
    deviation: 1,
    relativeError: 0,
  });
  assertEquals(pessimisticGrid(between(50, 50.01), { spacing: 1e-5 }).masses.length, 1001);
  assertEquals(pessimisticGrid(between(-50.01, -50), { spacing: 1e-5 }).masses.length, 1001);
  assertThrows(
    () => pessimisticGrid(between(-50, 1e-4), { spacing: 1e-5 }),
    RangeError,
    "spacing must",
  );
  assertThrows(
    () => pessimisticGrid(between(-25, 25), { spacing: 1e-5 }),
    RangeError,
    "spacing must",
  );
});
