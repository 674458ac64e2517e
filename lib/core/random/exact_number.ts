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
  // Each part is read once: another time it may be another number.
  const { numerator, denominator } = (value ?? {}) as Partial<Rational>;
  if (typeof numerator === "bigint" && typeof denominator === "bigint") {
    return { numerator, denominator };
  }
  throw typeof value === "number"
    ? new RangeError(`Cannot ${action}: ${name} must be finite: current value is ${value}`)
    : new TypeError(
      `Cannot ${action}: ${name} must be a number or a fraction: current value is ${
        value === undefined || value === null ? value : `of type ${typeof value}`
      }`,
    );
}
