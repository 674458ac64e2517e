import { logSigmoid } from "../../../../core/numeric/log_sigmoid.ts";
import type { PredictedBatch } from "../../kernel/betting/prediction_batch.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { LocationScaleFamilies } from "./location_scale_families.ts";

/** Outputs that are learned from, and their numbers; later ones are no longer predicted, for trees have as much of them. */
const MOST_DRAWS = 512, MOST_NUMBERS = 4096;
/** Columns of outputs that are predicted. */
const MOST_COLUMNS = 16;
/** Draws from which on outputs are predicted. */
const FROM = 4;
/** The widths of kernels, in median distances of the numbers from their median: the last one sees equal outputs alone. */
const WIDTHS = [2, 2 ** -1, 2 ** -3, 2 ** -6, 2 ** -12, 2 ** -30];
/** The prior shares of families of all columns, of all kernels together, and of equal odds. */
const SHARES = { families: 0.4, kernels: 0.4, even: 0.2 };
/** Families are for columns with at least so many different numbers. */
const FEWEST_NUMBERS = 8;
/** What is added to each side of a kernel: half a draw at a place of many columns, a Cauchy law around the median of single numbers. */
const PSEUDO_COUNT = 1 / 2;
/** The largest log odds of an expert. */
const MOST_ODDS = 9;
/** Families are weighed anew when the draws have grown by this factor. */
const WEIGHED_EVERY = 1.1;
/** Bins of odds that earlier outputs had. */
const BINS = 16;
/** Kernels are 0 beyond so many of their widths. */
const FAR = 40;

/** What is known of a column. */
interface Column {
  readonly middle: number;
  readonly spread: number;
  readonly families: LocationScaleFamilies | undefined;
}

/**
 * Predicts which side outputs come from by densities of both sides: of families of noise with a middle and a scale on each side, for each column,
 * and of kernels around earlier outputs, from wide ones to those that see equal outputs alone. Each is an expert on labels, weighed by
 * what it predicted of those so far. So a few outputs tell what cells must count first.
 */
export class DensityPredictor {
  #width = 0;
  /** Rows so far, one after the other. */
  #rows: number[] = [];
  #labels: number[] = [];
  /** What was predicted of earlier outputs. */
  #odds: number[] = [];
  /** Of the families of each column, of the kernels, and of the expert that sees no difference. */
  #logWeights = new Float64Array();
  #columns: readonly Column[] = [];
  #weighedAt = 0;

  /** Learns from rows that it did not predict, where they are the first, or have other columns than those before. */
  learn({ rows, labels, width }: LabelledRows): void {
    if (width === this.#width) return;
    this.#width = width;
    this.#rows = [...rows];
    this.#labels = [...labels];
    this.#odds = this.#labels.map(() => 0);
    this.#weighedAt = 0;
    this.#logWeights = Float64Array.of(
      ...new Array<number>(width).fill(Math.log(SHARES.families / width)),
      ...WIDTHS.map(() => Math.log(SHARES.kernels / WIDTHS.length)),
      Math.log(SHARES.even),
    );
  }

