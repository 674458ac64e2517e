import fc, { type Arbitrary } from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../lib/dp/learners/erm/losses/loss.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { drawRandomFeatures } from "../../../lib/dp/learners/erm/rows/random_features.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import type { TrainingOptions } from "../../../lib/dp/learners/erm/training_options.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, chance, pick, scaled } from "../draws.ts";
import { neighbours } from "../neighbours.ts";

/** What training is told, in plain values. */
export interface Problem {
  readonly epsilon: number;
  readonly lambda: number;
  readonly columns: number;
  readonly rows: number;
  readonly loss: "logistic" | "huber-hinge" | "smoothed-hinge";
  /** h of the hinges. */
  readonly width: number;
  /** 0: the squared norm; else the softening of the elastic net. */
  readonly softening: number;
  readonly normBound: number;
  /** 0: none. */
  readonly intercept: number;
  /** Random features in place of the columns; 0: none. */
  readonly features: number;
}

/** Problems of up to so many columns and rows. */
export function problems(
  { epsilon, columns, rows }: {
    readonly epsilon: Arbitrary<number>;
    readonly columns: Arbitrary<number>;
    readonly rows: number;
  },
): Arbitrary<Problem> {
  return fc.record<Problem>({
    epsilon,
    lambda: scaled({ min: 1e-3, max: 100, often: [1] }),
    columns,
    rows: fc.integer({ min: 1, max: rows }),
    loss: fc.constantFrom("logistic", "huber-hinge", "smoothed-hinge"),
    width: fc.constantFrom(0.5, 0.1, 2),
    softening: fc.constantFrom(0, 0, 1, 0.1),
    normBound: fc.constantFrom(1, 0.5, 3),
    intercept: fc.constantFrom(0, 0, 1, 0.3),
    features: fc.constantFrom(0, 0, 0, 3),
  });
}

/** The loss of a name. */
export function lossOf({ loss, width }: Pick<Problem, "loss" | "width">): Loss {
  return loss === "logistic"
    ? logisticLoss
    : loss === "huber-hinge"
    ? huberHinge(width)
    : smoothedHinge(width);
}

/** The regulariser of a softening. */
export function regulariserOf({ softening }: Pick<Problem, "softening">): Regulariser {
  return softening === 0 ? squaredNorm : smoothElasticNet(softening);
}

/** What the learners take. */
export function trainingOf(problem: Problem): TrainingOptions {
  const { epsilon, lambda, columns, normBound, intercept, features } = problem;
  return {
    epsilon,
    lambda,
    loss: lossOf(problem),
    regulariser: regulariserOf(problem),
    normBound,
    ...(intercept === 0 ? {} : { intercept }),
    ...(features === 0 ? {} : {
      features: drawRandomFeatures(new SeededSource("features of a sweep"), {
        kernel: { name: "gaussian", gamma: 0.3 },
        inputCount: columns,
        count: features,
      }),
    }),
  };
}

/**
 * Rows on the sphere, inside it, far outside, at 0 and along the axes; the one that differs is turned round,
 * has the other label, or is anything.
 */
export function labelledNeighbours(
  { columns, rows, normBound }: Problem,
  source: SeededSource,
): Sides<Dataset<LabelledRow>> {
  const onSphere = (from: SeededSource, length: number): number[] => {
    const values = Array.from(floatNormal(from, new Float64Array(columns)));
    const norm = Math.hypot(...values);
    return values.map((value) => length * value / norm);
  };
  const axis = onSphere(source, normBound);
  const features = (from: SeededSource): number[] => {
    switch (below(from, 7)) {
      case 0:
        return axis;
      case 1:
        return axis.map((value) => -value);
      case 2:
        return axis.map(() => 0);
      case 3:
        return axis.map((_, j) => j === 0 ? normBound : 0);
      case 4:
        return onSphere(from, 1e6 * normBound);
      case 5:
        return onSphere(from, normBound * from.uniform());
      default:
        return onSphere(from, normBound);
    }
  };
  return neighbours<LabelledRow>(source, {
    relation: replaceOne.name,
    rows: {
      row: (from) => ({ features: features(from), label: pick(from, [1, -1]) }),
      opposite: (_, row) =>
        chance(source, 0.7) ? { ...row, label: -row.label } : {
          features: row.features.map((value) => -value),
          label: row.label,
        },
      size: { min: rows, max: rows },
    },
  });
}
