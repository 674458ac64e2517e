import type { Calibration } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import type { TrainingOptions } from "../../../../lib/dp/learners/erm/training_options.ts";

/** A calibration that a solver can keep. */
export const solvable: Calibration = {
  perturbation: "objective",
  noise: { kind: "exponential-norm", rate: 1 },
  quadratic: 0,
  tolerance: 1,
  residualRate: 1,
  grid: 1,
  spent: { noise: 1, jacobian: 0, residual: 0 },
};

export const base: TrainingOptions = { epsilon: 1, lambda: 0.1, normBound: 1 };
