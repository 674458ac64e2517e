import type { Claim } from "../../../core/claims/claim.ts";
import { pointsOf } from "../../../core/claims/claim_curve.ts";
import type { Rate } from "../../../core/numeric/rates_differ.ts";
import { encoderOf } from "../model/encoding/encoder.ts";
import type { Encoder } from "../model/encoding/encoder_data.ts";
import { screenRows, WIDE } from "../model/encoding/screen_outputs.ts";
import { SCORE_NAME } from "../model/encoding/screened_rows.ts";
import { UNKNOWN } from "../model/encoding/walk_output.ts";
import {
  type Feature,
  featuresOf,
  fillFeature,
  isCategorical,
} from "../model/encoding/features.ts";
import { growTree, pathTo } from "../model/partition/grow_tree.ts";
import { screenParities } from "../model/partition/screen_parities.ts";
import { labelOf, withoutExceptedSides } from "./count_event.ts";
import type { Event, Term, TwoSides } from "./event.ts";
import { RuleRates } from "./rule_rates.ts";

/** Each condition of a rule multiplies what it shows by this: a shorter rule is better for a reader. */
const CONDITION_FACTOR = 0.85;
/**
 * Of rules that show the same but for chance, the one that is read soonest is taken: each step to read it costs this share of
 * its score.
 */
const READABLE_STEP = 5e-3;
/** The partition that rules are taken from: its leaves at most, and the gain in nats at which a leaf is still split. */
const PARTITION = { maxLeaves: 24, minGain: 1 };
/** A value is frequent that occurs this many times among the first outputs, of which there are `among`. */
const FREQUENT = { times: 50, among: 1000 };
/**
 * Rules may name a category that occurs at least this many times among all outputs, and at most the most frequent ones of a
 * feature.
 */
const NAMED = { times: 5, most: 32 };
/** Standard errors beyond which an excess is clear, though it is the largest of some hundred rules. */
const CLEAR = 4;
/** Outputs for each condition of a rule beyond its first: rules of several conditions fit few outputs by chance. */
const OUTPUTS_PER_CONDITION = 200;
/** Significant digits of a threshold. */
const THRESHOLD_DIGITS = 3;

/** A rule, with its rates on outputs that it was chosen among others on. */
export interface FoundEvent extends Event {
  readonly left: Rate;
  readonly right: Rate;
}

/** Finds the clearest rule; `undefined` when no rule shows an excess. */
export function findEvent(
  claim: Claim,
  { sides, centres }: { sides: TwoSides; centres?: readonly number[] | undefined },
): FoundEvent | undefined {
  const { kept, exceptedIn } = withoutExceptedSides(sides);
  // Rules are found on one half and compared on the other: the best of thousands on one half is too good by selection.
  const encoder = encoderOnHalf(kept), width = encoder.columns.length;
  const [left, leftCompared] = halves(encoder.encode(kept.left), width);
  const [right, rightCompared] = halves(encoder.encode(kept.right), width);
  if (left.length + right.length === 0) return undefined;
  // Outputs that satisfy an excepted event are draws that no rule holds of.
  const halfExcepted = { left: exceptedIn.left / 2, right: exceptedIn.right / 2 };
  const rows = new Float64Array(left.length + right.length);
  rows.set(left);
  rows.set(right, left.length);
  makeUnknownMissing(rows, encoder);
  const labels = new Uint8Array(rows.length / width).fill(1, left.length / width);
  // Learned scores are not features here: a reader cannot compute them.
  const features = [
    ...featuresOf(encoder, { rows, centres }).filter(({ name }) => name !== SCORE_NAME),
    ...screenParities({ rows, labels, width }, encoder),
  ];
  const { partition } = growTree({ rows, labels, width, features }, PARTITION);
  const points = pointsOf(claim);
  const compared = {
    left: new RuleRates(leftCompared, { width, excepted: halfExcepted.left }),
    right: new RuleRates(rightCompared, { width, excepted: halfExcepted.right }),
  };
  const scoreOf = (terms: readonly Term[]): number => {
    const rates = { left: compared.left.of(terms), right: compared.right.of(terms) };
    return clarity(points, rates, CONDITION_FACTOR ** terms.length) *
      (1 -
        READABLE_STEP *
          terms.reduce((sum, term) => sum + stepsToRead(term, encoder), 0));
  };
  const mostConditions = 1 + Math.floor(rows.length / width / OUTPUTS_PER_CONDITION);
  const rules = [...partition.left.keys()].slice(1)
    .map((node): readonly Term[] => pathTo(partition, node).map(termOf))
    .filter(({ length }) => length <= mostConditions);
  for (const feature of features) {
    if (!isCategorical(feature)) rules.push([{ feature, operator: "is", threshold: NaN }]);
    for (const side of [left, right]) {
      for (const threshold of frequentValues(feature, side, width)) {
        rules.push([{ feature, operator: "=", threshold }]);
      }
    }
  }
  let best: readonly Term[] = [], clearest = 0;
  for (const rule of rules) {
    let terms = rule;
    let score = scoreOf(terms);
    // Conditions are dropped that only led to others of the tree.
    for (let k = 0; k < terms.length && terms.length > 1;) {
      const fewer = terms.filter((_, i) => i !== k);
      const without = scoreOf(fewer);
      if (without >= score) {
        terms = fewer;
        score = without;
      } else k++;
    }
    if (score > clearest) {
      clearest = score;
      best = terms;
    }
  }
  if (best.length === 0) return undefined;
  return {
    encoder,
    terms: best,
    left: compared.left.of(best),
    right: compared.right.of(best),
  };
}

