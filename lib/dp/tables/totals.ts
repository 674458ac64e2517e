import type { Source } from "../../core/mechanism/source.ts";
import { keyOf, type Row } from "../schema/cells.ts";
import { BoundedContributions } from "./contributions.ts";
import type { Keys } from "./keys.ts";
import type { ContributionBounds } from "./sensitivity.ts";

/** What each row adds to a total of its group: whole steps within public limits. */
export interface Measure {
  /** At most 0: a row that is left out adds 0. */
  readonly least: number;
  /** At least 0. */
  readonly most: number;
  /** Of a row's value, a number from `least` to `most`. */
  readonly stepsOf: (value: number) => number;
}

/** One for each row. */
export const ONE: Measure = { least: 0, most: 1, stepsOf: () => 1 };

/** Takes the rows of a table. */
export interface Reader {
  /** Takes one row, whatever it is. */
  readonly take: (row: Row) => void;
  /** Called once, behind the last row. */
  readonly end: () => void;
  /** Called in any case, when nothing follows. */
  readonly close?: () => void;
}

/** Which rows of which units are asked about. */
export interface Contributing {
  readonly keys: Keys;
  /** The value of a row; NaN where it is left out. */
  readonly read: (row: Row) => number;
  /** The column that names persons, and what is kept of each; `undefined` where a row is a unit. */
  readonly persons: { readonly column: string; readonly bounds: ContributionBounds } | undefined;
}

/** Visits what rows contribute to their groups, within what persons may contribute. The source only chooses which rows of a person count. */
export function contributionReader(
  { keys: { groupOf }, read, persons }: Contributing,
  { width, valuesOf, visit }: {
    /** How many numbers a row contributes. */
    readonly width: number;
    readonly valuesOf: (value: number) => readonly number[];
    readonly visit: (group: number, values: readonly number[]) => void;
  },
  source: Source,
): Reader {
  const kept = persons === undefined
    ? undefined
    : new BoundedContributions({ bounds: persons.bounds, key: source.uint32(), width });
  return {
    take: (row) => {
      const group = groupOf(row);
      if (group < 0) return;
      const value = read(row);
      if (Number.isNaN(value)) return;
      if (kept === undefined) return visit(group, valuesOf(value));
      const person = keyOf(row?.[persons!.column]);
      if (person === undefined) return;
      kept.add(person, group, { groupHash: group, values: valuesOf(value) });
    },
    end: () => kept?.forEach(visit),
    close: () => kept?.close(),
  };
}

/** Totals end within it: they and their noise are then exact, and a total that is brought there moves by no more than its addends. */
const MOST_TOTAL = 2 ** 52;

/** Adds up by group, in one list for each measure, what rows contribute: exactly, so that the order of persons, which is free, changes nothing. */
export function totalsReader(
  totals: readonly Float64Array[],
  { measures, ...contributing }: Contributing & { readonly measures: readonly Measure[] },
  source: Source,
): Reader {
  for (const total of totals) total.fill(0);
  /** Of each measure by group: how often the largest total was taken out, in all. */
  const taken = totals.map(() => new Map<number, number>());
  const add = (total: Float64Array, group: number, steps: number): number => {
    const next = total[group]! + steps, times = next > MOST_TOTAL ? 1 : next < -MOST_TOTAL ? -1 : 0;
    total[group] = next - times * MOST_TOTAL;
    return times;
  };
  const steps = new Array<number>(measures.length).fill(0);
  const { end, ...reader } = contributionReader(contributing, {
    width: measures.length,
    // One list is enough: it is added up, or copied, before the next.
    valuesOf: (value) => {
      for (let i = 0; i < steps.length; i++) steps[i] = measures[i]!.stepsOf(value);
      return steps;
    },
    visit: (group, values) => {
      for (let i = 0; i < totals.length; i++) {
        const times = add(totals[i]!, group, values[i]!);
        if (times !== 0) taken[i]!.set(group, (taken[i]!.get(group) ?? 0) + times);
      }
    },
  }, source);
  return {
    ...reader,
    end: () => {
      end();
      taken.forEach((groups, i) =>
        groups.forEach((times, group) => {
          const total = totals[i]![group]! + times * MOST_TOTAL;
          totals[i]![group] = Math.max(-MOST_TOTAL, Math.min(MOST_TOTAL, total));
        })
      );
    },
  };
}
