import { requireKind } from "../../core/numeric/require.ts";
import { audit } from "../audit/audit.ts";
import type { AuditOptions } from "../audit/options.ts";
import type { AuditReport } from "../audit/report.ts";
import type { Subject } from "../audit/kernel/subject.ts";
import { functionSubject } from "../audit/subjects/function_subject.ts";
import { mechanismSubject } from "../audit/subjects/mechanism_subject.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { terminalReport } from "../report/terminal.ts";
import { AssertionError } from "./assertion_error.ts";
import { numbersOfSubject } from "./numbers_of_subject.ts";
import { type AssertPrivateOptions, auditOptionsOf } from "./private_options.ts";

/**
 * A function of a dataset and a source; code with randomness of its own may ignore the source. It is handed only to a function whose
 * second parameter has no default.
 */
export type RandomisedFunction<Data> = (data: Data, source: ProgramSource) => unknown;

/**
 * Audits code inside a test: throws when its claim is refuted, with the verdict, the smallest pair
 * found, the event and the options that replay it; otherwise returns the report. Throws, too, when
 * the subject failed or answered with nothing but errors, and when the run could not have seen a violation of
 * `requirePower` times the claim: then nothing was tested. Passing never means "private": the report's
 * `detectableEpsilon` says what would have been seen.
 *
 * @param subject a mechanism, a function of a dataset and a source, or a subject.
 * @throws {AssertionError} when the claim is refuted, the subject fails, or nothing can be concluded.
 * @throws {RangeError} when an option is out of bounds or something needed is missing.
 * @throws {TypeError} when it is not clear whether a function takes a source; the message says how to wrap it.
 *
 * @example
 * ```ts
 * import { assertPrivate } from "@dpcheck/dpcheck/testing";
 *
 * const answer = (data: readonly boolean[], source: { uniform(): number }) =>
 *   source.uniform() < 0.7 ? data[0] : !data[0];
 * await assertPrivate(answer, {
 *   epsilon: 1,
 *   relation: "replace-one",
 *   pair: { left: [false], right: [true] },
 *   maxDraws: 20_000,
 * });
 * ```
 */
export async function assertPrivate<Row, Output>(
  subject: Mechanism<Row, Output> | RandomisedFunction<Row[]> | Subject,
  options: AssertPrivateOptions = {},
): Promise<AuditReport> {
  requireKind("assertPrivate", "subject", subject, "record");
  requireKind("assertPrivate", "options", options, "record");
  const settings = auditOptionsOf(options);
  const audited = subjectOf(subject, new SeededSource(settings.seed!).split("subject"));
  try {
    const numbers = settings.numbers ?? numbersOfSubject(subject);
    const report = await watchedAudit(subject, audited, { ...settings, numbers }, options);
    if (report.verdict === "not-refuted") return report;
    throw new AssertionError(messageOf(report, settings), { report });
  } finally {
    await audited.close();
  }
}

/** The audit of a subject whose noise is watched before, where it is a function or a mechanism: draws are made without that. */
async function watchedAudit(
  subject: object,
  audited: Subject,
  settings: AuditOptions,
  { recording = true }: AssertPrivateOptions,
): Promise<AuditReport> {
  const { recordedSubject, withRecording } = await import("./recorded_subject.ts");
  const watched = recording ? await recordedSubject(subject, audited, settings) : undefined;
  if (watched === undefined) return await audit(audited, settings);
  const { suspected, seconds } = watched;
  const { maxSeconds } = settings;
  const report = await audit(audited, {
    ...settings,
    suspected: [...settings.suspected ?? [], ...suspected],
    ...(maxSeconds === undefined ? {} : { maxSeconds: maxSeconds - seconds }),
  });
  return withRecording(report, watched);
}

/** Returns a function or a mechanism as a subject that draws from `source`. */
export function subjectOf<Row, Output>(
  subject: Mechanism<Row, Output> | RandomisedFunction<Row[]> | Subject,
  source: Source,
): Subject {
  if (typeof subject === "function") {
    return functionSubject(subject, { name: subject.name || "the function", source });
  }
  return "draw" in subject ? subject : mechanismSubject(subject, { source });
}

/** The report, with options that run the same audit again when they are pasted. */
function messageOf(report: AuditReport, { withRows, require: rules }: AuditOptions): string {
  const { claim, pair, verdict, seed } = report;
  const options = {
    ...(claim.kind === "pure" || claim.kind === "approximate" ? { epsilon: claim.epsilon } : {}),
    ...(claim.kind === "approximate" ? { delta: claim.delta } : {}),
    relation: claim.relation.name,
    ...(pair === null || verdict === "failed" ? {} : { pair }),
    ...(withRows === undefined ? {} : { withRows }),
    ...(rules === undefined ? {} : { require: rules.filter((rule) => typeof rule === "string") }),
    seed,
  };
  return terminalReport({ ...report, replay: `assertPrivate(…, ${JSON.stringify(options)})` })
    .trimEnd();
}
