/**
 * One-run audits: a lower bound on ε from one training run, by canaries that fair coins put in or left out.
 *
 * @module
 */
export { auditCanaries, type OneRunOptions, type OneRunReport } from "./audit_canaries.ts";
export type { Canary } from "./canary.ts";
export { type CountedGuesses, countGuesses, type GuessRule, guessRules } from "./guess_rules.ts";
