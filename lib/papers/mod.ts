/**
 * What the five documents behind dpcheck describe and few use daily: SuLQ, multiplicative weights, private Bayes, the reusable
 * holdout, subsample and aggregate, private PAC learning, null spaces of predictors, measures of input perturbation, attacks.
 *
 * @module
 */

export * from "./own_learners.ts";
export * from "./breaches/mod.ts";
export * from "./attacks/mod.ts";
export * from "./null_space/mod.ts";
