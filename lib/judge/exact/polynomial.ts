/**
 * A polynomial with whole coefficients, lowest degree first and without leading zeros: `[1n, 0n, 2n]`
 * is 1 + 2t². The zero polynomial is empty.
 */
export type Polynomial = readonly bigint[];

/** Drops leading zeros. */
export function polynomial(coefficients: readonly bigint[]): Polynomial {
  let length = coefficients.length;
  while (coefficients[length - 1] === 0n) length--;
  return coefficients.slice(0, length);
}

/** Returns the sum of all terms. */
export function addPolynomials(...terms: readonly Polynomial[]): Polynomial {
  const length = Math.max(...terms.map((term) => term.length));
  return polynomial(
    Array.from({ length }, (_, i) => terms.reduce((sum, term) => sum + (term[i] ?? 0n), 0n)),
  );
}

/** Returns the product of all factors. */
export function multiplyPolynomials(...factors: readonly Polynomial[]): Polynomial {
  return factors.reduce<Polynomial>((left, right) => {
    const product = new Array<bigint>(left.length + right.length).fill(0n);
    left.forEach((a, i) => right.forEach((b, j) => product[i + j]! += a * b));
    return polynomial(product);
  }, [1n]);
}

/** Returns the derivative in t. */
export function derivative(of: Polynomial): Polynomial {
  return polynomial(of.slice(1).map((coefficient, i) => coefficient * BigInt(i + 1)));
}

/** Returns p(t + by). */
export function shifted(of: Polynomial, { by }: { by: bigint }): Polynomial {
  return of.reduceRight<Polynomial>(
    (sum, coefficient) => addPolynomials(multiplyPolynomials(sum, [by, 1n]), [coefficient]),
    [],
  );
}

/** Returns the sign (−1, 0 or 1) at the fraction numerator/denominator, exactly. The denominator is positive. */
export function signAt(
  of: Polynomial,
  { numerator, denominator }: { numerator: bigint; denominator: bigint },
): number {
  let sum = 0n, power = 1n;
  for (let i = of.length - 1; i >= 0; i--) {
    sum = sum * numerator + of[i]! * power;
    power *= denominator;
  }
  return sum > 0n ? 1 : sum < 0n ? -1 : 0;
}
