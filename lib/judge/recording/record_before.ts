import { SubjectFailure } from "../audit/kernel/subject.ts";
import type { AuditReport, RecordedNoise } from "../audit/report.ts";
import { type Pair, pairOf } from "../../core/relations/relation.ts";
import { record, type RecordOptions, type RecordReport } from "./record.ts";
import type { Recorder } from "./recording.ts";

/** The share of an audit's draws that the runs of a recording may be, and of its limit of seconds at which they are cut. */
const SHARE = { seconds: 0.2, draws: 0.05 };
/** Suspected pairs that an audit looks at before all others. */
const MOST_SUSPECTED = 4;
/** Pairs of a function or a module that are looked at, so that with a seed they are the same each time. */
export const FUNCTION_PAIRS: number = 100;

/** Recording before an audit, and its consequences for the audit. */
export interface RecordedBefore {
  readonly recording: RecordedNoise;
  /** Pairs to look at first. */
  readonly suspected: readonly Pair[];
  /** What it takes of the limit of the audit's seconds. */
  readonly seconds: number;
}

/** Returns the limit of seconds of a recording before an audit of so many. */
export function secondsBefore(maxSeconds: number): number {
  return SHARE.seconds * maxSeconds;
}

/** Returns the most runs of a recording before an audit of so many draws. */
export function runsBefore(maxDraws: number): number {
  return SHARE.draws * maxDraws;
}

/**
 * Watches the noise of a program before an audit draws. Where it fails nothing is followed: the audit itself says what is wrong with a program
 * that fails there too.
 *
 * @param options.withRows rows that stand before those of every dataset.
 */
export async function recordBefore(
  recorder: Recorder,
  { withRows, ...options }: RecordOptions & { readonly withRows: readonly unknown[] },
): Promise<RecordedBefore> {
  const begun = performance.now();
  const taken = (): number =>
    Math.min(options.maxSeconds ?? Infinity, (performance.now() - begun) / 1000);
  try {
    const report = await record(besideRows(recorder, withRows), options);
    const { claim: _, seed: __, furthest: ___, ...recording } = report;
    const suspected = options.pair === undefined ? suspectedPairs(report) : [];
    return { recording, suspected, seconds: taken() };
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    return { recording: notWatched(error.message), suspected: [], seconds: taken() };
  }
}

/** Returns the report of an audit with what was recorded before it; what the limit of time cut of that is named first. */
export function withRecording<Report extends AuditReport>(
  report: Report,
  { recording }: Pick<RecordedBefore, "recording">,
): Report {
  const cut = [...recording.cut ?? [], ...report.cut ?? []];
  return { ...report, recording, ...(cut.length === 0 ? {} : { cut }) };
}

/** Returns the part of a report on noise that was not watched, with the reason. */
export function notWatched(reason: string): RecordedNoise {
  return {
    verdict: "not followed",
    findings: [],
    cost: null,
    runs: 0,
    pairs: 0,
    notFollowed: { reason, pairs: 0 },
  };
}

/** Returns pairs that something is suspected of, then those that outputs at the same seeds tell apart. */
function suspectedPairs({ findings, furthest = [], claim: { relation } }: RecordReport): Pair[] {
  return [...findings.map(({ pair }) => pair), ...furthest].slice(0, MOST_SUSPECTED)
    .map((pair) => pairOf(relation, pair as Pick<Pair, "left" | "right">));
}

/** Returns a recorder of the same program with public rows before those of every dataset. */
export function besideRows(recorder: Recorder, rows: readonly unknown[]): Recorder {
  if (rows.length === 0) return recorder;
  const whole = <Request extends { readonly datasets: readonly unknown[] }>(
    request: Request,
  ): Request => ({
    ...request,
    datasets: request.datasets.map((data) => [...rows, ...data as unknown[]]),
  });
  return {
    ...recorder,
    record: (request) => recorder.record(whole(request)),
    ...(recorder.replay && { replay: (request) => recorder.replay!(whole(request)) }),
  };
}
