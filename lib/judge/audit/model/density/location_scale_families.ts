import { logSumExp } from "../../../../core/numeric/log_sum_exp.ts";

/** Distances of the middles, in median distances of all outputs from their median, and logarithms of ratios of the scales. */
const SHIFTS = [0, 0.3, 0.8, 2, 4], RATIOS = [0, 0.35, 0.7, 1.4, 2.8, 5.5];
/** Logarithms of the geometric mean of both scales, in the same unit. */
const SCALES = [-0.5, 0, 0.5];
/** The median distance from the middle of each law in its standard form: normal, Laplace, Cauchy. */
const SPREADS = [0.6745, Math.LN2, 1];
/** Minus the logarithm of the largest density of each. */
const CONSTANTS = [Math.log(2 * Math.PI) / 2, Math.LN2, Math.log(Math.PI)];

/** Outputs of one number whose noise has one of three laws, with a middle and a scale of its own on each side. */
interface Family {
  readonly law: number;
  /** On the left side; minus that on the right. */
  readonly middle: number;
  readonly scales: readonly [number, number];
  readonly weight: number;
}

const both = (values: readonly number[]): number[] =>
  values.flatMap((value) => value === 0 ? [0] : [value, -value]);

/** All families. Larger differences are less likely. */
const FAMILIES: readonly Family[] = SPREADS.flatMap((spread, law) =>
  both(SHIFTS).flatMap((shift) =>
    both(RATIOS).flatMap((ratio) =>
      SCALES.map((scale) => ({
        law,
        middle: -shift / 2,
        scales: [
          Math.exp(scale + ratio / 2) / spread,
          Math.exp(scale - ratio / 2) / spread,
        ] as const,
        weight: 1 / ((1 + Math.abs(shift)) * (1 + Math.abs(ratio))),
      }))
    )
  )
);
const LAWS = Uint8Array.from(FAMILIES, ({ law }) => law);
/** The middle on each side. */
const MIDDLES_ON = [1, -1].map((sign) =>
  Float64Array.from(FAMILIES, ({ middle }) => sign * middle)
);
/** One by the scale of each side. */
const RATES = [0, 1].map((side) => Float64Array.from(FAMILIES, ({ scales }) => 1 / scales[side]!));
/** The logarithm of the largest density on each side. */
const LARGEST = RATES.map((rates) =>
  rates.map((rate, family) => Math.log(rate) - CONSTANTS[LAWS[family]!]!)
);
const LOG_PRIORS = Float64Array.from(FAMILIES, ({ weight }) => Math.log(weight));

/** Families less likely than the best one by so much, as a logarithm, are left out of odds. */
const RULED_OUT = 16;

/** Products of Cauchy densities are turned into logarithms beyond this. */
const LARGE = 1e100;

/** Returns the log density of outputs of a side in a family, all together. */
function logDensityOf(values: Float64Array, { family, side }: {
  readonly family: number;
  readonly side: 0 | 1;
}): number {
  const middle = MIDDLES_ON[side]![family]!, rate = RATES[side]![family]!;
  const law = LAWS[family]!, n = values.length;
  let sum = n * LARGEST[side]![family]!, product = 1;
  for (let i = 0; i < n; i++) {
    const x = (values[i]! - middle) * rate;
    if (law === 0) sum -= x * x / 2;
    else if (law === 1) sum -= Math.abs(x);
    else {
      product *= 1 + x * x;
      if (product < LARGE) continue;
      sum -= Math.log(product);
      product = 1;
    }
  }
  return law === 2 ? sum - Math.log(product) : sum;
}

/** The posterior over families after some outputs, in units of their spread around their median. */
export class LocationScaleFamilies {
  /** Those that are not ruled out, and the logarithms of their weights. */
  #families: Int32Array;
  #logs: Float64Array;

  /** Weighs the families by standardised outputs and their sides. */
  constructor(values: readonly number[], labels: readonly number[]) {
    const [left, right] = [0, 1].map((side) =>
      Float64Array.from(values.filter((_, i) => labels[i] === side))
    );
    const logs = LOG_PRIORS.map((prior, family) =>
      prior + logDensityOf(left!, { family, side: 0 }) + logDensityOf(right!, { family, side: 1 })
    );
    this.#families = Int32Array.from(logs.keys());
    this.#logs = logs;
    this.#ruleOut();
  }

  #ruleOut(): void {
    const logs = this.#logs;
    let largest = -Infinity, smallest = Infinity;
    for (let i = 0; i < logs.length; i++) {
      largest = Math.max(largest, logs[i]!);
      smallest = Math.min(smallest, logs[i]!);
    }
    const least = largest - RULED_OUT;
    if (smallest >= least) return;
    this.#families = this.#families.filter((_, k) => logs[k]! >= least);
    this.#logs = logs.filter((log) => log >= least);
  }

  /** Weighs them by one more output. */
  learn(value: number, label: number): void {
    this.#addLogsAt(value, label === 0 ? 0 : 1, this.#logs);
    this.#ruleOut();
  }

  /** Returns the log odds that a standardised output comes from the right side. */
  oddsOf(value: number): number {
    const logOf = (side: 0 | 1): number => {
      const logs = this.#logs.slice();
      this.#addLogsAt(value, side, logs);
      return logSumExp(logs);
    };
    return logOf(1) - logOf(0);
  }

  /** Adds the log densities of an output to logarithms of weights. */
  #addLogsAt(value: number, side: 0 | 1, logs: Float64Array): void {
    // As `logDensityOf()` of one output: this is called for each of them, and there are hundreds of families.
    const families = this.#families, middles = MIDDLES_ON[side]!;
    const rates = RATES[side]!, largest = LARGEST[side]!;
    for (let i = 0; i < logs.length; i++) {
      const family = families[i]!, law = LAWS[family]!;
      const x = (value - middles[family]!) * rates[family]!;
      const fall = law === 0 ? x * x / 2 : law === 1 ? Math.abs(x) : Math.log(1 + x * x);
      logs[i]! += largest[family]! - fall;
    }
  }
}
