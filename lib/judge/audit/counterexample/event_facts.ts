import { fillFeature, isCategorical } from "../model/encoding/features.ts";
import { type Outputs, outputValues } from "../kernel/outputs.ts";
import { Thrown } from "../kernel/subject.ts";
import type { Term } from "./event.ts";
import type { EventReport } from "./event_report.ts";

/** Further facts of the draws that an event was counted on, which a reader would look for next. */
export type EventFacts = Pick<EventReport, "example" | "constant" | "beyond">;

/** A side: its encoded outputs, and how many satisfy the rule. */
interface Counted {
  readonly rows: Float64Array;
  readonly hits: number;
}

/** Fewer outputs of a side beyond a threshold say nothing about the tail. */
const FEWEST_BEYOND = 100;
/**
 * Outputs end abruptly where the last of {@linkcode FEWEST_BEYOND} or more is no further out than so many times the way to their median:
 * twice where they are equally dense to the end. In an exponential tail it is seven times or more, but with a probability of 1e-5.
 */
const ABRUPT_END = 3;
/** Outputs with the last value, from which on it was put there on purpose, as by clamping. */
const CLAMPED = 5;

/** Returns the first of these outputs at which the rule holds; an error as its message. */
export function exampleOf(outputs: Outputs, holdsAt: number): { readonly example?: unknown } {
  let at = 0;
  for (const value of outputValues(outputs)) {
    if (at++ === holdsAt) return { example: value instanceof Thrown ? value.message : value };
  }
  return {};
}

/** Returns what a rule of one condition shows in addition to its counts. */
export function conditionFacts(
  { feature, operator, threshold }: Term,
  { left, right, width, label }: {
    readonly left: Counted;
    readonly right: Counted;
    readonly width: number;
    /** The text behind a code of a category. */
    readonly label: ((code: number) => string) | undefined;
  },
): EventFacts {
  const valuesOf = ({ rows }: Counted): Float64Array => {
    const out = new Float64Array(rows.length / width);
    fillFeature(feature, { rows, width, from: 0, to: out.length, out });
    return out;
  };
  const values = { left: valuesOf(left), right: valuesOf(right) };
  const only = {
    ...constantOf("left", values.left, label),
    ...constantOf("right", values.right, label),
  };
  const isThreshold = !isCategorical(feature) && (operator === "<=" || operator === ">");
  const fewer = left.hits / values.left.length < right.hits / values.right.length
    ? values.left
    : values.right;
  const beyond = isThreshold
    ? beyondThreshold(fewer, { isAbove: operator === ">", threshold, ...values })
    : undefined;
  return {
    ...(Object.keys(only).length === 0 ? {} : { constant: only }),
    ...(beyond === undefined ? {} : { beyond }),
  };
}

/** Returns the value of a side, by the side's name, where all its values are the same. */
function constantOf(
  side: "left" | "right",
  values: Float64Array,
  label: ((code: number) => string) | undefined,
): { readonly left?: number | string; readonly right?: number | string } {
  const first = values[0];
  if (first === undefined || values.some((value) => !Object.is(value, first))) return {};
  return { [side]: Number.isNaN(first) ? "NaN" : label === undefined ? first : label(first) };
}

/** Draws beyond the median of the fewer ones that are beyond a threshold; of few values, beyond the first that is further out. */
function beyondThreshold(
  fewer: Float64Array,
  { isAbove, threshold, left, right }: {
    isAbove: boolean;
    threshold: number;
    left: Float64Array;
    right: Float64Array;
  },
): EventReport["beyond"] {
  const sign = isAbove ? 1 : -1;
  // From the threshold outwards.
  const outwards = (values: Float64Array): Float64Array =>
    values.filter((x) => isAbove ? x > threshold : x <= threshold).map((x) => sign * x).sort();
  const tail = outwards(fewer), nearest = tail[0];
  const middle = tail.subarray(tail.length >> 1).find((x) => x > nearest!);
  if (nearest === undefined || middle === undefined || !Number.isFinite(middle)) return undefined;
  const count = (values: Float64Array): number => {
    let hits = 0;
    for (const x of values) if (isAbove ? sign * x > middle : sign * x >= middle) hits++;
    return hits;
  };
  const counts = { left: count(left), right: count(right) };
  if (Math.min(counts.left, counts.right) < FEWEST_BEYOND) return undefined;
  const end = commonEnd([outwards(left), outwards(right)], { from: sign * threshold, middle });
  return {
    threshold: sign * middle,
    ...counts,
    ...(end === undefined ? {} : { end: sign * end }),
  };
}

/** Finds where the outputs of both sides end, if they do so abruptly; each side from the threshold outwards. */
function commonEnd(
  sides: readonly Float64Array[],
  { from, middle }: { readonly from: number; readonly middle: number },
): number | undefined {
  const end = Math.max(...sides.map((side) => side.at(-1)!));
  const isClamped = sides.some((side) => side.at(-CLAMPED) === end);
  return end - from <= ABRUPT_END * (middle - from) && !isClamped ? end : undefined;
}
