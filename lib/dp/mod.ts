/**
 * Private releases: mechanisms, accounting and budgets, questions about tables, learners.
 *
 * ```ts
 * import { boundedMean, openBudget, pure, release, replaceOne } from "@dpcheck/dp";
 *
 * const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
 * const meanAge = boundedMean({ bounds: { lower: 0, upper: 120 }, epsilon: 0.5, relation: replaceOne });
 * release(meanAge, [31, 47, 52, 68], { budget });
 * ```
 *
 * @module
 */

export * from "../core/mod.ts";
export { SecureSource } from "../core/random/secure_source.ts";
export { SeededSource } from "../core/random/seeded_source.ts";
export * from "./accounting/mod.ts";
export * from "./learners/mod.ts";
export * from "./mechanisms/mod.ts";
// Tables have words that learners use of other things (Table, NumberColumn, CategoryColumn): those are in "@dpcheck/dp/tables".
export { csvRows, parquetRows, personRelation, table, type TableSchema } from "./tables/mod.ts";
