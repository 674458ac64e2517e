import { aggregateSweeps } from "./families/aggregate_sweeps.ts";
import { bayesSweeps } from "./families/bayes_sweeps.ts";
import { countingSweeps } from "./families/counting_sweeps.ts";
import { floatSweeps } from "./families/float_sweeps.ts";
import { gaussianSweeps } from "./families/gaussian_sweeps.ts";
import { holdoutSweeps } from "./families/holdout_sweeps.ts";
import { kMeansSweeps } from "./families/k_means_sweeps.ts";
import { laplaceSweeps } from "./families/laplace_sweeps.ts";
import { localSweeps } from "./families/local_sweeps.ts";
import { mwemSweeps } from "./families/mwem_sweeps.ts";
import { selectionSweeps } from "./families/selection_sweeps.ts";
import { sparseVectorSweeps } from "./families/sparse_vector_sweeps.ts";
import { sulqLearnerSweeps } from "./families/sulq_learner_sweeps.ts";
import { sulqSweeps } from "./families/sulq_sweeps.ts";
import type { Sweep } from "./sweep.ts";

/** The sweeps of lib/mechanisms. */
export const mechanismSweeps: readonly Sweep[] = [
  ...laplaceSweeps,
  ...gaussianSweeps,
  ...countingSweeps,
  ...selectionSweeps,
  ...sparseVectorSweeps,
  ...localSweeps,
  ...floatSweeps,
];

/** The sweeps of lib/learners. */
export const learnerSweeps: readonly Sweep[] = [
  ...aggregateSweeps,
  ...bayesSweeps,
  ...sulqSweeps,
  ...sulqLearnerSweeps,
  ...kMeansSweeps,
  ...mwemSweeps,
  ...holdoutSweeps,
];

const PART = "a part of mechanisms that are swept: it makes no claim of its own";
const AFTER = "computes from what was released";
const BEFORE = "computes from options alone";
const RULE = "a refusal or a rounding that the swept mechanisms call";

/** The exported functions of lib/mechanisms that have no sweep of their own, and why. */
export const NOT_SWEPT: Readonly<Record<string, string>> = {
  selection: PART,
  selectionRate: PART,
  shortfalls: PART,
  permuteAndFlipLaw: PART,
  floatNoise: PART,
  gridInteger: PART,
  gridNumber: PART,
  gridVector: PART,
  paddedBlocks: PART,
  rowByRow: PART,
  bitReport: "claims what it is told: swept as unaryEncoding() and rappor()",
  rankDistance: PART,
  histogramSensitivity: RULE,
  requireGranularity: RULE,
  toGrid: RULE,
  gridSensitivity: RULE,
  exactSum: RULE,
  plusInteger: RULE,
  minusSum: RULE,
  only: "a query of audits",
  analyticGaussianDeviation: BEFORE,
  discreteGaussianDelta: BEFORE,
  staircaseTread: BEFORE,
  bloomFilter: "encodes a value before it is randomised",
  marginal: AFTER,
  estimateProportion: AFTER,
  estimateUnaryCounts: AFTER,
  mechanismNamed: "makes mechanisms by constructors that are all swept",
  release: "called by every sweep",
  spendThen: PART,
};
