/**
 * Mechanisms: each a sampler with the claim it makes. `release` spends a budget and draws.
 *
 * @module
 */

// Mechanisms: noise on numbers.
export { release, type ReleaseOptions } from "./release.ts";
export { laplace, type LaplaceOptions, vectorLaplace } from "./laplace.ts";
export {
  geometric,
  type GeometricOptions,
  integerLaplace,
  truncatedGeometric,
} from "./geometric.ts";
export {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  type GaussianOptions,
  integerGaussian,
  vectorGaussian,
  type VectorGaussianOptions,
} from "./gaussian.ts";
export { snapping, type SnappingOptions } from "./snapping.ts";
export { staircase } from "./staircase.ts";
export type { GridMechanism, GridNoise } from "./grid_mechanism.ts";
export { floatLaplaceMechanism } from "./float_laplace_mechanism.ts";
export { floatGaussianMechanism } from "./float_gaussian_mechanism.ts";
export { floatSphericalLaplace } from "./float_spherical_laplace.ts";

// Mechanisms: counts, sums and tables.
export { clippedSum, type ClippedSumOptions } from "./clipped_sum.ts";
export { count } from "./count.ts";
export { boundedMean, type BoundedOptions, boundedSum } from "./bounded_sum.ts";
export { noisyHistogram } from "./noisy_histogram.ts";
export { type Attributes, contingencyTable, marginal, type TableRow } from "./contingency_table.ts";
export { quantile } from "./quantile.ts";
export {
  gaussianTreeCounts,
  type TreeCounts,
  treeCounts,
  type TreeCountsOptions,
} from "./tree_counts.ts";

// Mechanisms: choices and thresholds.
export { exponentialMechanism, type SelectionOptions } from "./exponential_mechanism.ts";
export { baseTwoExponential } from "./base_two_exponential.ts";
export { permuteAndFlip } from "./permute_and_flip.ts";
export { type NoisyMaxOptions, reportNoisyMax } from "./report_noisy_max.ts";
export { aboveThreshold, numericSparseVector, type SparseVectorOptions } from "./sparse_vector.ts";

// Mechanisms: answers that are randomised before they are collected.
export {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "./randomised_response.ts";
export { estimateUnaryCounts, unaryEncoding } from "./unary_encoding.ts";
export { bloomFilter, rappor, type RapporOptions } from "./rappor.ts";
export {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  type Perturbation,
  perturbedDatabase,
  wrappedNoise,
} from "./input_perturbation.ts";
export {
  mechanismNamed,
  mechanismNames,
  type RegisteredMechanism,
  type RegistryOptions,
} from "./registry.ts";
