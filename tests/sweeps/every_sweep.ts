import { aggregateSweeps } from "./families/aggregate_sweeps.ts";
import { bayesSweeps } from "./families/bayes_sweeps.ts";
import { countingSweeps } from "./families/counting_sweeps.ts";
import { dpSgdSweeps } from "./families/dp_sgd_sweeps.ts";
import { ermModelSweeps } from "./families/erm_model_sweeps.ts";
import { ermSweeps } from "./families/erm_sweeps.ts";
import { floatSweeps } from "./families/float_sweeps.ts";
import { gaussianSweeps } from "./families/gaussian_sweeps.ts";
import { holdoutSweeps } from "./families/holdout_sweeps.ts";
import { kMeansSweeps } from "./families/k_means_sweeps.ts";
import { laplaceSweeps } from "./families/laplace_sweeps.ts";
import { localSweeps } from "./families/local_sweeps.ts";
import { mwemSweeps } from "./families/mwem_sweeps.ts";
import { perceptronSweeps } from "./families/perceptron_sweeps.ts";
import { selectionSweeps } from "./families/selection_sweeps.ts";
import { sparseVectorSweeps } from "./families/sparse_vector_sweeps.ts";
import { statisticsSweeps } from "./families/statistics_sweeps.ts";
import { sulqSweeps } from "./families/sulq_sweeps.ts";
import { treeCountsSweeps } from "./families/tree_counts_sweeps.ts";
import { treeSweeps } from "./families/tree_sweeps.ts";
import type { Sweep } from "./sweep.ts";

/** The sweeps of lib/mechanisms. */
export const mechanismSweeps: readonly Sweep[] = [
  ...laplaceSweeps,
  ...gaussianSweeps,
  ...countingSweeps,
  ...treeCountsSweeps,
  ...selectionSweeps,
  ...sparseVectorSweeps,
  ...localSweeps,
  ...floatSweeps,
];

/** The sweeps of lib/learners. */
export const learnerSweeps: readonly Sweep[] = [
  ...aggregateSweeps,
  ...bayesSweeps,
  ...statisticsSweeps,
  ...sulqSweeps,
  ...perceptronSweeps,
  ...dpSgdSweeps,
  ...treeSweeps,
  ...kMeansSweeps,
  ...mwemSweeps,
  ...holdoutSweeps,
  ...ermSweeps,
  ...ermModelSweeps,
];
