import { UsedAsValue } from "../mechanism/declared_call.ts";
import type { NoiseWidth, ProgramSource, Real } from "../mechanism/continuous_draws.ts";
import type { ExactNumber } from "../mechanism/discrete_source.ts";
import type { Source } from "../mechanism/source.ts";
import { toNumber } from "../numeric/rational.ts";
import { discreteSource } from "./discrete_source.ts";
import { exactNumber } from "./exact_number.ts";

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
  const draws: ProgramSource & Pick<Date, typeof Symbol.toPrimitive> = {
    ...discreteSource(source),
    [Symbol.toPrimitive]: () => {
      throw new UsedAsValue();
    },
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
    multiple: (factor, value) =>
      (typeof factor === "number" ? factor : toNumber(exactNumber("multiply", "factor", factor))) *
      plain(value),
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
  return draws;
}

/** @throws {TypeError} unless values are a list. @throws {RangeError} when there are none. */
export function requireSome(values: readonly Real[]): void {
  if (!Array.isArray(values)) {
    throw new TypeError("Cannot find the largest value: values must be a list");
  }
  if (values.length === 0) {
    throw new RangeError("Cannot find the largest value: values must be at least one");
  }
}

/** @throws {TypeError} for what is not a number: a traced value is from another source. */
function plain(value: Real): number {
  if (typeof value === "number") return value;
  throw new TypeError(`Cannot compute: a value must be a number: current one is a ${typeof value}`);
}

/** The width of noise by one of two names, of which the first counts where both are given. */
export interface GivenWidth<Name> {
  /** The name. */
  readonly name: Name;
  /** Positive. */
  readonly value: ExactNumber;
}

/**
 * The width of noise.
 *
 * @throws {TypeError} unless it is a record with one of the names, and a number or a fraction.
 * @throws {RangeError} unless it is positive and finite.
 */
export function widthOf<Name extends string>(
  width: unknown,
  names: readonly [Name, Name],
): GivenWidth<Name> {
  const given = typeof width === "object" && width !== null
    ? names.find((each) => each in width)
    : undefined;
  if (given === undefined) {
    throw new TypeError(
      `Cannot draw noise: its width must be given as { ${names[0]} } or { ${names[1]} }`,
    );
  }
  const read = (width as Record<Name, ExactNumber>)[given];
  const value = typeof read === "number" ? read : exactNumber("draw noise", given, read);
  const isPositive = typeof value === "number"
    ? value > 0 && value < Infinity
    : value.numerator > 0n;
  if (!isPositive) throw notPositive(given, value);
  return { name: given, value };
}

function notPositive(name: string, value: ExactNumber): RangeError {
  return new RangeError(
    `Cannot draw noise: ${name} must be positive and finite: current value is ${number(value)}`,
  );
}

function number(value: ExactNumber): number {
  return typeof value === "number" ? value : toNumber(value);
}

/** The names of widths of Gaussian noise, and of other noise. */
export const GAUSSIAN_WIDTHS = ["deviation", "variance"] as const,
  WIDTHS = ["scale", "rate"] as const;

/** The scale of noise. @throws {RangeError} unless it is positive and finite. */
export function scaleOf(width: NoiseWidth): number {
  const { name, value } = widthOf(width, WIDTHS), size = inDoubles(name, value);
  return name === "scale" ? size : 1 / size;
}

/** The deviation of Gaussian noise. @throws {RangeError} unless it is positive and finite. */
export function deviationOf(width: Parameters<ProgramSource["gaussian"]>[0]): number {
  const { name, value } = widthOf(width, GAUSSIAN_WIDTHS), size = inDoubles(name, value);
  return name === "deviation" ? size : Math.sqrt(size);
}

/** @throws {RangeError} for a fraction that no positive double is near. */
function inDoubles(name: string, value: ExactNumber): number {
  const near = number(value);
  if (near > 0 && near < Infinity) return near;
  throw notPositive(name, near);
}
