import { logSigmoid } from "../../../../core/numeric/log_sigmoid.ts";
import { medianOf } from "../../../../core/numeric/median.ts";
import type { PredictedBatch } from "../../kernel/betting/prediction_batch.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { type NodePosterior, nodePosterior } from "../partition/pruning_mixture.ts";
import { LocationScaleFamilies } from "./location_scale_families.ts";

/** Outputs that kernels learn from, and their numbers. Then the places of families are fixed. */
const MOST_DRAWS = 512, MOST_NUMBERS = 4096;
/** Single numbers that are predicted, where there are many: each takes some microseconds and a place. */
const MOST_SINGLE = 1 << 15;
/** Columns of outputs that are predicted, and different rows that have a cell. */
const MOST_COLUMNS = 32, MOST_ROWS = 1 << 14;
/** Draws from which on outputs are predicted. */
const FROM = 4;
/** The widths of kernels, in median distances of the numbers from their median. */
const WIDTHS = [2 ** -1, 2 ** -6, 2 ** -12];
/** What is added to each side of a cell of a column, by expert. */
const OF_COLUMNS = [0.5, 4, 30, 250];
/** The experts on cells of equal rows: their counts alone, and rare ones taken for outputs of one dataset. */
const OF_ROWS = [oddsByCounts, oddsIfOneSided];
/**
 * The probability that a cell is of one dataset alone, before its draws are looked at, where it has at most `rare` of all draws and where it has more;
 * and that of a draw of the other dataset there.
 */
const ONE_SIDED = { rare: 1 / 8, ifRare: 0.9, else: 0.02, other: 0.01 };
/** The prior shares of single columns, of sums over columns, of cells of equal rows, of kernels, of outermost outputs, and of equal odds. */
const SHARES = { columns: 0.3, sums: 0.1, rows: 0.6, kernels: 0.25, outermost: 0.2, even: 0.05 };
/** Outermost outputs that are kept at each end. */
const MOST_OUTERMOST = 64;
/** A column has families where it has at least so many different numbers; more than one in `DRAWS_PER_VALUE` draws. */
const FEWEST_NUMBERS = 8, DRAWS_PER_VALUE = 8;
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
/** Places are within it, in median distances from the median: their squares are finite. */
const FARTHEST = 2 ** 500;

/** Draws of each side. */
type Cell = [left: number, right: number];

/** A row, what tells it from others, its draws in a batch, and what was predicted of it. */
interface Drawn {
  readonly row: Float64Array;
  readonly key: string;
  readonly counts: Cell;
  odds: number;
}

/** State of a column. */
interface Column {
  readonly middle: number;
  readonly spread: number;
  readonly families: LocationScaleFamilies | undefined;
}

/**
 * Predicts which side outputs come from by densities of both sides. Columns of many numbers have families of noise with a middle and a scale on
 * each side, others a cell for each value; odds of single columns are experts on labels, and so are their sums over all columns, cells
 * of equal rows, and kernels around earlier outputs. Each is weighed by what it predicted of labels so far. So a few outputs tell what
 * leaves must count first.
 */
export class DensityPredictor {
  #width = 0;
  /** The first rows, one after the other, with the labels. */
  #rows: number[] = [];
  #labels: number[] = [];
  readonly #draws: Cell = [0, 0];
  #values: Map<number, Cell>[] = [];
  #equal = new Map<string, Cell>();
  /** The least outputs and the largest, where they are single numbers. */
  #ends = [new Outermost(), new Outermost()] as const;
  /** Predictions of the last outputs. */
  #odds: number[] = [];
  /** Of single columns, of sums, of equal rows, of kernels, and of the expert that sees no difference. */
  #logWeights = new Float64Array();
  #columns: readonly Column[] = [];
  #weighedAt = 0;

  /** Learns from rows that it did not predict, where they are the first, or have other columns than those before. */
  learn({ rows, labels, width }: LabelledRows): void {
    if (width === this.#width) return;
    this.#width = width;
    this.#rows = [];
    this.#labels = [];
    this.#draws.fill(0);
    this.#values = Array.from({ length: width }, () => new Map());
    this.#equal = new Map();
    this.#ends = [new Outermost(), new Outermost()];
    this.#odds = [];
    this.#columns = [];
    this.#weighedAt = 0;
    this.#logWeights = Float64Array.of(
      ...new Array<number>(width).fill(Math.log(SHARES.columns / width)),
      ...OF_COLUMNS.map(() => Math.log(SHARES.sums / OF_COLUMNS.length)),
      ...OF_ROWS.map(() => Math.log(SHARES.rows / OF_ROWS.length)),
      ...WIDTHS.map(() => Math.log(SHARES.kernels / WIDTHS.length)),
      Math.log(SHARES.outermost),
      Math.log(SHARES.even),
    );
    if (width > MOST_COLUMNS) return;
    labels.forEach((label, i) => {
      const row = rows.subarray(i * width, (i + 1) * width), counts: Cell = [0, 0];
      counts[label] = 1;
      this.#add({ row, key: keyOf(row), counts, odds: 0 });
      this.#keep(row, label);
    });
  }

