import { gridStep } from "../mechanisms/grid.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import type { Row } from "../schema/cells.ts";
import { ratioInterval, reachOf } from "./intervals.ts";
import type { NumberColumn } from "../schema/column.ts";
import { type Measure, ONE } from "./totals.ts";

/** An answer without its key. */
export interface Estimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** What is asked of every group: what is added up, and what follows from the totals with noise. */
export interface Question {
  /** What the answer is called. */
  readonly name: string;
  /** The value of a row; NaN where it is left out. */
  readonly read: (row: Row) => number;
  readonly measures: readonly Measure[];
  /** Called before rows are read. */
  readonly begin?: () => void;
  /** From the laws of the noise in each total, and the number of groups: from noisy totals of one group its answer. */
  readonly finish: (
    laws: readonly IntegerNoise[],
    groupCount: number,
  ) => (totals: readonly number[]) => Estimate;
}

/** How often an interval misses, at most. */
const MISS = 0.05;

/** How many rows, with intervals that each miss so often at most. */
const howManyMissing = (missOf: (groupCount: number) => number): Question => ({
  name: "count",
  read: () => 0,
  measures: [ONE],
  finish: ([law], groupCount) => {
    const reach = reachOf(law!, missOf(groupCount));
    return ([count]) => ({ value: count!, lower: count! - reach, upper: count! + reach });
  },
});

/** How many rows. */
export const howMany: Question = howManyMissing(() => MISS);

/** How many rows, with intervals that hold in all groups at once: noise in each is independent. */
export const howManyInAll: Question = howManyMissing((groupCount) =>
  -Math.expm1(Math.log1p(-MISS) / groupCount)
);

/** Whole steps of values within public limits, each less an origin. */
interface Steps extends Measure {
  readonly granularity: number;
  /** In steps. */
  readonly origin: number;
}

/** Steps are 2⁻²⁶ of the largest that a row adds, or less: 67 million such rows add up exactly. */
const BITS = 26;

/** Steps from an origin for values from `lower` to `upper`; noise is `scale` times as wide as the largest that a row adds. */
function stepsFrom(
  { lower, upper, origin, scale, of = (value: number): number => value }: {
    readonly lower: number;
    readonly upper: number;
    readonly origin: number;
    readonly scale: number;
    /** What is rounded of a value; what is beyond the limits is brought there. */
    readonly of?: (value: number) => number;
  },
): Steps {
  const most = Math.max(origin - lower, upper - origin);
  const granularity = gridStep("divide bounds into steps", {
    sensitivity: most,
    scale: most * Math.max(1, scale),
    bits: BITS,
  });
  const zero = Math.round(origin / granularity);
  // Rounding is monotone, so that no value is beyond these.
  return {
    granularity,
    origin: zero,
    least: Math.min(0, Math.round(lower / granularity) - zero),
    most: Math.max(0, Math.round(upper / granularity) - zero),
    stepsOf: (value) =>
      Math.round(Math.min(upper, Math.max(lower, of(value))) / granularity) - zero,
  };
}

/** A number column, how its cells are read, and how wide noise is beside what one row adds. */
export interface NumbersAsked {
  readonly column: NumberColumn;
  readonly read: (row: Row) => number;
  readonly scale: number;
}

/** The sum of a column. */
export function sumOf({ column: { lower, upper }, read, scale }: NumbersAsked): Question {
  const steps = stepsFrom({ lower, upper, origin: 0, scale });
  return {
    name: "sum",
    read,
    measures: [steps],
    finish: ([law]) => {
      const reach = reachOf(law!, MISS);
      return ([sum]) => ({
        value: sum! * steps.granularity,
        lower: (sum! - reach) * steps.granularity,
        upper: (sum! + reach) * steps.granularity,
      });
    },
  };
}

/** The middle of bounds, without overflow. */
const middleOf = ({ lower, upper }: NumberColumn): number => lower / 2 + upper / 2;

/** Whether all rows count and their number is public: then it needs no noise. */
export interface SizeOptions {
  readonly sizeIsPublic: boolean;
}

