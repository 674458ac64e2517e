import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";

/** A question as a session gets it: its kind, and its arguments by their names. */
export interface Question {
  /** One of the declared kinds. */
  readonly kind: string;
  /** Its arguments. */
  readonly [argument: string]: unknown;
}

/** One session of a service: it answers questions until it is closed. */
export interface Session {
  /**
   * The answer: any value, or `{ refused: reason }`. An error that it throws is an answer too, and the session goes on. May be
   * asynchronous.
   */
  ask(question: Question): unknown;
  /** Ends the session. May be asynchronous. */
  close?(): unknown;
}

/** Message to a service when a session is opened. */
export interface SessionOptions {
  /** Name of the user: sessions of one user have one name. */
  readonly user: string;
}

/** Arguments of a service when it starts, besides rows and a source. */
export interface ServiceOptions {
  /**
   * Stands for waiting for a disk or a network: the audit decides in which order the waits of questions that are asked at once
   * end, and replays it.
   */
  readonly wait: () => Promise<void>;
}

/**
 * A service that answers questions about a dataset. A module whose exports have these names is one. Each transcript begins
 * with a service that was just started.
 */
export interface Service<Row = never, State = never> {
  /** Its name in reports. */
  readonly name?: string;
  /** Starts the service on a dataset; all its randomness comes from `source`. May be asynchronous. */
  start(
    rows: Row[],
    source: ProgramSource,
    options: ServiceOptions,
  ): State | Promise<State>;
  /** Opens a session. May be asynchronous. */
  open(state: State, options: SessionOptions): Session | Promise<Session>;
  /** Restarts the service, as after a crash. The state that it returns, if any, takes the place of the old one. */
  restart?(state: State): State | undefined | Promise<State | undefined>;
  /** Ends the service. */
  stop?(state: State): unknown;
}
