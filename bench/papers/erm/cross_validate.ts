import {
  calibrateObjective,
  calibrateOutput,
  type Calibration,
  defaultTolerance,
} from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../lib/dp/learners/erm/losses/loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { computeMargins } from "../../../lib/dp/learners/erm/solver/row_kernels.ts";
import { type Rows, selectRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleMinimiser } from "../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import { vectorNoise } from "../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { shuffle } from "../../../lib/core/random/shuffle.ts";
import type { LossName, Method } from "./printed.ts";
import type { Reading } from "./readings.ts";

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

/** Settings of a cross-validation. */
export interface Trial {
  readonly loss: LossName;
  readonly method: Method;
  readonly lambda: number;
  readonly epsilon: number;
  /** Of objective perturbation: as printed for the tables, tight elsewhere. */
  readonly slack: "tight" | "cms11";
  readonly reading: Reading;
}

/**
 * Errors over all folds, `repeats` draws of noise in each (one where there is none). Draws that the
 * reading shares are the same vectors, up to their scale, in all folds and for all trials of a seed.
 */
export function crossValidate(
  folds: readonly { train: Labelled; test: Labelled }[],
  { repeats, seed, ...trial }: Trial & { repeats: number; seed: number },
): Estimate {
  const { loss, method, lambda, epsilon, reading } = trial;
  const root = new SeededSource(seed);
  // A draw's minimiser in the fold before is close to it in this one where draws are shared: a good start.
  const starts: Float64Array[] = [];
  return estimateCrossed(folds.map(({ train, test }, k) => {
    const sourceOf = (draw: number): SeededSource =>
      reading.draws === "shared"
        ? root.split(`draw ${draw}`)
        : root.split(`${loss} ${method} ${lambda} ${epsilon} ${k} ${draw}`);
    const risk = { ...train, loss: LOSSES[loss], regulariser: squaredNorm, lambda };
    const draws = Array.from({ length: repeats }, (_, draw) => draw);
    const input = calibrationInput(train, trial);
    if (method === "objective") {
      const calibration = calibrateAsRead(train, trial);
      return draws.map((draw) => {
        const start = reading.draws === "shared" ? starts[draw] : undefined;
        const weights = sampleMinimiser(sourceOf(draw), {
          ...risk,
          calibration,
          ...(start === undefined ? {} : { start }),
        });
        starts[draw] = weights;
        return testError(weights, test);
      });
    }
    // One minimiser serves all draws of output noise.
    const { weights } = minimise({ ...risk, quadratic: 0 }, { tolerance: input.tolerance });
    if (method === "non-private") return [testError(weights, test)];
    const { noise } = calibrateOutput(input);
    if (noise.kind !== "exponential-norm") throw new Error("Output noise must be of one kind");
    return draws.map((draw) => {
      const drawn = vectorNoise(sourceOf(draw), new Float64Array(weights.length), noise);
      return testError(drawn.map((b, j) => b + weights[j]!), test);
    });
  }));
}

/** Objective perturbation's noise for a trial, ε′ turned into β as the reading has it. */
export function calibrateAsRead(train: Labelled, trial: Trial): Calibration {
  const calibration = calibrateObjective({
    ...calibrationInput(train, trial),
    slack: trial.slack,
  });
  const { noise } = calibration;
  if (noise.kind !== "exponential-norm") throw new Error("Objective noise must be of one kind");
  return {
    ...calibration,
    noise: { ...noise, rate: 2 * trial.reading.betaPerEpsilon * noise.rate },
  };
}

function calibrationInput(
  { rows: { rowCount } }: Labelled,
  { loss, lambda, epsilon, reading }: Trial,
): Parameters<typeof calibrateOutput>[0] {
  return {
    epsilon,
    rowCount,
    lambda,
    loss: loss === "huber"
      ? { ...LOSSES.huber, curvatureBound: reading.huberBound }
      : LOSSES.logistic,
    normBound: 1,
    tolerance: defaultTolerance({ rowCount, normBound: 1, loss: LOSSES[loss] }),
  };
}

/** Mean and standard error of independent errors. */
export function estimate(errors: readonly number[]): Estimate {
  const fits = errors.length;
  const error = mean(errors);
  const squares = squaresAround(error, errors);
  return { error, standardError: Math.sqrt(squares / Math.max(1, fits - 1) / fits), fits };
}

/**
 * Mean and standard error of errors[fold][draw] where both folds and draws are chosen by chance and
 * crossed: from the mean squares of fold means, of draw means and of what is left of both (which alone
 * is the least it can be).
 */
export function estimateCrossed(errors: readonly (readonly number[])[]): Estimate {
  const folds = errors.length, draws = errors[0]!.length;
  const foldMeans = errors.map(mean);
  if (folds === 1) return estimate(errors[0]!);
  if (draws === 1) return estimate(foldMeans);
  const drawMeans = errors[0]!.map((_, r) => mean(errors.map((fold) => fold[r]!)));
  const error = mean(foldMeans), fits = folds * draws;
  const all = squaresAround(error, errors.flat());
  const byFold = draws * squaresAround(error, foldMeans);
  const byDraw = folds * squaresAround(error, drawMeans);
  const left = (all - byFold - byDraw) / ((folds - 1) * (draws - 1));
  const variance = (byFold / (folds - 1) + byDraw / (draws - 1) - left) / fits;
  return { error, standardError: Math.sqrt(Math.max(left / fits, variance)), fits };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function squaresAround(centre: number, values: readonly number[]): number {
  return values.reduce((sum, each) => sum + (each - centre) ** 2, 0);
}
