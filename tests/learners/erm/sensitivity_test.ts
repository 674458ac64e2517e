import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { calibrateOutput } from "../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../../lib/learners/erm/logistic_loss.ts";
import type { Loss } from "../../../lib/learners/erm/loss.ts";
import { minimise } from "../../../lib/learners/erm/minimise.ts";
import { norm } from "../../../lib/learners/erm/problem.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../../lib/learners/erm/regulariser.ts";
import { withIntercept } from "../../../lib/learners/erm/with_intercept.ts";
import { smoothedHinge } from "../../../lib/learners/erm/smoothed_hinge.ts";
import { floatNormal } from "../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { generatedNeighbours, type Neighbours, risk } from "./worst_log_ratio.ts";

interface Setting {
  readonly loss: Loss;
  readonly regulariser: Regulariser;
  readonly lambda: number;
  readonly maximumIterations?: number;
}

/** ‖f*(left) − f*(right)‖ as a share of 2q/(nΛ), less what the certificates leave open. */
function shareOfBound(
  { left, right }: Neighbours,
  { normBound, ...setting }: Setting & { normBound: number },
): number {
  const { lambda, maximumIterations = 200 } = setting;
  const [one, other] = [left, right].map((data) =>
    minimise({ ...risk(data, setting), quadratic: 0 }, { tolerance: 1e-13, maximumIterations })
  );
  const open = (one!.gradientNorm + other!.gradientNorm) / lambda;
  const distance = norm(one!.weights.map((f, j) => f - other!.weights[j]!));
  return (distance - open) / (2 * normBound / (left.length * lambda));
}

const losses = [logisticLoss, huberHinge(0.5), smoothedHinge(0.5)];

Deno.test("the minimiser moves by at most 2q/(nΛ) when a row is replaced", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...losses),
      fc.constantFrom(squaredNorm, smoothElasticNet(1)),
      fc.constantFrom(1e-3, 0.1, 10),
      fc.constantFrom(0.5, 1, 3),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      (seed, loss, regulariser, lambda, normBound, n, d) => {
        const pair = generatedNeighbours(seed, { n, d, normBound });
        assert(shareOfBound(pair, { loss, regulariser, lambda, normBound }) <= 1 + 1e-9);
      },
    ),
    { seed: 56, numRuns: 300 },
  );
});

/** Climbs from a generated pair by moving the coordinates of all the rows, which stay in the ball. */
function climb(seed: number, setting: Setting): number {
  const normBound = 1;
  let pair = generatedNeighbours(seed, { n: 2, d: 2, normBound });
  let best = shareOfBound(pair, { ...setting, normBound });
  const source = new SeededSource(seed).split("climb");
  for (let step = 0.5, tries = 0; tries < 60; tries++, step *= 0.95) {
    const moves = floatNormal(source, new Float64Array(6), { scale: step });
    const moved = (row: readonly number[], at: number): number[] => {
      const next = row.map((value, j) => value + moves[at + j]!);
      const length = Math.hypot(...next);
      return length > normBound ? next.map((value) => value * normBound / length) : next;
    };
    const [first, other] = pair.left, [second] = pair.right;
    const shared = [moved(other![0], 4), other![1]] as const;
    const trial = {
      left: [[moved(first![0], 0), first![1]] as const, shared],
      right: [[moved(second![0], 2), second![1]] as const, shared],
    };
    const here = shareOfBound(trial, { ...setting, normBound });
    if (here > best) [best, pair] = [here, trial];
  }
  return best;
}

Deno.test("an adversarial search comes close to 2/(nΛ) and never above it", () => {
  let worst = 0;
  for (let seed = 1; seed <= 12; seed++) {
    worst = Math.max(
      worst,
      climb(seed, { loss: huberHinge(0.5), regulariser: squaredNorm, lambda: 5 }),
    );
  }
  assert(worst <= 1 + 1e-9, `${worst}`);
  assert(worst > 0.95, `the search reaches only ${worst}`);
});

Deno.test("the bound 2/(nΛ) is attained by opposite rows on the flat part of the hinge", () => {
  const pair = { left: [[[1], 1]], right: [[[1], -1]] } as const;
  const share = shareOfBound(pair, {
    loss: huberHinge(0.5),
    regulariser: squaredNorm,
    lambda: 5,
    normBound: 1,
  });
  assertAlmostEquals(share, 1, 1e-12);
});

Deno.test("an intercept beyond the norm bound moves the minimiser by more than 2/(nΛ)", () => {
  // The error of CMS11's Algorithm 3 and of every unscaled intercept: rows (x, 1) have norm √2.
  const setting = { loss: huberHinge(0.5), regulariser: squaredNorm, lambda: 5 };
  const [one, other] = [1, -1].map((label) => {
    const data = risk([[[1], label]], setting);
    const rows = withIntercept(data.rows, { value: 1 });
    return minimise({ ...data, rows, quadratic: 0 }, { tolerance: 1e-13 }).weights;
  });
  const distance = norm(one!.map((f, j) => f - other![j]!));
  assertAlmostEquals(distance / (2 / 5), Math.SQRT2, 1e-12);
});

Deno.test("output noise for exact minimisers is too small for those of a solver stopped early", () => {
  // Known error B18: with ‖∇J‖ ≤ τ the sensitivity is 2/(nΛ) + 2τ/Λ. A solver stopped after k steps.
  const lambda = 1, epsilon = 1, normBound = 1;
  const settings = { epsilon, rowCount: 6, lambda, loss: huberHinge(0.5), normBound };
  let unpaid = 0, paid = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const pair = generatedNeighbours(seed, { n: 6, d: 3, normBound });
    for (let maximumIterations = 1; maximumIterations <= 3; maximumIterations++) {
      const [one, other] = [pair.left, pair.right].map((data) =>
        minimise(
          {
            ...risk(data, { loss: huberHinge(0.5), regulariser: squaredNorm, lambda }),
            quadratic: 0,
          },
          { tolerance: 1e-13, maximumIterations, start: Float64Array.of(3, -2, 1) },
        )
      );
      const distance = norm(one!.weights.map((f, j) => f - other!.weights[j]!));
      const tolerance = Math.max(one!.gradientNorm, other!.gradientNorm);
      const lossAt = (tolerance: number): number => {
        const { noise } = calibrateOutput({ ...settings, tolerance });
        return noise.kind === "exponential-norm" ? noise.rate * distance / epsilon : NaN;
      };
      unpaid = Math.max(unpaid, lossAt(0));
      paid = Math.max(paid, lossAt(tolerance));
    }
  }
  assert(paid <= 1 + 1e-9, `paying for the residual leaves ${paid} of epsilon`);
  assert(unpaid > 1.05, `a solver stopped early is not caught: ${unpaid} of epsilon`);
});
