/** The effort of a whole audit: "quick" wants a refutation soon, "thorough" the best bound that the budget allows. */
export type AuditEffort = "quick" | "thorough";

/**
 * How a predictor spends its time. "quick" learns often, for a refutation after few draws; "thorough" learns more
 * rarely, for the largest bound within the budget; "sparing" takes the least time a draw, for each of many pairs in the
 * search of a thorough audit.
 */
export type Effort = AuditEffort | "sparing";
