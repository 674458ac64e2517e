/**
 * How a predictor spends its time. `quick` learns often, for a refutation after few draws; `thorough` learns more
 * rarely, for the largest bound within the budget; `sparing` takes the least time a draw, for each of many pairs in the
 * search of a thorough audit.
 */
export type Effort = "quick" | "thorough" | "sparing";

/** The efforts of a whole audit. */
export type AuditEffort = Exclude<Effort, "sparing">;
