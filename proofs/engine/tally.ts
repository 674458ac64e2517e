import type { ProofReport, ProofResult } from "./prove.ts";

/** How many theorems came out how. */
export interface Tally {
  /** Theorems that hold. */
  readonly holds: number;
  /** Claims that are refuted. */
  readonly refuted: number;
  /** Those of which a check threw an error. */
  readonly failed: number;
  /** Those that came out otherwise than expected, or have a mutant that survives. */
  readonly unexpected: number;
  /** Mutants of all of them. */
  readonly mutants: number;
}

/** Counts the results of a run. */
export function tally({ results }: ProofReport): Tally {
  const count = (outcome: ProofResult["result"]): number =>
    results.filter(({ result }) => result === outcome).length;
  return {
    holds: count("holds"),
    refuted: count("refuted"),
    failed: count("failed"),
    unexpected: results.filter(({ ok }) => !ok).length,
    mutants: results.reduce((sum, { mutants }) => sum + mutants.length, 0),
  };
}
