import { CellCounts } from "../cell_counts.ts";
import { BoundedContributions, hashOfText } from "../contributions.ts";
import { largestMatching } from "../matching.ts";
import { type Batch, MISSING } from "./batch.ts";
import { type Column, holdsOf, numbersOf, partOf, placesOf } from "./evaluate.ts";
import { KeyIndex, NONE } from "./key_index.ts";
import {
  type Found,
  groupCountOf,
  MOST_TOTAL,
  type Plan,
  sizeOf,
  type StepsOfValue,
} from "./plan.ts";

/** Answers one plan about rows that come in batches, one after the other. */
export interface PlanInMemory {
  readonly take: (batch: Batch) => void;
  /** Called once, behind the last batch. */
  readonly end: () => Found;
}

/** Begins to answer a plan. */
export function planInMemory(plan: Plan): PlanInMemory {
  const rows = rowsOf(plan), { wanted } = plan;
  switch (wanted.kind) {
    case "totals": {
      const measures = wanted.measures.map(({ steps }) => steps);
      const totals = new ExactTotals(groupCountOf(plan.parts), measures.length);
      const { take, end } = contributionsOf(plan, rows, {
        width: measures.some((each) => each !== undefined) ? measures.length : 0,
        stepsOf: (i, value) => measures[i] === undefined ? 1 : stepsOf(measures[i], value),
        visit: (group, steps) => totals.add(group, steps),
      });
      return {
        take,
        end: () => {
          end();
          return { kind: "totals", totals: totals.settled() };
        },
      };
    }
    case "cells": {
      const { unit, first } = wanted;
      const cells = Array.from({ length: groupCountOf(plan.parts) }, () => new CellCounts());
      const { take, end } = contributionsOf(plan, rows, {
        width: 1,
        stepsOf: (_, value) => Math.floor(value / unit + 0.5) - first,
        visit: (group, steps) => cells[group]!.add(steps[0]!),
      });
      return {
        take,
        end: () => {
          end();
          for (const each of cells) each.settle();
          return { kind: "cells", cells };
        },
      };
    }
    case "units":
      return unitsOf(plan, rows, placesOf(wanted.cell, rows.keys, true));
    case "distinct":
      return distinctOf(plan, rows, placesOf(wanted.cell, rows.keys, true));
  }
}

/** Rows of a plan as they are read: groups (NONE where a row does not count), values, persons. */
interface Rows {
  readonly read: (batch: Batch) => void;
  groups: Int32Array;
  values: Float64Array;
  /** Places in `who`. */
  persons: Int32Array;
  readonly who: KeyIndex;
  /** Texts that are not public. */
  readonly keys: KeyIndex;
}

function rowsOf({ where, parts, clipped, persons }: Plan): Rows {
  const conditions = where.map(holdsOf), groups = parts.map(partOf), sizes = parts.map(sizeOf);
  const read = clipped === undefined ? undefined : numbersOf(clipped.value);
  const who = new KeyIndex();
  const readPersons = persons === undefined
    ? undefined
    : placesOf({ column: persons.column }, who, true);
  let part = new Int32Array(0), holds = new Uint8Array(0);
  const rows: Rows = {
    groups: new Int32Array(0),
    values: new Float64Array(0),
    persons: new Int32Array(0),
    who,
    keys: new KeyIndex(),
    read(batch): void {
      const { size } = batch;
      if (rows.groups.length < size) {
        rows.groups = new Int32Array(size);
        rows.values = new Float64Array(size);
        rows.persons = new Int32Array(size);
        part = new Int32Array(size);
        holds = new Uint8Array(size);
      }
      const { groups: group, values, persons: person } = rows;
      if (groups.length === 0) group.fill(0, 0, size);
      else groups[0]!(batch, group);
      for (let k = 1; k < groups.length; k++) {
        groups[k]!(batch, part);
        for (let i = 0; i < size; i++) {
          group[i] = group[i]! < 0 || part[i]! < 0 ? NONE : group[i]! * sizes[k]! + part[i]!;
        }
      }
      for (const condition of conditions) {
        condition(batch, holds);
        for (let i = 0; i < size; i++) if (holds[i] === 0) group[i] = NONE;
      }
      if (read !== undefined) {
        const { lower, upper } = clipped!;
        read(batch, values);
        for (let i = 0; i < size; i++) {
          const value = values[i]!;
          if (Number.isNaN(value)) group[i] = NONE;
          else if (value < lower) values[i] = lower;
          else if (value > upper) values[i] = upper;
        }
      }
      readPersons?.(batch, person);
    },
  };
  return rows;
}

/** Whole steps of a value. Rounding is monotone, so that none is beyond those of the limits. */
function stepsOf(
  { lower, upper, granularity, origin, middle }: StepsOfValue,
  value: number,
): number {
  const x = middle === undefined ? value : (value - middle) * (value - middle);
  return Math.floor((x < lower ? lower : x > upper ? upper : x) / granularity + 0.5) - origin;
}

