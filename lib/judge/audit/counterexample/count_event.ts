import type { Rate } from "../../../core/numeric/rates_differ.ts";
import type { Encoder } from "../model/encoding/encoder_data.ts";
import type { Feature } from "../model/encoding/features.ts";
import { exceptedCount, withoutExcepted } from "../subjects/excepted_outputs.ts";
import { conditionFacts, type EventFacts, exampleOf } from "./event_facts.ts";
import type { Event, Term, TwoSides } from "./event.ts";
import type { Condition } from "../model/encoding/condition.ts";
import type { EventReport } from "./event_report.ts";
import { isOfTruths } from "../model/encoding/event_rule.ts";
import { holdingOutputs } from "./holding_outputs.ts";
import { RuleRates } from "./rule_rates.ts";

/** Returns the rule in words and as data, with its counts on some outputs. */
export function countEvent(event: Event, sides: TwoSides): EventReport {
  const { encoder } = event;
  const { kept, exceptedIn } = withoutExceptedSides(sides);
  const conditions = event.terms.map((term) => conditionOf(term, { encoder, kept }));
  const rows = { left: encoder.encode(kept.left), right: encoder.encode(kept.right) };
  const width = encoder.columns.length;
  const counts = {
    left: new RuleRates(rows.left, { width, excepted: exceptedIn.left }).of(event.terms),
    right: new RuleRates(rows.right, { width, excepted: exceptedIn.right }).of(event.terms),
  };
  return {
    description: conditions.map(({ feature, operator, value }) => `${feature} ${operator} ${value}`)
      .join(" and "),
    conditions,
    ...counts,
    ...factsOf(event, { kept, rows, counts, conditions }),
  };
}

/** Returns an output that satisfies the rule, and what else a rule of one condition shows. */
function factsOf(
  event: Event,
  { kept, rows, counts: { left, right }, conditions }: {
    readonly kept: TwoSides;
    readonly conditions: readonly Condition[];
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
      label: labelOf(term.feature, encoder) ??
        // True and false are no codes of a category.
        (typeof conditions[0]!.value === "string" && term.operator !== "is"
          ? (x) => String(x === 1)
          : undefined),
    })),
  };
}

/** Returns the first output at which a rule holds. */
function firstHit({ encoder, terms }: Event, rows: Float64Array): number | undefined {
  for (const { from, holds } of holdingOutputs(rows, { terms, width: encoder.columns.length })) {
    const at = holds.indexOf(1);
    if (at >= 0) return from + at;
  }
  return undefined;
}

/** Returns the outputs of both sides that satisfy no excepted event, and how many do. */
export function withoutExceptedSides(
  { left, right }: TwoSides,
): { kept: TwoSides; exceptedIn: { left: number; right: number } } {
  return {
    kept: { left: withoutExcepted(left), right: withoutExcepted(right) },
    exceptedIn: { left: exceptedCount(left), right: exceptedCount(right) },
  };
}

function conditionOf(
  { feature, operator, threshold }: Term,
  { encoder, kept }: { readonly encoder: Encoder; readonly kept: TwoSides },
): Condition {
  // Features have true as 1 and false as 0; a reader has not.
  if (feature.kind === "column" && operator !== "is" && areTruths(feature.name, kept)) {
    const held = [false, true].filter((truth) => HOLDS[operator](Number(truth), threshold));
    if (held.length === 1) return { feature: feature.name, operator: "=", value: String(held[0]) };
  }
  const label = labelOf(feature, encoder);
  const value = operator === "is" ? "NaN" : label === undefined ? threshold : label(threshold);
  return { feature: feature.name, operator, value };
}

/** Returns true if all that stands at a path is true or false. */
function areTruths(path: string, { left, right }: TwoSides): boolean {
  // Blocks are of numbers.
  if (left.kind === "block" || right.kind === "block") return false;
  return isOfTruths(path, [left.values, right.values]);
}

const HOLDS = {
  "<=": (x: number, threshold: number) => x <= threshold,
  ">": (x: number, threshold: number) => x > threshold,
  "=": (x: number, threshold: number) => x === threshold,
  "!=": (x: number, threshold: number) => x !== threshold,
} as const;

/** Returns a function from codes to texts, where a feature is a category. */
export function labelOf(
  feature: Feature,
  { columns }: Encoder,
): ((code: number) => string) | undefined {
  return feature.kind === "category" ? columns[feature.index]!.label : undefined;
}
