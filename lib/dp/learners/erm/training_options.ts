import { type Claim, describeClaim, pureOrApproximate } from "../../../core/claims/claim.ts";
import { replaceOne } from "../../../core/relations/relation.ts";
import { requireDelta, requireOneOf, requirePositive } from "../../../core/numeric/require.ts";
import { share } from "../../accounting/budget/share.ts";
import {
  calibrateObjective,
  calibrateOutput,
  type Calibration,
  defaultTolerance,
} from "./noise/calibration.ts";
import { logisticLoss } from "./losses/logistic_loss.ts";
import type { Loss } from "./losses/loss.ts";
import type { Label } from "./label.ts";
import { type Preparation, preparedNormBound } from "./rows/prepare_rows.ts";
import { type Regulariser, squaredNorm } from "./losses/regulariser.ts";

/** The options of training, by name. */
export const TRAINING_OPTIONS: readonly string[] = [
  ...["epsilon", "delta", "lambda", "loss", "regulariser", "perturbation", "slack", "noiseShare"],
  ...["tolerance", "classes", "normBound", "intercept", "features"],
];

/**
 * Options of private training. All of them are declared: fixed before the data are looked at, or
 * paid for elsewhere. ε, Λ and the norm bound have no default.
 */
export interface TrainingOptions extends Preparation {
  /** ε > 0 in nats, for one row replaced; the whole model's, however many classes there are. */
  readonly epsilon: number;
  /** δ in [0, 1): above 0, objective perturbation with Gaussian noise. Default 0. */
  readonly delta?: number;
  /** Λ > 0, the weight of the regulariser. */
  readonly lambda: number;
  /** Default: logistic. */
  readonly loss?: Loss;
  /** Default: ½‖f‖². */
  readonly regulariser?: Regulariser;
  /** Default: objective. */
  readonly perturbation?: "output" | "objective";
  /** Default: tight; see `ObjectiveShares`. */
  readonly slack?: "tight" | "cms11";
  /** Default: 1/2; see `ObjectiveShares`. */
  readonly noiseShare?: number;
  /** Bound on ‖∇J‖ at the minimiser, paid for in noise. Default: a millionth of normBound/n. */
  readonly tolerance?: number;
  /** The labels that may occur: [negative, positive], or more. Default: [−1, 1]. */
  readonly classes?: readonly Label[];
}

/** The loss and the regulariser asked for. */
export function objectiveOf(
  { loss = logisticLoss, regulariser = squaredNorm }: TrainingOptions,
): { loss: Loss; regulariser: Regulariser } {
  return { loss, regulariser };
}

/**
 * The calibration of one binary classifier out of as many as there are: each gets an equal part of ε
 * and δ (sequential composition).
 *
 * @throws {RangeError} on options out of range.
 */
export function calibrationOf(
  options: TrainingOptions,
  { rowCount, classifiers = 1 }: { rowCount: number; classifiers?: number },
): Calibration {
  const { perturbation = "objective", delta = 0, lambda, slack, noiseShare } = options;
  const normBound = preparedNormBound(options);
  requirePositive("train", "epsilon", options.epsilon);
  requireDelta("train", "delta", delta);
  requireOneOf("train", "perturbation", perturbation, ["output", "objective"]);
  if (slack !== undefined) requireOneOf("train", "slack", slack, ["tight", "cms11"]);
  const { loss } = objectiveOf(options);
  const { tolerance = defaultTolerance({ rowCount, normBound, loss }) } = options;
  const input = {
    epsilon: share(options.epsilon, classifiers),
    rowCount,
    lambda,
    loss,
    normBound,
    tolerance,
  };
  if (perturbation === "output") {
    if (delta === 0) return calibrateOutput(input);
    throw new RangeError(
      `Cannot train: delta must be 0 with output perturbation: current value is ${delta}`,
    );
  }
  return calibrateObjective({
    ...input,
    delta: delta === 0 ? 0 : share(delta, classifiers),
    ...(slack === undefined ? {} : { slack }),
    ...(noiseShare === undefined ? {} : { noiseShare }),
  });
}

/** Returns the claim of training with these options, under one row replaced. */
export function claimOf({ epsilon, delta }: TrainingOptions): Claim {
  return pureOrApproximate({ epsilon, delta, relation: replaceOne });
}

/** The claim in a sentence, with what it rests on. */
export function statementOf(options: TrainingOptions, { rowCount }: { rowCount: number }): string {
  const { perturbation = "objective", intercept, features } = options;
  const bound = options.normBound ?? 1;
  return `${describeClaim(claimOf(options))} for one of ${rowCount} rows replaced, ` +
    `by ${perturbation} perturbation. ` +
    (features === undefined ? "Rows" : "Rows of random features") +
    ` longer than ${bound} were scaled down to it` +
    (intercept === undefined ? "" : `; an intercept of ${intercept} was counted on top`) +
    ". The number of rows is public. Time taken and floating-point rounding are not covered.";
}
