import type { Source } from "../../core/mechanism/source.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import type { Service } from "./service.ts";
import type { Strategy } from "./strategy.ts";
import type { Transcript } from "./transcript.ts";
import type { Lifetime } from "./users.ts";

/** One run of a strategy. */
export interface TranscriptOptions {
  readonly strategy: Strategy;
  readonly kinds: QuestionKinds;
  readonly lifetime: Lifetime;
  /** Randomness of a service of this process; others have their own. */
  readonly source: Source;
}

/** A program that holds sessions, as the audit sees it. */
export interface InteractiveProgram {
  /** Its name in reports. */
  readonly name: string;
  /** Whether it can be restarted between questions. */
  readonly mayRestart: boolean;
  /** The service itself, where it runs in this process: its noise can be watched. */
  readonly service?: Service<unknown, unknown>;
  /** Transcripts that a search and a bet take, where the user gives no number. */
  readonly usualDraws: { readonly search: number; readonly bet: number };
  /**
   * One transcript of a strategy, of a service that just started on this dataset. All its sessions are closed afterwards.
   *
   * @throws {SubjectFailure} when the program crashed, hung or answered something that is not an answer.
   */
  transcript(data: unknown, options: TranscriptOptions): Transcript | Promise<Transcript>;
  /** Ends what was started. */
  close(): Promise<void>;
}
