import {
  calibrateObjective,
  calibrateOutput,
  defaultTolerance,
} from "../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import type { Loss } from "../../lib/learners/erm/loss.ts";
import { minimise } from "../../lib/learners/erm/minimise.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { computeMargins } from "../../lib/learners/erm/row_kernels.ts";
import { type Rows, selectRows } from "../../lib/learners/erm/rows.ts";
import { sampleMinimiser } from "../../lib/learners/erm/sample_minimiser.ts";
import { vectorNoise } from "../../lib/learners/erm/vector_noise.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { shuffle } from "../../lib/random/shuffle.ts";
import type { LossName, Method } from "./printed.ts";

/** The losses of the paper's experiments. */
export const LOSSES: Readonly<Record<LossName, Loss>> = {
  logistic: logisticLoss,
  huber: huberHinge(0.5),
};

/** Rows of norm at most 1 and labels −1 or 1. */
export interface Labelled {
  readonly rows: Rows;
  readonly signs: Float64Array;
}

/** A mean of test errors and its standard error over folds and noise. */
export interface Estimate {
  readonly error: number;
  readonly standardError: number;
  readonly fits: number;
}

/** Divides labelled rows into `count` pairs of training and test rows, in an order that the seed fixes. */
export function foldsOf(
  { rows, signs }: Labelled,
  { count, seed }: { count: number; seed: number },
): { train: Labelled; test: Labelled }[] {
  const order = shuffle(
    new SeededSource(seed).split("folds"),
    Int32Array.from({ length: rows.rowCount }, (_, i) => i),
  );
  const pick = (indices: Int32Array): Labelled => ({
    rows: selectRows(rows, indices),
    signs: Float64Array.from(indices, (i) => signs[i]!),
  });
  return Array.from({ length: count }, (_, k) => ({
    train: pick(order.filter((_, i) => i % count !== k)),
    test: pick(order.filter((_, i) => i % count === k)),
  }));
}

/** The share of wrong signs. */
export function testError(weights: Float64Array, { rows, signs }: Labelled): number {
  const margins = new Float64Array(rows.rowCount);
  computeMargins(rows, { weights, signs, into: margins });
  let wrong = 0;
  for (let i = 0; i < margins.length; i++) if (!(margins[i]! > 0)) wrong++;
  return wrong / margins.length;
}

/**
 * Errors over all folds, `repeats` draws of noise in each (one where there is none). `slack` is that of
 * objective perturbation: as printed for the tables, tight elsewhere.
 */
export function crossValidate(
  folds: readonly { train: Labelled; test: Labelled }[],
  { loss, method, lambda, epsilon, repeats, seed, slack }: {
    loss: LossName;
    method: Method;
    lambda: number;
    epsilon: number;
    repeats: number;
    seed: number;
    slack: "tight" | "cms11";
  },
): Estimate {
  const errors: number[] = [];
  folds.forEach(({ train, test }, k) => {
    const source = new SeededSource(seed).split(`${loss} ${method} ${lambda} ${epsilon} ${k}`);
    const risk = { ...train, loss: LOSSES[loss], regulariser: squaredNorm, lambda };
    const rowCount = train.rows.rowCount;
    const input = {
      epsilon,
      rowCount,
      lambda,
      loss: LOSSES[loss],
      normBound: 1,
      tolerance: defaultTolerance({ rowCount, normBound: 1 }),
    };
    if (method === "objective") {
      const calibration = calibrateObjective({ ...input, slack });
      for (let draw = 0; draw < repeats; draw++) {
        errors.push(testError(sampleMinimiser(source, { ...risk, calibration }), test));
      }
      return;
    }
    // One minimiser serves all draws of output noise.
    const { weights } = minimise({ ...risk, quadratic: 0 }, { tolerance: input.tolerance });
    if (method === "non-private") {
      errors.push(testError(weights, test));
      return;
    }
    const { noise } = calibrateOutput(input);
    if (noise.kind !== "exponential-norm") throw new Error("Output noise must be of one kind");
    for (let draw = 0; draw < repeats; draw++) {
      const drawn = vectorNoise(source, new Float64Array(weights.length), { rate: noise.rate });
      errors.push(testError(drawn.map((b, j) => b + weights[j]!), test));
    }
  });
  return estimate(errors);
}

/** Mean and standard error of independent errors. */
export function estimate(errors: readonly number[]): Estimate {
  const fits = errors.length;
  const error = errors.reduce((sum, each) => sum + each, 0) / fits;
  const squares = errors.reduce((sum, each) => sum + (each - error) ** 2, 0);
  return { error, standardError: Math.sqrt(squares / Math.max(1, fits - 1) / fits), fits };
}
