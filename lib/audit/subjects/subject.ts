import type { Claim } from "../../core/claim.ts";
import type { Domain } from "../../core/dataset.ts";
import type { Coins } from "./order/coins.ts";
import type { Outputs } from "./outputs.ts";

/** The two datasets of a pair. */
export type PairData = Readonly<Record<"left" | "right", unknown>>;

/** Outputs on the two datasets of a pair, each side's in the order in which they were drawn. */
export type PairOutputs = Readonly<Record<"left" | "right", Outputs>>;

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
   * Whether somebody vouches that each output is independent of all others. Outputs may then be asked for in blocks:
   * all of one dataset, then all of the other. Of a program with memory, drift or a clock such blocks would show what
   * the place of an output in time tells, and not what the data do.
   */
  readonly independent?: boolean;
  /**
   * `count` outputs on `data`. An error that the subject throws is an output ({@linkcode Thrown}), for it can leak.
   *
   * @throws {SubjectFailure} when the subject crashed, hung or spoke nonsense.
   */
  draw(data: unknown, count: number): Outputs | Promise<Outputs>;
  /**
   * An output a coin, drawn in the order of the coins: on the left dataset for 0, on the right one for 1. How many
   * coins of a kind are to come must not reach the program, and what was asked for first is drawn first. Without this method `draw` is called for one output
   * after the other.
   *
   * @throws {SubjectFailure} when the subject crashed, hung or spoke nonsense.
   */
  drawInOrder?(pair: PairData, coins: Coins): PairOutputs | Promise<PairOutputs>;
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
