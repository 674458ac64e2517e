import type { AuditReport } from "../../lib/judge/audit/report.ts";

/** Exit statuses of the process. */
export const ExitStatus = {
  notRefuted: 0,
  refuted: 1,
  badInput: 2,
  failed: 3,
  inconclusive: 4,
} as const;

/** The exit status of a verdict. */
export function statusOf(verdict: AuditReport["verdict"]): number {
  switch (verdict) {
    case "refuted":
      return ExitStatus.refuted;
    case "not-refuted":
      return ExitStatus.notRefuted;
    case "inconclusive":
      return ExitStatus.inconclusive;
    case "failed":
      return ExitStatus.failed;
  }
}

/** Takes the exit status of a command that ran. */
export type Done = (status: number) => void;

/** Runs another command by its words, and returns its exit status. */
export type Run = (words: readonly string[]) => Promise<number>;
