/**
 * Accounting: budgets, composition, zCDP, Rényi curves, privacy loss distributions, breaches.
 *
 * @module
 */

// Accounting: budgets.
export { type Budget, openBudget } from "./budget.ts";
export { type LedgerOptions, openLedger } from "./ledger.ts";
export { type AnnouncedRelease, openAnnouncedBudget } from "./announced_budget.ts";
export { type FilterOptions, type PrivacyFilter, privacyFilter } from "./privacy_filter.ts";
export { type OdometerOptions, type PrivacyOdometer, privacyOdometer } from "./privacy_odometer.ts";
export { share } from "./share.ts";

// Accounting: composition, groups, sampling.
export type { PrivacyParameters, PrivacyTotal } from "./privacy_parameters.ts";
export { basicComposition } from "./basic_composition.ts";
export {
  advancedComposition,
  advancedEpsilonOfEach,
  type AdvancedForm,
  type AdvancedOptions,
} from "./advanced_composition.ts";
export { kairouzComposition } from "./kairouz_composition.ts";
export { type CompositionGroup, optimalDelta, optimalEpsilon } from "./optimal_composition.ts";
export { type GroupOptions, groupPrivacy } from "./group_privacy.ts";
export { mapMechanism, type MapOptions } from "./map_mechanism.ts";
export {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "./subsampling.ts";

// Accounting: zCDP, Rényi curves, privacy loss distributions.
export {
  largestRho,
  zcdpComposition,
  type ZcdpConversion,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "./zcdp.ts";
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
} from "./renyi.ts";
export { meanRuns, tunedRenyi, type TuningRuns } from "./tuned_renyi.ts";
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
} from "./privacy_loss.ts";
export { type AllocatedParts, allocatedParts, type AllocationOptions } from "./allocated_parts.ts";
export { bandedColumns, squareRootCoefficients, treeColumns } from "./matrix_columns.ts";
export {
  matrixClaim,
  type MatrixClaimOptions,
  matrixSensitivity,
  type Participation,
} from "./matrix_sensitivity.ts";
export { poissonSubsampledLoss } from "./subsampled_loss.ts";
export { subsetSampledLoss } from "./subset_sampled_loss.ts";
export { calibrate, type CalibrateOptions, type Calibration } from "./calibrate.ts";
export {
  allocatedClaim,
  type AllocatedClaimOptions,
  sampledClaim,
  type SampledClaimOptions,
} from "./sampled_claim.ts";
export {
  type Bounds,
  deltaBounds,
  epsilonBounds,
  type LossPart,
} from "./privacy_loss_distribution.ts";

// Accounting: other measures of privacy.
