import type { Claim } from "../../core/claim.ts";
import { pointsOf } from "../../core/claim_curve.ts";
import type { Rate } from "../../numeric/rates_differ.ts";
import { type Encoder, encoderOf, UNKNOWN } from "../encoding/encoder.ts";
import { type Feature, featuresOf, fillFeature, isCategorical } from "../encoding/features.ts";
import { growTree, pathTo } from "../partition/grow_tree.ts";
import type { Outputs } from "../subjects/outputs.ts";
import type { Condition, EventReport } from "./event_report.ts";

/** Outputs on the two sides of a pair. */
export interface TwoSides {
  readonly left: Outputs;
  readonly right: Outputs;
}

/**
 * A short rule on which the two sides differ most, learned from some outputs: of all cells of a
 * small partition, the one whose excess over the claim is clearest, shorter rules preferred. Count it
 * on other outputs ({@linkcode countEvent}): on these it looks a little better than it is.
 */
export interface Event {
  readonly encoder: Encoder;
  readonly terms: readonly Term[];
}

/** One condition on a feature. NaN satisfies only "is". */
interface Term {
  readonly feature: Feature;
  readonly operator: "<=" | ">" | "=" | "!=" | "is";
  readonly threshold: number;
}

/** What one more condition must be worth, as a factor of the excess in standard errors. */
const CONDITION_COST = 0.85;

/** Learns the clearest rule; `undefined` when no cell shows any excess. */
export function findEvent(
  claim: Claim,
  { sides, centres }: { sides: TwoSides; centres?: readonly number[] | undefined },
): Event | undefined {
  const encoder = encoderOf([sides.left, sides.right]);
  const width = encoder.columns.length;
  // Rules made on one half are judged on the other: thousands were possible, and some look good by luck.
  const [left, leftJudge] = halves(encoder.encode(sides.left), width);
  const [right, rightJudge] = halves(encoder.encode(sides.right), width);
  const rows = new Float64Array(left.length + right.length);
  rows.set(left);
  rows.set(right, left.length);
  leaveOutUnknown(rows, encoder);
  const labels = new Uint8Array(rows.length / width).fill(1, left.length / width);
  // Learned scores tell sides apart well but tell a reader nothing: they are left out.
  const features = featuresOf(encoder, { rows, centres });
  const { partition } = growTree({ rows, labels, width, features }, {
    maxLeaves: 24,
    minGain: 1,
  });
  const points = pointsOf(claim);
  const score = (terms: readonly Term[]): number => {
    const event = { encoder, terms };
    const rates = { left: rateOf(event, leftJudge), right: rateOf(event, rightJudge) };
    return clarity(points, rates) * CONDITION_COST ** terms.length;
  };
  const rules = [...partition.left.keys()].slice(1)
    .map((node): readonly Term[] => pathTo(partition, node).map(termOf));
  for (const feature of features) {
    if (isCategorical(feature)) continue;
    rules.push([{ feature, operator: "is", threshold: NaN }]);
    for (const side of [left, right]) {
      for (const threshold of frequentValues(feature, side, width)) {
        rules.push([{ feature, operator: "=", threshold }]);
      }
    }
  }
  let best: readonly Term[] = [], clearest = 0;
  for (const rule of rules) {
    let terms = rule;
    let own = score(terms);
    // Conditions that only led the way to others are dropped.
    for (let k = 0; k < terms.length && terms.length > 1;) {
      const fewer = terms.filter((_, i) => i !== k);
      const without = score(fewer);
      if (without >= own) {
        terms = fewer;
        own = without;
      } else k++;
    }
    if (own > clearest) {
      clearest = own;
      best = terms;
    }
  }
  return best.length === 0 ? undefined : { encoder, terms: best };
}

function halves(rows: Float64Array, width: number): [Float64Array, Float64Array] {
  const half = width * Math.ceil(rows.length / width / 2);
  return [rows.subarray(0, half), rows.subarray(half)];
}

/** Outputs in which frequent values are looked for, and how often one must be among them. */
const LOOKED_AT = 1000;
const FREQUENT = 50;

