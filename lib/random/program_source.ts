import type { NoiseWidth, ProgramSource, Real } from "../core/continuous_draws.ts";
import type { ExactNumber } from "../core/discrete_source.ts";
import type { Source } from "../core/source.ts";
import { toNumber } from "../numeric/rational.ts";
import { discreteSource } from "./discrete_source.ts";

/**
 * A source with exact discrete draws, continuous draws in floating point and arithmetic as its methods, all drawn from `source`.
 * Continuous draws are for audits, and not for release.
 *
 * @throws {RangeError} from a draw whose options are out of range.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { programSource } from "./program_source.ts";
 * const source = programSource(new SeededSource(1));
 * const noisyCount = source.sum(17, source.laplace({ scale: 2 })); // a number
 * ```
 */
export function programSource(source: Source): ProgramSource {
  const exponential = (): number => -Math.log(source.uniform());
  return {
    ...discreteSource(source),
    split: (label) => programSource(source.split(label)),
    laplace(width): number {
      const scale = scaleOf(width);
      return scale * (exponential() - exponential());
    },
    exponential: (width) => scaleOf(width) * exponential(),
    gumbel: (width) => -scaleOf(width) * Math.log(exponential()),
    gaussian(width): number {
      const deviation = deviationOf(width);
      // Box and Muller 1958.
      return deviation * Math.sqrt(2 * exponential()) * Math.cos(2 * Math.PI * source.uniform());
    },
    sum: (...terms) => terms.reduce((sum: number, term) => sum + plain(term), 0),
    difference: (left, right) => plain(left) - plain(right),
    multiple: (factor, value) => number(factor) * plain(value),
    less: (left, right) => plain(left) < plain(right),
    indexOfLargest(values): number {
      requireSome(values);
      let best = 0;
      for (let i = 1; i < values.length; i++) {
        if (plain(values[best]!) < plain(values[i]!)) best = i;
      }
      return best;
    },
  };
}

/** @throws {RangeError} when there are no values. */
export function requireSome(values: readonly Real[]): void {
  if (values.length === 0) {
    throw new RangeError("Cannot find the largest value: values must be at least one");
  }
}

/** @throws {TypeError} for what is no number: a traced value is from another source. */
function plain(value: Real): number {
  if (typeof value === "number") return value;
  throw new TypeError(`Cannot compute: a value must be a number: current one is a ${typeof value}`);
}

function number(value: ExactNumber): number {
  return typeof value === "number" ? value : toNumber(value);
}

function scaleOf(width: NoiseWidth): number {
  return "scale" in width
    ? positive("scale", number(width.scale))
    : 1 / positive("rate", number(width.rate));
}

function deviationOf(width: Parameters<ProgramSource["gaussian"]>[0]): number {
  return "deviation" in width
    ? positive("deviation", number(width.deviation))
    : Math.sqrt(positive("variance", number(width.variance)));
}

function positive(name: string, value: number): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(
    `Cannot draw noise: ${name} must be positive and finite: current value is ${value}`,
  );
}
