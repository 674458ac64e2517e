import { gridStep } from "../mechanisms/grid.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import { ratioInterval, reachOf } from "./intervals.ts";
import type { Numbers } from "./column_values.ts";
import type { StepsOfValue } from "./engine/plan.ts";

/** An answer without its key. */
export interface Estimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** Whether the interval is all that there could be: there are too few rows to tell. */
  readonly tooFew?: boolean;
}

/** Contribution of each row to a total of its group: whole steps within public limits. */
export interface Measure {
  /** At most 0: a row that is left out adds 0. */
  readonly least: number;
  /** At least 0. */
  readonly most: number;
  /** `undefined`: 1 for each row. */
  readonly steps: StepsOfValue | undefined;
  /** The numbers that are read for it. Default: those of the question. */
  readonly numbers?: Numbers;
}

/** One for each row. */
export const ONE: Measure = { least: 0, most: 1, steps: undefined };

/** Question about every group: the totals that it needs, and the answer that follows from them with noise. */
export interface GroupedQuestion {
  /** Name of the answer. */
  readonly name: string;
  /** The numbers that are read; `undefined` where rows are counted. */
  readonly numbers: Numbers | undefined;
  readonly measures: readonly Measure[];
  /** Whether the number of rows is added to the totals without noise. */
  readonly sizeIsPublic?: boolean;
  /** From the laws of the noise in each total, and how often an interval may miss: from noisy totals of one group its answer. */
  readonly finish: (
    laws: readonly IntegerNoise[],
    miss: number,
  ) => (totals: readonly number[]) => Estimate;
}

/** The largest probability that an interval misses. */
export const MISS = 0.05;

/** Counts rows. */
export const howMany: GroupedQuestion = {
  name: "count",
  numbers: undefined,
  measures: [ONE],
  finish: ([law], miss) => {
    const reach = reachOf(law!, miss);
    return ([count]) => ({ value: count!, lower: count! - reach, upper: count! + reach });
  },
};

/** Returns the probability with which each of `count` intervals may miss so that all of them hold at once; a little more if their noise is independent. */
export function missOfEach(count: number, { independent = false } = {}): number {
  if (count <= 1) return MISS;
  return independent ? -Math.expm1(Math.log1p(-MISS) / count) : MISS / count;
}

/** Whole steps of values within public limits, each less an origin. */
interface Steps extends Measure {
  readonly granularity: number;
  /** In steps. */
  readonly origin: number;
  readonly steps: StepsOfValue;
}

/** Steps are 2⁻²⁶ of the largest that a row adds, or less: 67 million such rows add up exactly. */
const BITS = 26;

/** Steps from an origin for values from `lower` to `upper`; noise is `scale` times as wide as the largest that a row adds. */
function stepsFrom(
  { lower, upper, origin, scale, middle }: {
    readonly lower: number;
    readonly upper: number;
    readonly origin: number;
    readonly scale: number;
    /** Where the square of the distance from it is rounded, and not the value. */
    readonly middle?: number;
  },
): Steps {
  const most = Math.max(origin - lower, upper - origin);
  const granularity = gridStep("divide bounds into steps", {
    sensitivity: most,
    scale: most * Math.max(1, scale),
    bits: BITS,
  });
  const rounded = (value: number): number => Math.floor(value / granularity + 0.5);
  const zero = rounded(origin);
  // Rounding is monotone, so that no value is beyond these.
  return {
    granularity,
    origin: zero,
    least: Math.min(0, rounded(lower) - zero),
    most: Math.max(0, rounded(upper) - zero),
    steps: { lower, upper, granularity, origin: zero, middle },
  };
}

/** The numbers of a column, and how wide noise is beside what one row adds. */
export interface NumbersAsked {
  readonly numbers: Numbers;
  readonly scale: number;
}

/** The sum of a column. */
export function sumOf({ numbers, scale }: NumbersAsked): GroupedQuestion {
  const { lower, upper } = numbers, steps = stepsFrom({ lower, upper, origin: 0, scale });
  return {
    name: "sum",
    numbers,
    measures: [steps],
    finish: ([law], miss) => {
      const reach = reachOf(law!, miss);
      return ([sum]) => ({
        value: sum! * steps.granularity,
        lower: (sum! - reach) * steps.granularity,
        upper: (sum! + reach) * steps.granularity,
      });
    },
  };
}

