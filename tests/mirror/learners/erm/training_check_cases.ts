import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";
import type { TrainingOptions } from "../../../../lib/learners/erm/training_options.ts";

export { solvable } from "./trainable_cases.ts";
export const training = { lambda: 1, loss: logisticLoss, normBound: 1 };

export const base: TrainingOptions = { epsilon: 1, lambda: 0.1, normBound: 1 };
export const rows = denseRows([[1, 0], [0, 1]]);
