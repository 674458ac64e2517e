/**
 * Audits: subjects, the black-box engine, reports.
 *
 * @module
 */

// Audits: run a program, judge its claim.
export { audit } from "./audit.ts";
export type { RankedPair } from "./search/search_pairs.ts";
export type { OutputCell, OutputSummary } from "./output_summary.ts";
export type { AuditOptions } from "./options.ts";
export type { AuditEffort } from "./model/prediction/effort.ts";
export type { Progress } from "./kernel/drawing/progress.ts";
export type {
  AuditDetails,
  AuditFigures,
  AuditReport,
  FailedReport,
  Finding,
  FreshDraws,
  FurtherFindings,
  HistoryPoint,
  InconclusiveReport,
  NotRefutedReport,
  PowerPoint,
  ReadBeside,
  RecordedFinding,
  RecordedNoise,
  RefutedReport,
} from "./report.ts";
export type { EventReport } from "./counterexample/event_report.ts";
export type { Condition } from "./model/encoding/condition.ts";

// Subjects: what can be audited.
export { type PairData, type Subject, SubjectFailure, Thrown } from "./kernel/subject.ts";
export { type PairOutputs } from "./kernel/outputs.ts";
export type { OutputBlock, Outputs } from "./kernel/outputs.ts";
export { Coins } from "./kernel/order/coins.ts";
export type { DrawingEnd } from "./kernel/order/drawing_end.ts";
export { functionSubject, type FunctionSubjectOptions } from "./subjects/function_subject.ts";
export { mechanismSubject, type MechanismSubjectOptions } from "./subjects/mechanism_subject.ts";
export { moduleSubject, type ModuleSubjectOptions } from "./subjects/thread/module_subject.ts";
export type { DatasetRule } from "./search/dataset_rules.ts";
export type { CutPart } from "./kernel/drawing/time_limit.ts";
export type { LongerRun } from "./plan/power/longer_run.ts";
export { httpSubject, type HttpSubjectOptions } from "./subjects/http/http_subject.ts";
export { processSubject, type ProcessSubjectOptions } from "./subjects/process/process_subject.ts";
export { readSamples } from "./subjects/recorded/read_samples.ts";
export {
  SamplesExhausted,
  samplesPair,
  type SamplesSubject,
  samplesSubject,
  type Side,
} from "./subjects/recorded/samples_subject.ts";
