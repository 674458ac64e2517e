import type { AuditReport } from "./report.ts";
import { figures, isRefuted, type Run } from "./run.ts";
import { SubjectFailure } from "./kernel/subject.ts";

/** The two signals of the options. */
interface Signals {
  readonly signal?: AbortSignal;
  readonly interrupt?: AbortSignal;
}

/** Returns a signal that is aborted by either signal. */
export function eitherSignal({ signal, interrupt }: Signals): AbortSignal | undefined {
  return signal === undefined || interrupt === undefined
    ? signal ?? interrupt
    : AbortSignal.any([signal, interrupt]);
}

/** Returns true if an audit ended with this error because it was interrupted: its caller may have closed the subject too. */
export function isInterruption(error: unknown, { signal, interrupt }: Signals): boolean {
  return interrupt?.aborted === true && signal?.aborted !== true &&
    (error === interrupt.reason || error instanceof SubjectFailure);
}

/** Returns the report of an audit that was interrupted. The test at the end of a budget was not finished: it shows nothing. */
export function reportSoFar(run: Run): AuditReport {
  const betsAlone: Run = { ...run, finalBound: undefined };
  const report = { ...figures(betsAlone), interrupted: true as const };
  return isRefuted(betsAlone)
    ? { ...report, verdict: "refuted", confirmed: false }
    : { ...report, verdict: "inconclusive", reason: "the audit was interrupted before its end" };
}
