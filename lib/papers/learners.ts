/**
 * The learners of `@dpcheck/dp/learners`, and those of `@dpcheck/dpcheck/papers` that stood beside them until 0.1. The next release
 * exports the first alone.
 *
 * @module
 */

export * from "../dp/learners/mod.ts";
export * from "./own_learners.ts";