/** Returns the encoder of some outputs; of very wide ones it keeps the columns that tell the first halves apart best. */
function encoderOnHalf(sides: TwoSides): Encoder {
  const encoder = encoderOf([sides.left, sides.right]), width = encoder.columns.length;
  if (width <= WIDE) return encoder;
  const [left, right] = [sides.left, sides.right].map((outputs) =>
    halves(encoder.encode(outputs), width)[0]
  ) as [Float64Array, Float64Array];
  const rows = new Float64Array(left.length + right.length);
  rows.set(left);
  rows.set(right, left.length);
  const labels = new Uint8Array(rows.length / width).fill(1, left.length / width);
  return screenRows({ rows, labels, width }, { encoder }).encoder;
}

function halves(rows: Float64Array, width: number): [Float64Array, Float64Array] {
  const half = width * Math.ceil(rows.length / width / 2);
  return [rows.subarray(0, half), rows.subarray(half)];
}

/** Returns the frequent values of a feature: "equal to 3" is easier to read than an interval around 3. Categories may be rare. */
function frequentValues(feature: Feature, rows: Float64Array, width: number): number[] {
  const { times, among } = isCategorical(feature)
    ? { ...NAMED, among: rows.length / width }
    : FREQUENT;
  const values = new Float64Array(Math.min(among, rows.length / width));
  fillFeature(feature, { rows, width, from: 0, to: values.length, out: values });
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isNamed = ([value, count]: [number, number]): boolean =>
    count >= times && !Number.isNaN(value) && !(isCategorical(feature) && value === UNKNOWN);
  return [...counts].filter(isNamed).sort((a, b) => b[1] - a[1]).slice(0, NAMED.most)
    .map(([value]) => value);
}

/** Kinds that an output rarely has, and that say by themselves what went wrong. */
const TELLING_KINDS: readonly (string | undefined)[] = ["null", "NaN"];

/**
 * Returns the distance of a condition from what a reader sees first: that the program fails, that there is no output, then a value, then
 * what must be computed.
 */
function stepsToRead({ feature, operator, threshold }: Term, encoder: Encoder): number {
  if (feature.name.startsWith("kind(") && operator === "=") {
    const kind = labelOf(feature, encoder)?.(threshold);
    return kind === "error" ? 0 : TELLING_KINDS.includes(kind) ? 0.5 : 2;
  }
  const isOpposite = operator === "!=" ? 1 : 0;
  switch (feature.kind) {
    case "category":
      return isOpposite + (feature.name.startsWith("keys(") ? 2 : 0);
    case "column":
      return isOpposite + (feature.name.startsWith("number ") ? 4 : operator === "is" ? 1 : 2);
    default:
      return 5;
  }
}

/** Makes unknown categories missing values of the partition: a rule on them could not be checked by a reader. */
function makeUnknownMissing(rows: Float64Array, { columns }: Encoder): void {
  columns.forEach(({ categorical }, index) => {
    if (!categorical) return;
    for (let at = index; at < rows.length; at += columns.length) {
      if (rows[at] === UNKNOWN) rows[at] = NaN;
    }
  });
}

/**
 * Scores how clearly a rule exceeds the claim. Where the excess, in the worse direction, is more than {@linkcode CLEAR} standard
 * errors, this is above 1: by the certain log ratio of the rates for a claim without δ, as the lower bound of the report rests
 * on that too, and by the excess in standard errors for others. Elsewhere it is below 1, and grows with the certain log ratio.
 */
function clarity(
  points: readonly { epsilon: number; delta: number }[],
  { left, right }: { left: Rate; right: Rate },
  /** Multiplies what is shown. */
  factor: number,
): number {
  const smoothed = (rate: Rate): number => (rate.hits + 0.5) / (rate.draws + 1);
  let worst = 0;
  for (const [more, less] of [[left, right], [right, left]] as const) {
    const p = more.hits / more.draws, q = less.hits / less.draws;
    for (const { epsilon, delta } of points) {
      // Divided by e^ε, which has no double above ε = 709.
      const decay = Math.exp(-epsilon);
      const variance = decay ** 2 * smoothed(more) * (1 - smoothed(more)) / more.draws +
        smoothed(less) * (1 - smoothed(less)) / less.draws;
      worst = Math.max(worst, ((p - delta) * decay - q) / Math.sqrt(variance));
    }
  }
  const certain = Math.max(0, certainLogRatio(left, right), certainLogRatio(right, left));
  if (worst <= CLEAR) return certain / (1 + certain) * factor;
  return 1 + (points.every(({ delta }) => delta === 0) ? certain : worst) * factor;
}

/** Returns the log ratio of two rates less {@linkcode CLEAR} standard errors of each, by the score bounds of a Poisson count. */
function certainLogRatio(more: Rate, less: Rate): number {
  const reach = ({ hits }: Rate): number => CLEAR * Math.sqrt(hits + CLEAR ** 2 / 4);
  const least = more.hits + CLEAR ** 2 / 2 - reach(more);
  const most = less.hits + CLEAR ** 2 / 2 + reach(less);
  return Math.log(least / more.draws) - Math.log(most / less.draws);
}

/** Returns a split of a partition as a condition. Thresholds are rounded before the rule is counted, as the report shows them. */
function termOf(
  { feature, threshold, inside }: { feature: Feature; threshold: number; inside: boolean },
): Term {
  if (isCategorical(feature)) return { feature, operator: inside ? "=" : "!=", threshold };
  const rounded = Number.isInteger(threshold)
    ? threshold
    : Number(threshold.toPrecision(THRESHOLD_DIGITS));
  return { feature, operator: inside ? "<=" : ">", threshold: rounded };
}
