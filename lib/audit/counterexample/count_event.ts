import type { Rate } from "../../numeric/rates_differ.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { type Feature, fillFeature } from "../encoding/features.ts";
import { exceptedCount, withoutExcepted } from "../subjects/excepted_outputs.ts";
import { conditionFacts, type EventFacts, exampleOf } from "./event_facts.ts";
import type { Event, Term, TwoSides } from "./event.ts";
import type { Condition, EventReport } from "./event_report.ts";

/** Outputs that a rule is applied to at a time. */
export const CHUNK = 4096;

/** The rule in words and as data, with its counts on some outputs. */
export function countEvent(event: Event, sides: TwoSides): EventReport {
  const { encoder } = event;
  const { kept, exceptedIn } = withoutExceptedSides(sides);
  const conditions = event.terms.map((term) => conditionOf(term, encoder));
  const rows = { left: encoder.encode(kept.left), right: encoder.encode(kept.right) };
  const counts = {
    left: rateOf(event, rows.left, exceptedIn.left),
    right: rateOf(event, rows.right, exceptedIn.right),
  };
  return {
    description: conditions.map(({ feature, operator, value }) => `${feature} ${operator} ${value}`)
      .join(" and "),
    conditions,
    ...counts,
    ...factsOf(event, { kept, rows, counts }),
  };
}

/** An output that satisfies the rule, and what a rule of one condition shows besides. */
function factsOf(
  event: Event,
  { kept, rows, counts: { left, right } }: {
    readonly kept: TwoSides;
    readonly rows: { readonly left: Float64Array; readonly right: Float64Array };
    readonly counts: { readonly left: Rate; readonly right: Rate };
  },
): EventFacts {
  const { encoder, terms: [term, ...more] } = event;
  const width = encoder.columns.length;
  const side = left.hits / left.draws < right.hits / right.draws ? "right" : "left";
  const first = firstHit(event, rows[side]);
  return {
    ...(first === undefined ? {} : exampleOf(kept[side], first)),
    ...(term === undefined || more.length > 0 ? {} : conditionFacts(term, {
      left: { rows: rows.left, hits: left.hits },
      right: { rows: rows.right, hits: right.hits },
      width,
      label: labelOf(term.feature, encoder),
    })),
  };
}

/** The first output at which a rule holds. */
function firstHit({ encoder, terms }: Event, rows: Float64Array): number | undefined {
  for (const { from, holds } of chunksOf(rows, { terms, width: encoder.columns.length })) {
    const at = holds.indexOf(1);
    if (at >= 0) return from + at;
  }
  return undefined;
}

/** The outputs of both sides that satisfy no excepted event, and how many do. */
export function withoutExceptedSides(
  { left, right }: TwoSides,
): { kept: TwoSides; exceptedIn: { left: number; right: number } } {
  return {
    kept: { left: withoutExcepted(left), right: withoutExcepted(right) },
    exceptedIn: { left: exceptedCount(left), right: exceptedCount(right) },
  };
}

/** How many of some encoded outputs satisfy a rule, of these and the excepted ones. */
function rateOf({ encoder, terms }: Event, rows: Float64Array, excepted: number): Rate {
  const width = encoder.columns.length;
  let hits = 0;
  for (const { holds } of chunksOf(rows, { terms, width })) {
    for (let i = 0; i < holds.length; i++) hits += holds[i]!;
  }
  return { hits, draws: rows.length / width + excepted };
}

/** Encoded outputs in chunks, and for each output 1 where all conditions hold, else 0. */
function* chunksOf(
  rows: Float64Array,
  { terms, width }: { readonly terms: readonly Term[]; readonly width: number },
): Generator<{ readonly from: number; readonly holds: Uint8Array }> {
  const draws = rows.length / width;
  const column = new Float64Array(CHUNK);
  const all = new Uint8Array(CHUNK);
  for (let from = 0; from < draws; from += CHUNK) {
    const to = Math.min(draws, from + CHUNK);
    const holds = all.subarray(0, to - from).fill(1);
    for (const { feature, operator, threshold } of terms) {
      fillFeature(feature, { rows, width, from, to, out: column });
      keepWhere(operator, column, threshold, holds);
    }
    yield { from, holds };
  }
}

/** Sets `holds` to 0 where a condition does not hold. */
export function keepWhere(
  operator: Term["operator"],
  values: Float64Array,
  threshold: number,
  holds: Uint8Array,
): void {
  for (let i = 0; i < holds.length; i++) {
    const x = values[i]!;
    const kept = operator === "<="
      ? x <= threshold
      : operator === ">"
      ? x > threshold
      : operator === "="
      ? x === threshold
      : operator === "!="
      ? x !== threshold && x === x
      : x !== x;
    if (!kept) holds[i] = 0;
  }
}

function conditionOf({ feature, operator, threshold }: Term, encoder: Encoder): Condition {
  const label = labelOf(feature, encoder);
  const value = operator === "is" ? "NaN" : label === undefined ? threshold : label(threshold);
  return { feature: feature.name, operator, value };
}

/** What gives the text behind a code, where a feature is a category. */
export function labelOf(
  feature: Feature,
  { columns }: Encoder,
): ((code: number) => string) | undefined {
  return feature.kind === "category" ? columns[feature.index]!.label : undefined;
}
