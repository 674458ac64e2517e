import type { Condition } from "../../audit/model/encoding/condition.ts";

/** The numbers that satisfy all conditions on a feature: those above `from` and up to `to`, or one value. */
export interface EventRegion {
  readonly from: number;
  readonly to: number;
}

/** Returns the interval of an event on one feature; `undefined` where there is no single one, as for several features. */
export function eventRegion(
  conditions: readonly Condition[],
  feature: string,
): EventRegion | undefined {
  let from = -Infinity, to = Infinity;
  for (const { feature: own, operator, value } of conditions) {
    if (own !== feature || typeof value !== "number") return undefined;
    if (operator === "<=") to = Math.min(to, value);
    else if (operator === ">") from = Math.max(from, value);
    else if (operator === "=") from = to = value;
    else return undefined;
  }
  return conditions.length === 0 ? undefined : { from, to };
}

/** Returns true if a value, given as a text, satisfies the conditions; `undefined` where they are on another feature. */
export function satisfies(
  conditions: readonly Condition[],
  { feature, label }: { readonly feature: string; readonly label: string },
): boolean | undefined {
  let holds = true;
  for (const { feature: own, operator, value } of conditions) {
    if (own !== feature) return undefined;
    const x = numberOf(label);
    const same = typeof value === "number" ? x === value : label === value;
    holds &&= operator === "<="
      ? x <= Number(value)
      : operator === ">"
      ? x > Number(value)
      : operator === "="
      ? same
      : operator === "!="
      ? !same
      : Number.isNaN(x);
  }
  return holds;
}

/** The number that a condition compares: booleans are 0 and 1. */
function numberOf(label: string): number {
  return label === "true" ? 1 : label === "false" ? 0 : Number(label);
}
