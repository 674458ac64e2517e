import { addPolynomials, type Polynomial, polynomial } from "../../lib/judge/exact/polynomial.ts";

/**
 * factor·t^degree.
 *
 * @throws {RangeError} unless degree is a whole number.
 */
export function monomial(factor: number | bigint, degree = 0): Polynomial {
  if (!(Number.isSafeInteger(degree) && degree >= 0)) {
    throw new RangeError(
      `Cannot make a monomial: degree must be a whole number: current value is ${degree}`,
    );
  }
  return polynomial([...new Array<bigint>(degree).fill(0n), BigInt(factor)]);
}

/** `left − right`. */
export function subtractPolynomials(left: Polynomial, right: Polynomial): Polynomial {
  return addPolynomials(left, right.map((coefficient) => -coefficient));
}

/** The value at t as a double, by Horner's rule; overflows to ±Infinity. */
export function valueAt(of: Polynomial, t: number): number {
  return of.reduceRight((sum, coefficient) => sum * t + Number(coefficient), 0);
}
