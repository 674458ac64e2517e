/**
 * Services that answer questions: an adversary is searched, and its transcripts are audited.
 *
 * @module
 */

export { auditInteractive } from "./audit_interactive.ts";
export type { ArbitraryLike, ArgumentSpec, QuestionSpecs } from "./question_kinds.ts";
export type { Question, Service, ServiceOptions, Session, SessionOptions } from "./service.ts";
export type { SessionReport, TriedAdversary } from "./session_report.ts";
export type { AuditInteractiveOptions } from "./session_settings.ts";
export { type AskStep, type RestartStep, scriptOf, type Strategy } from "./strategy.ts";
export type { Lifetime } from "./users.ts";
