import type { PairData, Subject } from "../../audit/kernel/subject.ts";

/** How a subject is opened, and what it is tried on. */
export interface CheckedSubject {
  open(): Subject | Promise<Subject>;
  readonly pair: PairData;
  /** A dataset on which the program throws, if one is known: in an array, for it may be any value. */
  readonly throwsOn: readonly unknown[];
  /** One at which it crashes, hangs or answers nonsense. */
  readonly failsOn: readonly unknown[];
  /** Whether somebody vouches that outputs are independent. */
  readonly independent: boolean;
  readonly draws: number;
  readonly seed: number;
}

/** A subject that is open, and the same. */
export interface OpenedSubject extends CheckedSubject {
  readonly subject: Subject;
}
