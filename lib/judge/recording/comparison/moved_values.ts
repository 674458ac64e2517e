import type { Condition } from "../shifts.ts";
import type { Read } from "../recording.ts";
import type { Observation } from "./observation.ts";

/** A read, and its number in the run. */
interface Numbered {
  readonly read: Read;
  readonly index: number;
}

/** A value under noise that was read: Σ c·shift must be minus the change. */
export interface MovedValue extends Numbered {
  readonly terms: ReadonlyMap<number, number>;
  readonly change: number;
}

/** A value that was compared with 0, and must stay on its side. */
export interface MovedSign extends MovedValue {
  readonly isAbove: boolean;
  /** The plain part on the first dataset. */
  readonly before: number;
}

/** An order of values: `terms` must not fall below `by`. */
export type MovedOrder = Condition & Numbered;

/** What the reads of two runs show one by one, and the values that noise must cover together. */
export interface ShownByReads {
  readonly observations: readonly Observation[];
  /** The declared mechanisms whose values move, in order. */
  readonly declared: readonly Read[];
  readonly values: readonly MovedValue[];
  readonly signs: readonly MovedSign[];
  readonly orders: readonly MovedOrder[];
}

/** Joins what several reads show, in their order. A number that is read again shows nothing more. */
export function together(shown: readonly Partial<ShownByReads>[]): ShownByReads {
  const values = new Map<string, MovedValue>();
  for (const value of shown.flatMap(({ values = [] }) => values)) {
    const key = `${value.change}|${[...value.terms].join("|")}`;
    if (!values.has(key)) values.set(key, value);
  }
  return {
    observations: shown.flatMap(({ observations = [] }) => observations),
    declared: shown.flatMap(({ declared = [] }) => declared),
    values: [...values.values()],
    signs: shown.flatMap(({ signs = [] }) => signs),
    orders: shown.flatMap(({ orders = [] }) => orders),
  };
}