/** Visits what rows contribute to their groups, within what persons may contribute. */
function contributionsOf(
  { persons }: Plan,
  rows: Rows,
  { width, stepsOf, visit }: {
    /** How many numbers a row contributes. */
    readonly width: number;
    readonly stepsOf: (measure: number, value: number) => number;
    readonly visit: (group: number, steps: ArrayLike<number>) => void;
  },
): { readonly take: (batch: Batch) => void; readonly end: () => void } {
  const steps = new Float64Array(width);
  const kept = persons === undefined ? undefined : new BoundedContributions({
    bounds: persons.bounds,
    width,
    hashOf: hashesOf(rows.who, persons.key),
  });
  return {
    take(batch): void {
      rows.read(batch);
      const { groups, values, persons: who } = rows;
      for (let row = 0; row < batch.size; row++) {
        const group = groups[row]!;
        if (group < 0) continue;
        for (let i = 0; i < width; i++) steps[i] = stepsOf(i, values[row]!);
        if (kept === undefined) visit(group, steps);
        else if (who[row]! >= 0) kept.add(who[row]!, group, { groupHash: group, values: steps });
      }
    },
    end: () => kept?.forEach(visit),
  };
}

/** The hash of a text of an index under a key. */
function hashesOf(index: KeyIndex, key: number): (place: number) => number {
  return (place) => hashOfText(index.textAt(place), key);
}

function unitsOf({ persons }: Plan, rows: Rows, read: Column<Int32Array>): PlanInMemory {
  const counts: number[] = [];
  const one = (place: number): void => void (counts[place] = (counts[place] ?? 0) + 1);
  const ofKey = hashesOf(rows.keys, 0);
  const kept = persons && new BoundedContributions({
    bounds: { groups: persons.bounds.groups, rows: 1 },
    width: 0,
    hashOf: hashesOf(rows.who, persons.key),
  });
  return {
    take(batch): void {
      rows.read(batch);
      const places = new Int32Array(batch.size);
      read(batch, places);
      for (let row = 0; row < batch.size; row++) {
        const place = places[row]!;
        if (place === MISSING || rows.groups[row]! < 0) continue;
        if (kept === undefined) one(place);
        else if (rows.persons[row]! >= 0) {
          kept.add(rows.persons[row]!, place, { groupHash: ofKey(place), values: [] });
        }
      }
    },
    end: () => {
      kept?.forEach(one);
      const units = new Map<string, number>();
      counts.forEach((count, place) => units.set(rows.keys.textAt(place), count));
      return { kind: "units", units };
    },
  };
}

function distinctOf(
  { persons, wanted }: Plan,
  rows: Rows,
  read: Column<Int32Array>,
): PlanInMemory {
  const own: Set<number>[] = [], seen = new Set<number>();
  return {
    take(batch): void {
      rows.read(batch);
      const places = new Int32Array(batch.size);
      read(batch, places);
      for (let row = 0; row < batch.size; row++) {
        const place = places[row]!;
        if (place === MISSING || rows.groups[row]! < 0) continue;
        if (persons === undefined) seen.add(place);
        else if (rows.persons[row]! >= 0) (own[rows.persons[row]!] ??= new Set()).add(place);
      }
    },
    end: () => {
      const most = wanted.kind === "distinct" ? wanted.values : 1;
      const count = persons === undefined ? seen.size : largestMatching(
        own.filter((each) => each !== undefined).map((each) => [...each]),
        { valueCount: rows.keys.size, most },
      );
      return { kind: "distinct", count };
    },
  };
}

/** Adds up whole numbers by group exactly, so that the order of persons, which is free, changes nothing. Those of a group lie side by side: with many groups each place is far from the last one. */
class ExactTotals {
  readonly #totals: Float64Array;
  readonly #width: number;
  /** How often the largest total was taken out. */
  readonly #taken = new Map<number, number>();

  constructor(groupCount: number, width: number) {
    this.#totals = new Float64Array(groupCount * width);
    this.#width = width;
  }

  /** Without steps each is 1. */
  add(group: number, steps: ArrayLike<number>): void {
    const width = this.#width, totals = this.#totals, isOne = steps.length === 0;
    for (let i = 0, at = group * width; i < width; i++, at++) {
      const next = totals[at]! + (isOne ? 1 : steps[i]!);
      if (next <= MOST_TOTAL && next >= -MOST_TOTAL) totals[at] = next;
      else this.#take(at, next);
    }
  }

  #take(at: number, next: number): void {
    const times = next > 0 ? 1 : -1;
    this.#totals[at] = next - times * MOST_TOTAL;
    this.#taken.set(at, (this.#taken.get(at) ?? 0) + times);
  }

  settled(): Float64Array[] {
    const totals = this.#totals, width = this.#width;
    for (const [at, times] of this.#taken) {
      const total = totals[at]! + times * MOST_TOTAL;
      totals[at] = Math.max(-MOST_TOTAL, Math.min(MOST_TOTAL, total));
    }
    this.#taken.clear();
    return Array.from(
      { length: width },
      (_, i) =>
        Float64Array.from({ length: totals.length / width }, (_, k) => totals[k * width + i]!),
    );
  }
}