/** The middle of bounds, without overflow. */
const middleOf = ({ lower, upper }: Pick<Numbers, "lower" | "upper">): number =>
  lower / 2 + upper / 2;

/** Whether all rows count and their number is public: then it needs no noise. */
export interface SizeOptions {
  readonly sizeIsPublic: boolean;
}

/**
 * The mean of a column: the sum of distances from the middle of its bounds, and the number of rows, each with noise of its own.
 */
export function meanOf(
  { numbers, scale }: NumbersAsked,
  { sizeIsPublic }: SizeOptions,
): GroupedQuestion {
  const { lower, upper } = numbers;
  const steps = stepsFrom({ lower, upper, origin: middleOf(numbers), scale });
  const meanAt = scaledBack(steps, numbers);
  return {
    name: "mean",
    numbers,
    sizeIsPublic,
    measures: sizeIsPublic ? [steps] : [steps, ONE],
    finish: ([sumNoise, sizeNoise], miss) => {
      const interval = ratioOf(steps, { sum: sumNoise!, size: sizeNoise, miss });
      return ([sum, size = 0]) => {
        const [first, last] = interval(sum!, size), least = meanAt(first), most = meanAt(last);
        const tooFew = least <= lower && most >= upper;
        return {
          value: meanAt(sum! / Math.max(1, size)),
          lower: least,
          upper: most,
          ...(tooFew && { tooFew }),
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
  { numbers, scale }: NumbersAsked,
  { sizeIsPublic }: SizeOptions,
): GroupedQuestion {
  const { lower, upper } = numbers, middle = middleOf(numbers);
  const most = Math.max(upper - middle, middle - lower) ** 2;
  const first = stepsFrom({ lower, upper, origin: middle, scale });
  const second = stepsFrom({
    lower: 0,
    upper: most,
    origin: most / 2,
    scale,
    middle,
  });
  const squareAt = scaledBack(second, { lower: 0, upper: most });
  const distanceAt = (mean: number): number => mean * first.granularity;
  return {
    name: "variance",
    numbers,
    sizeIsPublic,
    measures: sizeIsPublic ? [first, second] : [first, second, ONE],
    finish: ([firstNoise, secondNoise, size], miss) => {
      const ofFirst = ratioOf(first, { sum: firstNoise!, size, miss: miss / 2 });
      const ofSecond = ratioOf(second, { sum: secondNoise!, size, miss: miss / 2 });
      // The variance of what is within bounds is at most this.
      const within = (value: number): number => Math.min(most, Math.max(0, value));
      return ([distances, squares, rows = 0]) => {
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

/**
 * The sum of a column divided by that of another, of which no number is below 0. Each of the two sums has an interval that misses half as often; where that of the second
 * reaches 0 there are too few rows to tell.
 */
export function ratioOfSums({ numbers, scale }: NumbersAsked, per: Numbers): GroupedQuestion {
  const { lower, upper } = numbers;
  if (!(per.lower >= 0)) {
    throw new RangeError(
      `Cannot take a ratio: lower of ${per.name} must be at least 0, for else its sum may be 0: current value is ${per.lower}`,
    );
  }
  const above = stepsFrom({ lower, upper, origin: 0, scale });
  const below = stepsFrom({ lower: per.lower, upper: per.upper, origin: 0, scale });
  const unit = above.granularity / below.granularity;
  return {
    name: "ratio",
    numbers,
    measures: [above, { ...below, numbers: per }],
    finish: ([top, bottom], miss) => {
      const reach = reachOf(top!, miss / 2), other = reachOf(bottom!, miss / 2);
      return ([sum, size]) => {
        const value = sum! / Math.max(1, size!) * unit;
        const least = size! - other, most = size! + other;
        if (least <= 0) return { value, lower: -Infinity, upper: Infinity, tooFew: true };
        const [low, high] = [sum! - reach, sum! + reach];
        return {
          value,
          lower: low / (low < 0 ? least : most) * unit,
          upper: high / (high < 0 ? most : least) * unit,
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
  { lower, upper }: Pick<Numbers, "lower" | "upper">,
): (steps: number) => number {
  return (steps) => Math.min(upper, Math.max(lower, (origin + steps) * granularity)) + 0;
}
