/** The effort of a whole audit: "quick" wants a refutation soon, "thorough" the best bound that the budget allows. */
export type AuditEffort = "quick" | "thorough";

/** The effort of learning: "sparing" is what a thorough audit spends on each of many pairs while it searches. */
export type Effort = AuditEffort | "sparing";
