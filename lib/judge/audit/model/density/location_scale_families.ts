import { logSumExp } from "../../../../core/numeric/log_sum_exp.ts";

/** Distances of the middles, in median distances of all outputs from their median, and logarithms of ratios of the scales. */
const SHIFTS = [0, 0.3, 0.8, 2, 4], RATIOS = [0, 0.35, 0.7, 1.4, 2.8, 5.5];
/** Logarithms of the geometric mean of both scales, in the same unit. */
const SCALES = [-0.5, 0, 0.5];
/** The median distance from the middle of each law in its standard form: normal, Laplace, Cauchy. */
const SPREADS = [0.6745, Math.LN2, 1];
const NORMAL = Math.log(2 * Math.PI) / 2, CAUCHY = Math.log(Math.PI);

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
const COUNT = FAMILIES.length;
const LAWS = Uint8Array.from(FAMILIES, ({ law }) => law);
const MIDDLES = Float64Array.from(FAMILIES, ({ middle }) => middle);
/** One by the scale of each side, and its logarithm. */
const RATES = [0, 1].map((side) => Float64Array.from(FAMILIES, ({ scales }) => 1 / scales[side]!));
const LOG_RATES = RATES.map((rates) => rates.map(Math.log));
const LOG_PRIORS = Float64Array.from(FAMILIES, ({ weight }) => Math.log(weight));

/** Adds the log density of an output of a side in each family. */
function addLogDensities(value: number, side: 0 | 1, into: Float64Array): void {
  const rates = RATES[side]!, logRates = LOG_RATES[side]!, sign = side === 0 ? 1 : -1;
  for (let k = 0; k < COUNT; k++) {
    const x = (value - sign * MIDDLES[k]!) * rates[k]!;
    into[k]! += logRates[k]! -
      (LAWS[k] === 0
        ? x * x / 2 + NORMAL
        : LAWS[k] === 1
        ? Math.abs(x) + Math.LN2
        : Math.log1p(x * x) + CAUCHY);
  }
}

/** The posterior over families after some outputs, in units of their spread around their median. */
export class LocationScaleFamilies {
  readonly #logs = LOG_PRIORS.slice();

  /** Weighs the families by standardised outputs and their sides. */
  constructor(values: readonly number[], labels: readonly number[]) {
    values.forEach((value, i) => addLogDensities(value, labels[i] as 0 | 1, this.#logs));
    const most = this.#logs.reduce((a, b) => Math.max(a, b));
    for (let k = 0; k < COUNT; k++) this.#logs[k]! -= most;
  }

  /** Returns the log odds that a standardised output comes from the right side. */
  oddsOf(value: number): number {
    const left = this.#logs.slice(), right = this.#logs.slice();
    addLogDensities(value, 0, left);
    addLogDensities(value, 1, right);
    return logSumExp(right) - logSumExp(left);
  }
}
