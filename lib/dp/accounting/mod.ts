/**
 * Accounting: budgets, composition, zCDP, Rényi curves, privacy loss distributions, breaches.
 *
 * @module
 */

// Accounting: budgets.
export { type Budget, openBudget, type SpendAllOptions } from "./budget/budget.ts";
export { type LedgerOptions, openLedger } from "./budget/ledger.ts";
export { type AnnouncedRelease, openAnnouncedBudget } from "./budget/announced_budget.ts";
export { type FilterOptions, type PrivacyFilter, privacyFilter } from "./budget/privacy_filter.ts";
export {
  type OdometerOptions,
  type PrivacyOdometer,
  privacyOdometer,
} from "./budget/privacy_odometer.ts";
export { share } from "./budget/share.ts";

// Accounting: composition, groups, sampling.
export type { PrivacyParameters, PrivacyTotal } from "./composition/privacy_parameters.ts";
export { basicComposition } from "./composition/basic_composition.ts";
export {
  advancedComposition,
  advancedEpsilonOfEach,
  type AdvancedForm,
  type AdvancedOptions,
} from "./composition/advanced_composition.ts";
export { kairouzComposition } from "./composition/kairouz_composition.ts";
export {
  type CompositionGroup,
  optimalDelta,
  optimalEpsilon,
} from "./composition/optimal_composition.ts";
export { type GroupOptions, groupPrivacy } from "./composition/group_privacy.ts";
export { mapMechanism, type MapOptions } from "./map_mechanism.ts";
export {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "./sampling/subsampling.ts";

// Accounting: zCDP, Rényi curves, privacy loss distributions.
export {
  largestRho,
  zcdpComposition,
  type ZcdpConversion,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "./composition/zcdp.ts";
export {
  gaussianRenyi,
  laplaceRenyi,
  type OrderOptions,
  pureRenyi,
  renyiComposition,
  type RenyiCurve,
  renyiDelta,
  renyiEpsilon,
  renyiOfClaim,
  zcdpRenyi,
} from "./composition/renyi.ts";
export { meanRuns, tunedRenyi, type TuningRuns } from "./composition/tuned_renyi.ts";
export {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  type IntervalDifference,
  laplaceLoss,
  type LossLaw,
  lossOfClaim,
  type PairMass,
  type PrivacyLoss,
} from "./loss_distribution/privacy_loss.ts";
export {
  type AllocatedParts,
  allocatedParts,
  type AllocationOptions,
} from "./sampling/allocated_parts.ts";
export {
  bandedColumns,
  squareRootCoefficients,
  treeColumns,
} from "./correlated_noise/matrix_columns.ts";
export {
  matrixClaim,
  type MatrixClaimOptions,
  matrixSensitivity,
  type Participation,
} from "./correlated_noise/matrix_sensitivity.ts";
export { poissonSubsampledLoss } from "./sampling/subsampled_loss.ts";
export { subsetSampledLoss } from "./sampling/subset_sampled_loss.ts";
export { calibrate, type CalibrateOptions, type Calibration } from "./calibrate.ts";
export {
  allocatedClaim,
  type AllocatedClaimOptions,
  sampledClaim,
  type SampledClaimOptions,
} from "./sampling/sampled_claim.ts";
export {
  type Bounds,
  deltaBounds,
  epsilonBounds,
  type LossPart,
} from "./loss_distribution/privacy_loss_distribution.ts";

// Accounting: other measures of privacy.
