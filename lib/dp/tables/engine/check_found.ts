import { CellCounts } from "../cell_counts.ts";
import { type Found, groupCountOf, MOST_TOTAL, type Plan } from "./plan.ts";

/**
 * Throws unless an engine answered each plan with whole numbers of its kind, one for each public key: noise on others would be no noise of the claim. It is asked before
 * anything is paid, and says nothing of what was found.
 */
export function checkFound(plans: readonly Plan[], found: readonly Found[]): void {
  if (!Array.isArray(found) || found.length !== plans.length) {
    refuse("an answer for each plan");
  }
  plans.forEach((plan, i) => checkOne(plan, found[i]!));
}

function checkOne({ wanted, parts }: Plan, found: Found): void {
  const groups = groupCountOf(parts);
  if (found?.kind !== wanted.kind) refuse(`${wanted.kind}, as was asked for`);
  switch (found.kind) {
    case "totals": {
      const measures = wanted.kind === "totals" ? wanted.measures.length : 0;
      if (found.totals?.length !== measures) refuse("a list of totals for each measure");
      for (const total of found.totals) {
        if (!(total instanceof Float64Array) || total.length !== groups) {
          refuse("a total for each group");
        }
        for (let i = 0; i < groups; i++) {
          const each = total[i]!;
          if (!(Number.isInteger(each) && Math.abs(each) <= MOST_TOTAL)) {
            refuse("whole numbers within 2^52 of 0");
          }
        }
      }
      return;
    }
    case "cells":
      if (
        found.cells?.length !== groups || !found.cells.every((each) => each instanceof CellCounts)
      ) {
        refuse("counts of cells for each group");
      }
      return;
    case "units":
      if (!(found.units instanceof Map)) refuse("units by text");
      for (const [text, count] of found.units) {
        if (typeof text !== "string" || !isCount(count)) refuse("units by text, as whole numbers");
      }
      return;
    case "distinct":
      if (!isCount(found.count)) refuse("a number of texts");
      return;
  }
}

function isCount(count: unknown): boolean {
  return Number.isSafeInteger(count) && (count as number) >= 0;
}

function refuse(what: string): never {
  throw new Error(`Cannot answer: the engine must give ${what}; nothing was paid`);
}
