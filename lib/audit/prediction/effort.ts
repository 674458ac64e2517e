/**
 * How much time learning may take. "quick" wants a refutation soon; "thorough" wants the best bound that the budget
 * allows; "sparing" is what a thorough audit spends on each of many pairs while it searches.
 */
export type Effort = "quick" | "thorough" | "sparing";

/** The efforts of a whole audit. */
export type AuditEffort = Exclude<Effort, "sparing">;
