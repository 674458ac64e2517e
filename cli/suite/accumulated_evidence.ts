/**
 * Evidence against one claim over runs. Run k is the first whose evidence counts with weight 1/(k(k+1)): the mixture over k of the
 * products of the e-values from run k on is an e-process (a convex combination of e-processes; Vovk, Wang 2021).
 */
export interface PastRuns {
  /** Runs so far. */
  readonly runs: number;
  /** The part of the mixture that has begun: Σ over k up to `runs` of weight k times the e-values of runs k to `runs`. */
  readonly begun: number;
}

/** A run that starts: its number, and the weight that its e-value gets. */
export interface NextRun {
  /** From 1. */
  readonly run: number;
  /** The begun part of the mixture before the run's e-value. */
  readonly stake: number;
}

/** No run yet. */
export const NO_RUNS: PastRuns = { runs: 0, begun: 0 };

/** The run after these. */
export function nextRun({ runs, begun }: PastRuns): NextRun {
  const run = runs + 1;
  return { run, stake: Math.min(begun + 1 / (run * (run + 1)), Number.MAX_VALUE) };
}

/** The runs with one more, whose e-value conditional on those before is `eValue`; 0 is sound for a run without a report. */
export function afterRun({ run, stake }: NextRun, eValue: number): PastRuns {
  return { runs: run, begun: Math.min(stake * eValue, Number.MAX_VALUE) };
}

/** The e-value of all runs together. */
export function evidenceOf({ runs, begun }: PastRuns): number {
  return Math.min(begun + 1 / (runs + 1), Number.MAX_VALUE);
}

/** The level of a run's audit: an e-value of 1/level carries the evidence of all runs to 1/`share`. */
export function levelOfRun(
  { run, stake }: NextRun,
  { share, alpha }: { readonly share: number; readonly alpha: number },
): number {
  return Math.min(alpha, stake / (1 / share - 1 / (run + 1))) * (1 - 1e-9);
}
