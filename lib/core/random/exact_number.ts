import type { ExactNumber } from "../mechanism/discrete_source.ts";
import { type Rational, rational } from "../numeric/rational.ts";

/**
 * The exact value of an option.
 *
 * @throws {TypeError} unless it is a number or a fraction.
 * @throws {RangeError} when it is not finite.
 */
export function exactNumber(action: string, name: string, value: ExactNumber): Rational {
  if (typeof value === "number" && Number.isFinite(value)) return rational(value);
  if (typeof (value as Rational | undefined)?.denominator === "bigint") return value as Rational;
  throw typeof value === "number"
    ? new RangeError(`Cannot ${action}: ${name} must be finite: current value is ${value}`)
    : new TypeError(
      `Cannot ${action}: ${name} must be a number or a fraction: current value is ${
        value === undefined || value === null ? value : `of type ${typeof value}`
      }`,
    );
}
