import type { Column } from "../encoding/encoder_data.ts";
import type { Above, Feature } from "../encoding/features.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { conditionOf } from "./middle_condition.ts";
import {
  addWhere,
  countOdd,
  packConditions,
  packLabels,
  parityOf,
  sumWhere,
} from "./parity_bits.ts";

/** The most numbers of an output that are combined, and the most sets of them. */
const MOST_COLUMNS = 32, MOST_SETS = 6000;

/** The most numbers in a set; fewer where outputs have so many numbers that there are too many sets. */
const MOST_TOGETHER = 4;

/** Sets that are tested after what other features say is taken out, and parities that become features. */
const MOST_TESTED = 32, MOST_KEPT = 4;

/** The nats by which a parity must be clearer than the clearest of as many sets is by chance. */
const CLEARER = 3;

/** How parities are screened. */
interface ParityOptions {
  readonly columns: readonly Column[];
  /** Leading columns that are numbers. */
  readonly elements: number;
  /** Log odds of each label by what is known from other features; 0 if absent. */
  readonly logOdds?: Float64Array | undefined;
  /** The values of columns. */
  readonly known?: KnownValues;
}

/** A parity feature. */
type Parity = Extract<Feature, { readonly kind: "parity" }>;

/**
 * Parities that tell the labels: for two to four numbers of an output, whether an odd number of them lies above the middle of
 * its column. Every function of such conditions is a sum of parities (the Walsh functions), and the parities of three or more are
 * what no single number and no pair shows. All sets of numbers are tested, up to a size with at most
 * {@linkcode MOST_SETS}. A parity is kept that is clearer than the clearest of as many sets is by chance, also after what other
 * features and clearer parities say is taken out.
 */
export function screenParities(all: LabelledRows, options: ParityOptions): Parity[] {
  const { columns, elements, known = new KnownValues(all) } = options;
  if (elements < 2) return [];
  const conditions: Above[] = [];
  for (let index = 0; index < elements && conditions.length < MOST_COLUMNS; index++) {
    const condition = conditionOf(known.column(index), index);
    if (condition !== undefined) conditions.push(condition);
  }
  const together = mostTogether(conditions.length);
  if (together < 2) return [];
  const packed = packConditions(all, conditions);
  const { sets, odd, oddRight } = countOdd(packed, { labels: packLabels(all.labels), together });
  const n = all.labels.length, right = all.labels.reduce((sum, label) => sum + label, 0);
  const least = Math.log(sets.length) + CLEARER;
  const clarity = Float64Array.from(sets, (_, k) => {
    const c = odd[k]!, covariance = oddRight[k]! - (c * right) / n;
    return (n * covariance ** 2) / (2 * (c * (n - c) / n) * (right * (n - right) / n));
  });
  const clear = [...sets.keys()].filter((k) => clarity[k]! > least)
    .sort((a, b) => clarity[b]! - clarity[a]!).slice(0, MOST_TESTED);
  const candidates = clear.map((k) => {
    const own = sets[k]!.map((place) => conditions[place]!);
    const terms = own.map(({ index, threshold }) => `${columns[index]!.name} > ${threshold}`);
    const feature: Parity = {
      kind: "parity",
      conditions: own,
      among: sets.length,
      name: `odd(${terms.join(", ")})`,
    };
    return { feature, bits: parityOf(sets[k]!.map((place) => packed[place]!)), odd: odd[k]! };
  });
  if (candidates.length === 0) return [];
  return clearest(candidates, residuals(all.labels, options.logOdds), least);
}

/** Returns the most numbers in a set such that sets are not too many. */
function mostTogether(columns: number): number {
  let sets = 0, together = 1;
  for (let size = 2, ofSize = columns; size <= Math.min(MOST_TOGETHER, columns); size++) {
    ofSize *= (columns - size + 1) / size;
    sets += ofSize;
    if (sets > MOST_SETS) break;
    together = size;
  }
  return together;
}

/** Labels less what was expected of them. */
function residuals(labels: Uint8Array, logOdds: Float64Array | undefined): Float64Array {
  const left = new Float64Array(labels.length);
  for (let i = 0; i < left.length; i++) {
    left[i] = labels[i]! - 1 / (1 + Math.exp(-(logOdds === undefined ? 0 : logOdds[i]!)));
  }
  return left;
}

/** A parity with the rows on which it is odd, a bit a row, and how many these are. */
interface Candidate {
  readonly feature: Parity;
  readonly bits: Uint32Array;
  readonly odd: number;
}

/** Returns the clearest parities by these residuals, one after the other, each with those before it taken out of the residuals. */
function clearest(
  candidates: readonly Candidate[],
  left: Float64Array,
  least: number,
): Parity[] {
  const n = left.length, kept: Parity[] = [];
  let others = candidates;
  while (kept.length < MOST_KEPT) {
    let sum = 0, square = 0;
    for (let i = 0; i < n; i++) {
      sum += left[i]!;
      square += left[i]! * left[i]!;
    }
    const tested = others.map((candidate) => {
      // Of the parity, 0 or 1, less its mean: its product with the residuals, and its square.
      const { bits, odd } = candidate, mean = odd / n;
      const product = sumWhere(bits, left) - mean * sum, own = odd * (1 - mean);
      return { candidate, slope: product / own, clarity: product ** 2 / (2 * own * (square / n)) };
    }).sort((a, b) => b.clarity - a.clarity);
    const [best] = tested;
    if (best === undefined || !(best.clarity > least)) break;
    const { candidate: { feature, bits, odd }, slope } = best;
    kept.push(feature);
    addWhere(bits, -slope, left);
    for (let i = 0; i < n; i++) left[i]! += slope * (odd / n);
    others = tested.slice(1).map(({ candidate }) => candidate);
  }
  return kept;
}
