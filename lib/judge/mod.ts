/**
 * Judgements of programs: audits, exact checks, recordings, reports, and assertions for tests.
 *
 * @module
 */

export * from "./audit/mod.ts";
export * from "./audit/one_run/mod.ts";
export * from "./dialogue/mod.ts";
export * from "./report/mod.ts";
export * from "./testing/mod.ts";
