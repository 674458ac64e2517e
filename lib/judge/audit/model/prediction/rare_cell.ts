import type { RareCell } from "../../kernel/betting/prediction_batch.ts";
import type { Condition } from "../encoding/condition.ts";

/** Cells made so far. */
let made = 0;

/** Outputs that have one thing in common: a value, a kind, a range. */
export class Cell {
  /** 0 where such cells are few, 1 where each value that repeats may have one. */
  readonly family: RareCell["family"];
  /** What its outputs have in common; none where it has no name, as "none of the values seen before". */
  readonly conditions: () => readonly Condition[];
  /** Tells cells of equal frequency apart. */
  readonly number: number = made++;
  /** Draws that had it, up to the last batch. */
  present = 0;
  /** Those of this batch. */
  now = 0;
  /** Draws for which it was the rarest, up to the last batch. */
  left = 0;
  right = 0;
  /** Those of this batch. */
  leftNow = 0;
  rightNow = 0;
  /** Draws for which it was the rarest, and all draws, when it became known. */
  seen = { left: 0, right: 0 };
  since = { left: 0, right: 0 };
  /** Its place among the known ones; −1 before. */
  place = -1;

  /** Begins without draws. */
  constructor(family: RareCell["family"], conditions: () => readonly Condition[] = () => []) {
    this.family = family;
    this.conditions = conditions;
  }

  /**
   * Returns true if it is rarer than another one by the batches before: the order is total, whatever the order in which cells are
   * looked at.
   */
  isRarerThan({ present, number }: Cell): boolean {
    return this.present < present || (this.present === present && this.number < number);
  }
}
