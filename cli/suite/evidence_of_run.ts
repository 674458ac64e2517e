/** The part of a report that its e-value for a suite depends on. */
export interface ReportedEvidence {
  readonly eValue: number;
  readonly interrupted?: boolean | undefined;
}

/**
 * The e-value that an audit adds to the evidence of a suite. What it shows above 1 counts as far as a second audit, `confirm`, shows it
 * too, with one output a request; without `confirm` none is needed.
 *
 * It is at most 1 where the first audit showed no more, and elsewhere at most the e-value of the second one, whatever the first one
 * was: so it is an e-value without the promise that the program computes each output before it reads on.
 */
export async function eValueOfRun(
  first: ReportedEvidence | undefined,
  { confirm }: { readonly confirm?: (() => Promise<ReportedEvidence | undefined>) | undefined },
): Promise<number> {
  const eValue = safeEValue(first);
  if (eValue <= 1 || confirm === undefined) return eValue;
  return Math.min(eValue, safeEValue(await confirm()));
}

/** 0 without a report, and where the audit was interrupted, for a program can interrupt it. */
function safeEValue(report: ReportedEvidence | undefined): number {
  if (report === undefined || report.interrupted === true) return 0;
  return report.eValue;
}
