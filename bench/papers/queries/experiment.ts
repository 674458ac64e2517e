import { zcdpEpsilon } from "../../../lib/dp/accounting/composition/zcdp.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Person } from "./adult.ts";

/** Rows to learn from, rows to test on, and how often. */
export interface Experiment {
  readonly people: readonly Person[];
  readonly fresh: readonly Person[];
  readonly source: SeededSource;
  readonly runs: number;
}

/** So large that the noise is far below one row: the algorithm without privacy. */
export const PLAIN = 1e9;
/** ρ of every learner. */
export const RHOS = [0.0005, 0.005, 0.05, 0.5];
/** Largest probability that a bound fails. */
export const FAILURE = 0.05;

/** The ε at δ = 10⁻⁶ that follows from ρ. */
export function epsilonOf(rho: number): number {
  return zcdpEpsilon({ rho }, { delta: 1e-6 });
}