/** Values that make up a good part of a feature: a reader would sooner see one than the interval around it. */
function frequentValues(feature: Feature, rows: Float64Array, width: number): number[] {
  const values = new Float64Array(Math.min(LOOKED_AT, rows.length / width));
  fillFeature(feature, { rows, width, from: 0, to: values.length, out: values });
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.keys()].filter((value) => counts.get(value)! >= FREQUENT);
}

/** An unknown category can be in no rule that a reader could check: for the partition it is missing. */
function leaveOutUnknown(rows: Float64Array, { columns }: Encoder): void {
  columns.forEach(({ categorical }, index) => {
    if (!categorical) return;
    for (let at = index; at < rows.length; at += columns.length) {
      if (rows[at] === UNKNOWN) rows[at] = NaN;
    }
  });
}

/** How often the rule holds among some outputs, and what it says. */
export function countEvent(event: Event, sides: TwoSides): EventReport {
  const { encoder } = event;
  const conditions = event.terms.map((term) => conditionOf(term, encoder));
  return {
    description: conditions.map(({ feature, operator, value }) => `${feature} ${operator} ${value}`)
      .join(" and "),
    conditions,
    left: rateOf(event, encoder.encode(sides.left)),
    right: rateOf(event, encoder.encode(sides.right)),
  };
}

const CHUNK = 4096;

function rateOf({ encoder, terms }: Event, rows: Float64Array): Rate {
  const width = encoder.columns.length;
  const draws = rows.length / width;
  const column = new Float64Array(CHUNK);
  const holds = new Uint8Array(CHUNK);
  let hits = 0;
  for (let from = 0; from < draws; from += CHUNK) {
    const to = Math.min(draws, from + CHUNK);
    holds.fill(1);
    for (const { feature, operator, threshold } of terms) {
      fillFeature(feature, { rows, width, from, to, out: column });
      keepWhere(operator, column, threshold, holds);
    }
    for (let i = 0; i < to - from; i++) hits += holds[i]!;
  }
  return { hits, draws };
}

function keepWhere(
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

/** Standard errors beyond which an excess, the largest of some hundred rules, is no luck. */
const CLEAR = 4;

/**
 * How well a rule shows what the claim does not allow: where that is clear, the excess in standard errors, in
 * the worse direction. Where it is not, the rule that comes closest is the one to show: the largest log ratio of
 * the rates that is no luck, less than anything that is clear.
 */
function clarity(
  points: readonly { epsilon: number; delta: number }[],
  { left, right }: { left: Rate; right: Rate },
): number {
  const smoothed = (rate: Rate): number => (rate.hits + 0.5) / (rate.draws + 1);
  let worst = 0;
  for (const [more, less] of [[left, right], [right, left]] as const) {
    const p = more.hits / more.draws, q = less.hits / less.draws;
    for (const { epsilon, delta } of points) {
      const growth = Math.exp(epsilon);
      const variance = smoothed(more) * (1 - smoothed(more)) / more.draws +
        growth ** 2 * smoothed(less) * (1 - smoothed(less)) / less.draws;
      worst = Math.max(worst, (p - growth * q - delta) / Math.sqrt(variance));
    }
  }
  if (worst > CLEAR) return worst;
  const logRatio = Math.abs(Math.log(smoothed(left) / smoothed(right)));
  const error = Math.sqrt(1 / (left.hits + 0.5) + 1 / (right.hits + 0.5));
  const sure = Math.max(0, logRatio - CLEAR * error);
  return sure / (1 + sure);
}

/** A step of a partition as a condition; thresholds get three digits: the rule is what the report says. */
function termOf(
  { feature, threshold, inside }: { feature: Feature; threshold: number; inside: boolean },
): Term {
  if (isCategorical(feature)) return { feature, operator: inside ? "=" : "!=", threshold };
  const rounded = Number.isInteger(threshold) ? threshold : Number(threshold.toPrecision(3));
  return { feature, operator: inside ? "<=" : ">", threshold: rounded };
}

function conditionOf({ feature, operator, threshold }: Term, encoder: Encoder): Condition {
  const label = feature.kind === "category" ? encoder.columns[feature.index]!.label : undefined;
  const value = operator === "is" ? "NaN" : label === undefined ? threshold : label(threshold);
  return { feature: feature.name, operator, value };
}
