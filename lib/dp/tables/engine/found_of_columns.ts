import { CellCounts } from "../cell_counts.ts";
import { largestMatching } from "../matching.ts";
import { type Found, groupCountOf, MOST_TOTAL, mostSteps, type Plan } from "./plan.ts";

/** An answer column by column, by the names that `queryOf` gives. */
export type AnswerColumns = Readonly<Record<string, ArrayLike<unknown>>>;

/** Whether totals that were added up as doubles are exact in any order: no part of one was beyond 2⁵³. */
export function areExact({ wanted }: Plan, answer: AnswerColumns): boolean {
  if (wanted.kind !== "totals") return true;
  const counted = wanted.measures.findIndex(({ steps }) => steps === undefined);
  const n = answer[counted < 0 ? "n" : `m${counted}`];
  if (n === undefined) return false;
  const most = wanted.measures.map(({ steps }) => steps === undefined ? 1 : mostSteps(steps));
  const addends = Number.MAX_SAFE_INTEGER / Math.max(1, ...most);
  for (let row = 0; row < n.length; row++) if (!(Number(n[row]) <= addends)) return false;
  return true;
}

/** Reads what a database answered to the query of a plan. */
export function foundOfColumns(
  { wanted, parts, persons }: Plan,
  { g = [], c = [], n = [], k = [], i = [], ...measures }: AnswerColumns,
): Found {
  switch (wanted.kind) {
    case "totals": {
      const groups = groupCountOf(parts);
      const totals = wanted.measures.map(() => new Float64Array(groups));
      totals.forEach((total, measure) => {
        const found = measures[`m${measure}`] ?? [];
        for (let row = 0; row < g.length; row++) {
          total[groupOf(g[row], groups)] = withinTotals(found[row]);
        }
      });
      return { kind: "totals", totals };
    }
    case "cells": {
      const groups = groupCountOf(parts);
      const cells = Array.from({ length: groups }, () => new CellCounts());
      for (let row = 0; row < g.length; row++) {
        cells[groupOf(g[row], groups)]!.addMany(wholeOf(c[row]), wholeOf(measures.m0?.[row]));
      }
      for (const each of cells) each.settle();
      return { kind: "cells", cells };
    }
    case "units": {
      const units = new Map<string, number>();
      for (let row = 0; row < k.length; row++) units.set(String(k[row]), wholeOf(n[row]));
      return { kind: "units", units };
    }
    case "distinct": {
      if (persons === undefined) return { kind: "distinct", count: Number(n[0] ?? 0) };
      const places = new Map<string, number>(), own = new Map<string, number[]>();
      for (let row = 0; row < k.length; row++) {
        const text = String(k[row]), who = String(i[row]);
        let place = places.get(text);
        if (place === undefined) places.set(text, place = places.size);
        const values = own.get(who);
        if (values === undefined) own.set(who, [place]);
        else values.push(place);
      }
      const options = { valueCount: places.size, most: wanted.values };
      return { kind: "distinct", count: largestMatching([...own.values()], options) };
    }
  }
}

/** @throws where a database answers to another question. */
function groupOf(g: unknown, groups: number): number {
  const group = wholeOf(g);
  if (group >= 0 && group < groups) return group;
  throw new Error("Cannot answer: the engine must give groups that were asked for");
}

/** A whole number as a driver gives it: a number, a big one, or a text. */
function wholeOf(value: unknown): number {
  const whole = Number(value ?? NaN);
  if (Number.isInteger(whole)) return whole;
  throw new Error("Cannot answer: the engine must give whole numbers");
}

function withinTotals(total: unknown): number {
  return Math.max(-MOST_TOTAL, Math.min(MOST_TOTAL, wholeOf(total)));
}
