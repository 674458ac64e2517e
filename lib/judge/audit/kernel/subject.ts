import type { Outputs, PairOutputs } from "./outputs.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import type { Domain } from "../../../core/relations/dataset.ts";
import type { Coins } from "./order/coins.ts";

/** The two datasets of a pair. */
export type PairData = Readonly<Record<"left" | "right", unknown>>;

/** Numbers of draws on the two datasets of a pair. */
export type SideCounts = Readonly<Record<"left" | "right", number>>;

/**
 * A program as the auditor sees it: something that can be run on a dataset. It may be a mechanism in this process, a child
 * process, or a file of recorded outputs.
 */
export interface Subject {
  /** Its name in reports. */
  readonly name: string;
  /** The claim that the subject makes, if any. */
  readonly claim?: Claim;
  /** Of a function: whether it is called with the dataset alone, or with a source as its second argument. */
  readonly calledWith?: "data" | "data and source";
  /** Its outputs, where they were recorded beforehand: no others can be drawn. */
  readonly recorded?: Readonly<Record<"left" | "right", Outputs>>;
  /**
   * Whether it draws in another thread or process, while this one goes on. It then takes several requests at once.
   */
  readonly drawsElsewhere?: boolean;
  /** The datasets it takes, if it declares them. */
  readonly domain?: Domain;
  /**
   * Whether each output is declared independent of all others. Outputs may then be asked for in blocks: all of one dataset,
   * then all of the other. Where a program has memory, drift or a clock, such blocks differ by the time of their outputs, which
   * would be taken for a difference of the datasets.
   */
  readonly independent?: boolean;
  /**
   * Whether it is asked for outputs before it has answered for those before: requests wait, and an order of several coins goes
   * to it at once. A true claim is refuted with probability at most α then if it computes each output before it reads on.
   */
  readonly asksAhead?: boolean;
  /** The draws of an audit that is given no number of them, fixed by the kind of subject. Default 200,000. */
  readonly usualDraws?: number;
  /**
   * When its first answer came, in milliseconds of `performance.now`; `undefined` before. A subject that takes time to start
   * has this method: that time is not the audit's. Without it the clock of an audit runs from its beginning.
   */
  firstAnswerAt?(): number | undefined;
  /**
   * Draws `count` outputs on `data`. An error that the subject throws is an output ({@linkcode Thrown}), for it can leak.
   *
   * @throws {SubjectFailure} when the subject crashed, hung or answered something that is not an answer.
   */
  draw(data: unknown, count: number): Outputs | Promise<Outputs>;
  /**
   * One output a coin, drawn in the order of the coins: on the left dataset for 0, on the right one for 1. The number of
   * coins of a side that are still to come must not reach the program, and requests are answered in their order. Where the time of the
   * coins ends (`coins.ends`), no further outputs are asked for: they are `unasked`. An output whose
   * coin the program has seen is never asked for again: it is `lost`. Without this method `draw` is called for one output after the
   * other.
   *
   * @throws {SubjectFailure} when the subject crashed, hung or answered something that is not an answer.
   */
  drawInOrder?(pair: PairData, coins: Coins): PairOutputs | Promise<PairOutputs>;
  /** Ends the threads and processes that were started for the subject. */
  close(): Promise<void>;
}

/** An error that the subject threw in place of an output. */
export class Thrown {
  /** The message of the error. */
  readonly message: string;
  /** Its class, cause and fields, where it is not just an `Error`. */
  readonly seen?: { readonly form: string; readonly parts: Readonly<Record<string, unknown>> };
  /** Wraps the message of the error, and what else can be seen of it. */
  constructor(message: string, seen?: Thrown["seen"]) {
    this.message = message;
    if (seen !== undefined) this.seen = seen;
  }
}

/** Thrown when the subject crashes, hangs, or answers something that is not an answer. Exit status 3. */
export class SubjectFailure extends Error {
  /** The name of this class. */
  override readonly name = "SubjectFailure";
}