  /** Counts draws of a row in the cells. */
  #add({ row, key, counts }: Drawn): void {
    addTo(this.#draws, counts);
    row.forEach((value, j) => addTo(cellOf(this.#values[j]!, value), counts));
    if (this.#equal.size < MOST_ROWS || this.#equal.has(key)) {
      addTo(cellOf(this.#equal, key), counts);
    }
    if (row.length > 1) return;
    this.#ends[0].add(row[0]!, counts);
    this.#ends[1].add(-row[0]!, counts);
  }

  /** Keeps a row for families and kernels; once these have enough, families learn from it alone. */
  #keep(row: Float64Array, label: number): void {
    if (this.#isOver) {
      row.forEach((value, j) => {
        const column = this.#columns[j];
        if (column === undefined || !Number.isFinite(value)) return;
        column.families?.learn(placeOf(value, column), label);
      });
      return;
    }
    for (const value of row) this.#rows.push(value);
    this.#labels.push(label);
  }

  /** Whether kernels learn no more, and families have fixed places. */
  get #isOver(): boolean {
    return this.#labels.length >= MOST_DRAWS || this.#rows.length >= MOST_NUMBERS;
  }

  /**
   * Returns what is predicted of the rows of a batch, equal ones in a cell of their own, and then learns from them; `undefined` after so many that it
   * learns no more. The first cells are those of earlier outputs, by what was predicted of them; then come those of the largest odds
   * there are, in which nothing is.
   */
  count(
    sides: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): PredictedBatch | undefined {
    if (width !== this.#width || width > MOST_COLUMNS) return undefined;
    const isLong = width > 1 || this.#draws[0] + this.#draws[1] >= MOST_SINGLE;
    if (this.#isOver && isLong && !this.#hasFewValues) return undefined;
    this.#weigh();
    const bins = this.#bins();
    const odds = [...bins.map((bin) => bin.odds), MOST_ODDS, -MOST_ODDS], first = odds.length;
    const { different, inOrder } = equalRows(sides, width), size = 2 * (first + different.length);
    const before = new Float64Array(size), counts = new Float64Array(size);
    bins.forEach(({ draws }, bin) => before[2 * bin] = draws);
    const gains = new Float64Array(this.#logWeights.length);
    const weights = this.#weights();
    for (const each of different) {
      const experts = this.#expertsOn(each), [left, right] = each.counts;
      each.odds = mixed(experts, weights);
      counts.set(each.counts, 2 * odds.length);
      odds.push(each.odds);
      experts.forEach((odds, k) =>
        gains[k]! += left * logSigmoid(-odds) + right * logSigmoid(odds)
      );
    }
    gains.forEach((log, k) => this.#logWeights[k]! += log);
    for (const each of different) this.#add(each);
    for (const [label, own] of inOrder.entries()) {
      for (const { row } of own) this.#keep(row, label);
      for (const { odds } of own.slice(-MOST_DRAWS)) this.#odds.push(odds);
    }
    if (this.#odds.length > MOST_DRAWS) this.#odds = this.#odds.slice(-MOST_DRAWS);
    return { leaves: Int32Array.from(odds.keys()), counts, before, odds: Float64Array.from(odds) };
  }

  /** Whether every column has few values. */
  get #hasFewValues(): boolean {
    const [left, right] = this.#draws;
    return this.#values.every(({ size }) =>
      size < FEWEST_NUMBERS || size < (left + right) / DRAWS_PER_VALUE
    );
  }

  /** Looks at columns anew, where the draws have grown by enough. */
  #weigh(): void {
    const n = this.#labels.length;
    if (n < FROM || (this.#isOver ? n === this.#weighedAt : n < WEIGHED_EVERY * this.#weighedAt)) {
      return;
    }
    this.#weighedAt = n;
    this.#columns = Array.from({ length: this.#width }, (_, j): Column => {
      const values: number[] = [], labels: number[] = [];
      this.#labels.forEach((label, i) => {
        const value = this.#rows[i * this.#width + j]!;
        if (!Number.isFinite(value)) return;
        values.push(value);
        labels.push(label);
      });
      const middle = medianOf(values) ?? NaN;
      const distance = medianOf(values.map((value) => Math.abs(value - middle))) ?? NaN;
      const spread = distance > 0 && distance < Infinity ? distance : Math.abs(middle) || 1;
      const isFew = new Set(values).size < Math.min(FEWEST_NUMBERS, this.#width > 1 ? n : FROM);
      const families = isFew || !Number.isFinite(spread) ? undefined : new LocationScaleFamilies(
        values.map((value) => placeOf(value, { middle, spread })),
        labels,
      );
      return { middle, spread, families };
    });
  }

  /** Returns the log odds that each expert gives to an output. */
  #expertsOn({ row, key }: Drawn): Float64Array {
    const experts = new Float64Array(this.#logWeights.length), width = this.#width;
    if (this.#columns.length === 0) return experts;
    const sums = width, equal = sums + OF_COLUMNS.length, kernels = equal + OF_ROWS.length;
    for (let j = 0; j < width; j++) {
      const value = row[j]!, column = this.#columns[j]!, { families } = column;
      const cell = this.#values[j]!.get(value);
      if (families !== undefined) {
        if (!Number.isFinite(value)) continue;
        const odds = families.oddsOf(placeOf(value, column));
        experts[j] = odds;
        for (let k = 0; k < OF_COLUMNS.length; k++) experts[sums + k]! += odds;
      } else if (cell !== undefined) {
        experts[j] = this.#oddsOf(cell, OF_COLUMNS[0]!);
        for (let k = 0; k < OF_COLUMNS.length; k++) {
          experts[sums + k]! += this.#oddsOf(cell, OF_COLUMNS[k]!);
        }
      }
    }
    const cell = this.#equal.get(key);
    if (cell !== undefined) {
      const posterior = nodePosterior(...cell), draws = this.#draws[0] + this.#draws[1];
      OF_ROWS.forEach((oddsOf, k) => experts[equal + k] = oddsOf(posterior, cell, draws));
    }
    if (width === 1) experts[experts.length - 2] = this.#outermostOdds(row[0]!);
    if (!this.#isClear) this.#fillKernels(row, experts.subarray(kernels));
    return experts.map((odds) => Math.max(-MOST_ODDS, Math.min(MOST_ODDS, odds)));
  }

  /** Whether cells tell all: columns have few values. */
  get #isClear(): boolean {
    return this.#isOver || this.#columns.every(({ families }) => families === undefined);
  }

  #oddsOf([left, right]: Cell, added: number): number {
    const [lefts, rights] = this.#draws;
    return Math.log(
      (right + added) * (lefts + 2 * added) / ((left + added) * (rights + 2 * added)),
    );
  }

  #outermostOdds(value: number): number {
    const totals = this.#draws;
    return this.#ends[0].oddsOf(value, totals) || this.#ends[1].oddsOf(-value, totals);
  }

  #fillKernels(row: Float64Array, experts: Float64Array): void {
    const width = this.#width, [value] = row, [column] = this.#columns;
    const place = placeOf(value!, column!);
    const sums = WIDTHS.map((own) => {
      const base = width > 1 || !Number.isFinite(value)
        ? PSEUDO_COUNT
        : 2 * own / (Math.PI * (1 + place ** 2));
      return [base, base];
    });
    this.#labels.forEach((label, i) => {
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
    const [lefts, rights] = this.#draws;
    sums.forEach(([left, right], k) => {
      experts[k] = Math.log(right! / (rights + 1)) - Math.log(left! / (lefts + 1));
    });
  }

  /** Returns the weights of the experts, the largest 1; 0 for those that have nothing to say. */
  #weights(): Float64Array {
    const logs = this.#logWeights.slice(), width = this.#width;
    if (width === 1) logs.fill(-Infinity, 1, 1 + OF_COLUMNS.length);
    // Few outputs have no tails.
    if (width > 1 || !this.#isOver) logs[logs.length - 2] = -Infinity;
    if (this.#isClear) logs.fill(-Infinity, logs.length - 2 - WIDTHS.length, logs.length - 2);
    if (this.#equal.size === this.#draws[0] + this.#draws[1]) {
      const from = width + OF_COLUMNS.length;
      logs.fill(-Infinity, from, from + OF_ROWS.length);
    }
    const most = logs.reduce((a, b) => Math.max(a, b));
    return logs.map((log) => Math.exp(log - most));
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

/** The least of some numbers, with their draws of each side. */
class Outermost {
  readonly #values: number[] = [];
  readonly #cells: Cell[] = [];

  /** Counts draws of a number. */
  add(value: number, counts: Cell): void {
    const values = this.#values;
    if (values.length === MOST_OUTERMOST && !(value <= values.at(-1)!) || value !== value) return;
    const above = values.findIndex((other) => other >= value);
    const at = above < 0 ? values.length : above;
    if (values[at] === value) return addTo(this.#cells[at]!, counts);
    values.splice(at, 0, value);
    this.#cells.splice(at, 0, [...counts]);
    values.length = this.#cells.length = Math.min(values.length, MOST_OUTERMOST);
  }

  /**
   * Returns the log odds of a number below all of one side, by the draws of the other side that are: half of them, for they are many by
   * chance, too. The next draw of the first side is there with the chance of a record.
   */
  oddsOf(value: number, totals: Cell): number {
    const side = this.#cells[0]?.[0] === 0 ? 1 : 0, other = side === 0 ? 1 : 0;
    const first = this.#cells.findIndex((cell) => cell[other] > 0);
    if (!(value < (this.#values.at(first) ?? -Infinity))) return 0;
    const own = first < 0 ? this.#cells : this.#cells.slice(0, first);
    const beyond = own.reduce((sum, cell) => sum + cell[side], 0);
    const odds = Math.log(beyond / 2 * (totals[other] + 1) / (totals[side] + 1));
    return !(odds > 0) ? 0 : side === 0 ? -odds : odds;
  }
}

/** Returns the log odds that a cell's draws give. */
function oddsByCounts({ probability }: NodePosterior): number {
  return Math.log(probability) - Math.log1p(-probability);
}

/** Returns the log odds of a cell if rare cells are mostly of one dataset alone, which its first draw tells; `all` are the draws of all cells. */
function oddsIfOneSided(
  { logEvidence, probability }: NodePosterior,
  [left, right]: Cell,
  all: number,
): number {
  const { other } = ONE_SIDED;
  const prior = left + right < ONE_SIDED.rare * all ? ONE_SIDED.ifRare : ONE_SIDED.else;
  const [ofLeft, ofRight] = [[left, right], [right, left]].map(([own, others]) =>
    prior / 2 * Math.exp(own! * Math.log1p(-other) + others! * Math.log(other) - logEvidence)
  ) as Cell;
  const rights = (1 - prior) * probability + ofRight * (1 - other) + ofLeft * other;
  const lefts = (1 - prior) * (1 - probability) + ofLeft * (1 - other) + ofRight * other;
  return Math.log(rights) - Math.log(lefts);
}

/** The place of a number in a column, which is finite where the number is. */
function placeOf(value: number, { middle, spread }: Pick<Column, "middle" | "spread">): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, (value - middle) / spread));
}

/** Returns the different rows of a batch, and those of each side in their order. */
function equalRows(
  { left, right }: Readonly<Record<"left" | "right", Float64Array>>,
  width: number,
): { readonly different: readonly Drawn[]; readonly inOrder: readonly (readonly Drawn[])[] } {
  const drawn = new Map<string, Drawn>();
  const inOrder = [left, right].map((own, label) =>
    Array.from({ length: own.length / width }, (_, i) => {
      const row = own.subarray(i * width, (i + 1) * width), key = keyOf(row);
      let equal = drawn.get(key);
      if (equal === undefined) drawn.set(key, equal = { row, key, counts: [0, 0], odds: 0 });
      equal.counts[label]!++;
      return equal;
    })
  );
  return { different: [...drawn.values()], inOrder };
}

/** Returns what tells a row from others, but for the sign of 0. */
function keyOf(row: Float64Array): string {
  return row.join();
}

function addTo(cell: Cell, [left, right]: Cell): void {
  cell[0] += left;
  cell[1] += right;
}

/** Returns the cell of a key, an empty one where there is none. */
function cellOf<Key>(cells: Map<Key, Cell>, key: Key): Cell {
  let cell = cells.get(key);
  if (cell === undefined) cells.set(key, cell = [0, 0]);
  return cell;
}

/** Returns the log odds of the mixture of experts with these weights. */
function mixed(experts: Float64Array, weights: Float64Array): number {
  let right = 0, left = 0;
  experts.forEach((odds, k) => {
    right += weights[k]! / (1 + Math.exp(-odds));
    left += weights[k]! / (1 + Math.exp(odds));
  });
  return Math.log(right) - Math.log(left);
}