  /**
   * Returns what is predicted of the rows of a batch, each in a cell of its own, and then learns from them; `undefined` after so many that it
   * learns no more. The first cells are those of earlier outputs, by what was predicted of them; then come those of the largest odds
   * there are, in which nothing is.
   */
  count(
    sides: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): PredictedBatch | undefined {
    const isOver = this.#labels.length >= MOST_DRAWS || this.#rows.length >= MOST_NUMBERS;
    if (width !== this.#width || width > MOST_COLUMNS || isOver) return undefined;
    this.#weigh();
    const bins = this.#bins();
    const odds = [...bins.map((bin) => bin.odds), MOST_ODDS, -MOST_ODDS], first = odds.length;
    const rows = [sides.left, sides.right].flatMap((own, label) =>
      Array.from({ length: own.length / width }, (_, i) => ({
        row: own.subarray(i * width, (i + 1) * width),
        label,
      }))
    );
    const before = new Float64Array(2 * (first + rows.length)), counts = before.slice();
    bins.forEach(({ draws }, bin) => before[2 * bin] = draws);
    const gains = new Float64Array(this.#logWeights.length);
    for (const { row, label } of rows) {
      const experts = this.#expertsOn(row), sign = label === 1 ? 1 : -1;
      counts[2 * odds.length + label] = 1;
      odds.push(this.#mixed(experts));
      experts.forEach((own, k) => gains[k]! += logSigmoid(sign * own));
    }
    gains.forEach((log, k) => this.#logWeights[k]! += log);
    for (const { row, label } of rows) {
      this.#rows.push(...row);
      this.#labels.push(label);
    }
    this.#odds.push(...odds.slice(first));
    return { leaves: Int32Array.from(odds.keys()), counts, before, odds: Float64Array.from(odds) };
  }

  /** Looks at columns anew, where the draws have grown by enough. */
  #weigh(): void {
    const n = this.#labels.length;
    if (n < FROM || n < WEIGHED_EVERY * this.#weighedAt) return;
    this.#weighedAt = n;
    this.#columns = Array.from({ length: this.#width }, (_, j): Column => {
      const values: number[] = [], labels: number[] = [];
      this.#labels.forEach((label, i) => {
        const value = this.#rows[i * this.#width + j]!;
        if (!Number.isFinite(value)) return;
        values.push(value);
        labels.push(label);
      });
      const middle = medianOf(values);
      const distance = medianOf(values.map((value) => Math.abs(value - middle)));
      const spread = distance > 0 && distance < Infinity ? distance : Math.abs(middle) || 1;
      const isFew = new Set(values).size < Math.min(FEWEST_NUMBERS, this.#width > 1 ? n : FROM);
      const families = isFew || !Number.isFinite(spread)
        ? undefined
        : new LocationScaleFamilies(values.map((value) => (value - middle) / spread), labels);
      return { middle, spread, families };
    });
  }

  /** Returns the log odds that each expert gives to an output; none sees a difference in what is no number. */
  #expertsOn(row: Float64Array): Float64Array {
    const experts = new Float64Array(this.#logWeights.length), width = this.#width;
    if (this.#columns.length === 0) return experts;
    const places = row.map((value, j) => {
      const { middle, spread } = this.#columns[j]!;
      return (value - middle) / spread;
    });
    this.#columns.forEach(({ families }, j) => {
      if (Number.isFinite(places[j])) experts[j] = families?.oddsOf(places[j]!) ?? 0;
    });
    const sums = WIDTHS.map((own) => {
      const base = width > 1 || !Number.isFinite(places[0])
        ? PSEUDO_COUNT
        : 2 * own / (Math.PI * (1 + places[0]! ** 2));
      return [base, base];
    });
    const counts = [2 * PSEUDO_COUNT, 2 * PSEUDO_COUNT];
    this.#labels.forEach((label, i) => {
      counts[label]!++;
      let distance = 0;
      for (let j = 0; j < width && distance < FAR * WIDTHS[0]!; j++) {
        const value = row[j]!, other = this.#rows[i * width + j]!;
        if (Object.is(value, other)) continue;
        const gap = Math.abs(value - other) / this.#columns[j]!.spread;
        distance += gap >= 0 ? gap : Infinity;
      }
      for (let k = 0; k < WIDTHS.length; k++) {
        const gap = distance / WIDTHS[k]!;
        if (gap >= FAR) break;
        sums[k]![label]! += Math.exp(-gap);
      }
    });
    sums.forEach(([left, right], k) => {
      const odds = Math.log(right! / counts[1]!) - Math.log(left! / counts[0]!);
      experts[width + k] = odds;
    });
    return experts.map((odds) => Math.max(-MOST_ODDS, Math.min(MOST_ODDS, odds)));
  }

  /** Returns the log odds of the mixture of all experts. */
  #mixed(experts: Float64Array): number {
    const most = this.#logWeights.reduce((a, b) => Math.max(a, b));
    let right = 0, left = 0;
    experts.forEach((odds, k) => {
      const weight = Math.exp(this.#logWeights[k]! - most);
      right += weight / (1 + Math.exp(-odds));
      left += weight / (1 + Math.exp(odds));
    });
    return Math.log(right) - Math.log(left);
  }

  /** Returns the odds that were predicted of the later half of all outputs, in bins of even size. */
  #bins(): { readonly odds: number; readonly draws: number }[] {
    const recent = this.#odds.slice(this.#odds.length >> 1).sort((a, b) => a - b);
    const count = Math.min(BINS, recent.length);
    return Array.from({ length: count }, (_, k) => {
      const own = recent.slice(
        Math.floor(k * recent.length / count),
        Math.floor((k + 1) * recent.length / count),
      );
      return { odds: own.reduce((a, b) => a + b, 0) / own.length, draws: own.length };
    });
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
