/**
 * The nouns: datasets, neighbours, claims, mechanisms, sources of randomness.
 *
 * @module
 */

// The nouns: datasets, neighbours, claims, mechanisms.
export type { Dataset, Domain, RowSpec } from "./relations/dataset.ts";
export {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  changeTogether,
  type NeighbourMaker,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "./relations/relation.ts";
export { relationOf } from "./relations/relation_named.ts";
export {
  type ApproximateClaim,
  type Claim,
  claimToJSON,
  deltaAt,
  describeClaim,
  type GaussianClaim,
  type PureClaim,
  type RenyiClaim,
  type ZcdpClaim,
} from "./claims/claim.ts";
export {
  approximate,
  gaussian,
  type InAmounts,
  pure,
  renyi,
  zcdp,
} from "./claims/claim_of_amounts.ts";
export { claimFromJSON } from "./claims/claim_json.ts";
export { type Deployment, deployment, DEPLOYMENTS } from "./claims/deployment.ts";
export type { Amount } from "./numeric/amount.ts";
export type { ClaimBrand } from "./claims/claim_brand.ts";
export type { Mechanism } from "./mechanism/mechanism.ts";
export type { Spendable, SpendOptions } from "./mechanism/budget.ts";

// Sources of randomness, and what is drawn from them.
export type { ContinuousNoise, Source } from "./mechanism/source.ts";
export type { DiscreteLaw, WeightedIndex } from "./mechanism/discrete_law.ts";
export type { DiscreteSource, ExactNumber } from "./mechanism/discrete_source.ts";
export type {
  ContinuousDraws,
  NoiseWidth,
  ProgramSource,
  Real,
  TracedReal,
} from "./mechanism/continuous_draws.ts";