/** The rows that are read, and their number where it is public. */
function sized(
  read: NumbersAsked["read"],
  { sizeIsPublic }: SizeOptions,
): Pick<Question, "read" | "begin"> & { readonly size: () => number } {
  let size = 0;
  return {
    begin: () => size = 0,
    read: (row) => {
      if (sizeIsPublic) size++;
      return read(row);
    },
    size: () => size,
  };
}

/**
 * The mean of a column: the sum of distances from the middle of its bounds, and the number of rows, each with noise of its own.
 */
export function meanOf(
  { column, read, scale }: NumbersAsked,
  options: SizeOptions,
): Question {
  const { lower, upper } = column;
  const steps = stepsFrom({ lower, upper, origin: middleOf(column), scale });
  const meanAt = scaledBack(steps, column), { size: publicSize, ...reading } = sized(read, options);
  return {
    name: "mean",
    ...reading,
    measures: options.sizeIsPublic ? [steps] : [steps, ONE],
    finish: ([sumNoise, sizeNoise]) => {
      const interval = ratioOf(steps, { sum: sumNoise!, size: sizeNoise, miss: MISS });
      return ([sum, size = publicSize()]) => {
        const [lower, upper] = interval(sum!, size);
        return {
          value: meanAt(sum! / Math.max(1, size)),
          lower: meanAt(lower),
          upper: meanAt(upper),
        };
      };
    },
  };
}

/**
 * The variance of a column, divided by the number of rows: the mean of squared distances from the middle of the bounds, less the square of the mean
 * distance. Each of the two means has an interval that misses half as often.
 */
export function varianceOf(
  { column, read, scale }: NumbersAsked,
  options: SizeOptions,
): Question {
  const { lower, upper } = column, middle = middleOf(column);
  const most = Math.max(upper - middle, middle - lower) ** 2;
  const first = stepsFrom({ lower, upper, origin: middle, scale });
  const second = stepsFrom({
    lower: 0,
    upper: most,
    origin: most / 2,
    scale,
    of: (value) => (value - middle) ** 2,
  });
  const squareAt = scaledBack(second, { lower: 0, upper: most });
  const distanceAt = (mean: number): number => mean * first.granularity;
  const { size: publicSize, ...reading } = sized(read, options);
  return {
    name: "variance",
    ...reading,
    measures: options.sizeIsPublic ? [first, second] : [first, second, ONE],
    finish: ([firstNoise, secondNoise, size]) => {
      const ofFirst = ratioOf(first, { sum: firstNoise!, size, miss: MISS / 2 });
      const ofSecond = ratioOf(second, { sum: secondNoise!, size, miss: MISS / 2 });
      // The variance of what is within bounds is at most this.
      const within = (value: number): number => Math.min(most, Math.max(0, value));
      return ([distances, squares, rows = publicSize()]) => {
        const [low, high] = ofFirst(distances!, rows).map(distanceAt) as [number, number];
        const [least, greatest] = ofSecond(squares!, rows).map(squareAt) as [number, number];
        const nearest = low > 0 ? low : high < 0 ? high : 0;
        const count = Math.max(1, rows);
        return {
          value: within(squareAt(squares! / count) - distanceAt(distances! / count) ** 2),
          lower: within(least - Math.max(low ** 2, high ** 2)),
          upper: within(greatest - nearest ** 2),
        };
      };
    },
  };
}

/** Intervals for a sum with noise, divided by a number with noise or without. */
function ratioOf(
  { least, most }: Steps,
  { sum, size, miss }: {
    readonly sum: IntegerNoise;
    readonly size: IntegerNoise | undefined;
    readonly miss: number;
  },
): ReturnType<typeof ratioInterval> {
  if (size === undefined) {
    const reach = reachOf(sum, miss);
    return (sum, size) => [(sum - reach) / Math.max(1, size), (sum + reach) / Math.max(1, size)];
  }
  return ratioInterval({ sum, size, lower: least, upper: most, miss });
}

/** From a mean number of steps to a value within bounds. */
function scaledBack(
  { origin, granularity }: Steps,
  { lower, upper }: Pick<NumberColumn, "lower" | "upper">,
): (steps: number) => number {
  return (steps) => Math.min(upper, Math.max(lower, (origin + steps) * granularity)) + 0;
}
