import type { Claim } from "../core/claim.ts";
import type { Domain } from "../core/dataset.ts";

/** Outputs of one subject on one dataset: a block of doubles, or any values. */
export type Outputs =
  | { readonly kind: "block"; readonly width: number; readonly values: Float64Array }
  | { readonly kind: "values"; readonly values: readonly unknown[] };

/**
 * All that the auditor sees of a program: something that can be run on a dataset. It may be a
 * mechanism in this process, a child process, or a file of recorded outputs.
 */
export interface Subject {
  /** What reports call it. */
  readonly name: string;
  /** The claim the subject makes of itself, if any. */
  readonly claim?: Claim;
  /** Its outputs, where they were recorded beforehand: there are only so many of them. */
  readonly recorded?: Readonly<Record<"left" | "right", Outputs>>;
  /**
   * Whether it draws in another thread or process, so that this one can do something else meanwhile. It
   * then takes several requests at once.
   */
  readonly drawsElsewhere?: boolean;
  /** The datasets it takes, if it says so. */
  readonly domain?: Domain;
  /**
   * `count` outputs on `data`, each independent of the others. An error that the subject throws is an
   * output ({@linkcode Thrown}), for it can leak.
   *
   * @throws {SubjectFailure} when the subject crashed, hung or spoke nonsense.
   */
  draw(data: unknown, count: number): Outputs | Promise<Outputs>;
  /** Ends what was started for the subject. No process is left behind. */
  close(): Promise<void>;
}

/** An error that the subject threw in place of an output. */
export class Thrown {
  /** What it said. */
  readonly message: string;
  /** Wraps the message of the error. */
  constructor(message: string) {
    this.message = message;
  }
}

/** The subject broke: it crashed, hung, or answered something that is no answer. Exit status 3. */
export class SubjectFailure extends Error {
  /** Tells it from other errors. */
  override readonly name = "SubjectFailure";
}
