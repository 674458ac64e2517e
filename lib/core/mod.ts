/**
 * The nouns: datasets, neighbours, claims, mechanisms, sources of randomness.
 *
 * @module
 */

// The nouns: datasets, neighbours, claims, mechanisms.
export type { Dataset, Domain, RowSpec } from "./dataset.ts";
export {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  changeTogether,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "./relation.ts";
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
} from "./claim.ts";
export { approximate, gaussian, type InAmounts, pure, renyi, zcdp } from "./claim_of_amounts.ts";
export { claimFromJSON } from "./claim_json.ts";
export type { Amount } from "../numeric/amount.ts";
export type { ClaimBrand } from "./claim_brand.ts";
export type { Mechanism } from "./mechanism.ts";
export type { Spendable } from "./budget.ts";

// Sources of randomness, and what is drawn from them.
export type { Source } from "./source.ts";
export type { DiscreteLaw, WeightedIndex } from "./discrete_law.ts";
export type { DiscreteSource, ExactNumber } from "./discrete_source.ts";
export type {
  ContinuousDraws,
  NoiseWidth,
  ProgramSource,
  Real,
  TracedReal,
} from "./continuous_draws.ts";
