import {
  derivative,
  multiplyPolynomials,
  type Polynomial,
  polynomial,
  shifted,
  signAt,
} from "./polynomial.ts";

/** Whether a polynomial is never negative on a half-line, and how that was decided. */
interface SignCertificate {
  /** True: p(t) ≥ 0 for every real t ≥ from. */
  readonly holds: boolean;
  /** No negative coefficient in powers of t − from, or a count of roots by Sturm's theorem. */
  readonly method: "coefficients" | "roots";
  /** Where p is negative, exactly, when it does not hold and a simple fraction was found. */
  readonly counterexample?: { readonly numerator: bigint; readonly denominator: bigint };
}

/**
 * Decides p(t) ≥ 0 for all real t ≥ from, exactly, in whole numbers: first by Descartes' rule (all
 * coefficients in powers of t − from at least 0), else by Sturm's theorem on the part of p whose
 * roots have odd multiplicity, which is where p changes sign.
 *
 * @example
 * ```ts
 * import { nonNegativeFrom } from "./sturm.ts";
 * nonNegativeFrom([4n, -4n, 1n], { from: 1n }).holds; // (t − 2)²: true
 * nonNegativeFrom([6n, -5n, 1n], { from: 1n }).holds; // (t − 2)(t − 3): false
 * ```
 */
export function nonNegativeFrom(of: Polynomial, { from }: { from: bigint }): SignCertificate {
  const moved = shifted(of, { by: from });
  if (moved.every((coefficient) => coefficient >= 0n)) {
    return { holds: true, method: "coefficients" };
  }
  const holds = moved.at(-1)! > 0n && rootsAbove(oddPart(moved)) === 0;
  const counterexample = holds ? undefined : negativePoint(of, from);
  return { holds, method: "roots", ...(counterexample && { counterexample }) };
}

/** Returns the number of different roots in (0, ∞), by Sturm's theorem. */
export function rootsAbove(of: Polynomial): number {
  if (of.length <= 1) return 0;
  const chain: Polynomial[] = [of, derivative(of)];
  for (;;) {
    const rest = remainder(chain.at(-2)!, chain.at(-1)!);
    if (rest.length === 0) break;
    chain.push(rest.map((coefficient) => -coefficient));
  }
  // Just right of 0 the sign is that of the lowest coefficient, far out that of the highest.
  const near = chain.map((p) => p.find((coefficient) => coefficient !== 0n)!);
  const far = chain.map((p) => p.at(-1)!);
  return changes(near) - changes(far);
}

function changes(values: readonly bigint[]): number {
  return values.slice(1).filter((value, i) => signOf(value) !== signOf(values[i]!)).length;
}

/** Returns 1 or −1, the sign of a number that is not 0. */
function signOf(value: bigint): bigint {
  return value < 0n ? -1n : 1n;
}

/** Returns the product of p's irreducible factors of odd multiplicity (Yun's square-free decomposition). */
function oddPart(of: Polynomial): Polynomial {
  let odd: Polynomial = [1n];
  let common = gcd(of, derivative(of));
  let rest = quotient(of, common);
  for (let multiplicity = 1; rest.length > 1; multiplicity++) {
    const next = gcd(rest, common);
    if (multiplicity % 2 === 1) odd = multiplyPolynomials(odd, quotient(rest, next));
    rest = next;
    common = quotient(common, next);
  }
  return odd;
}

/** Returns the greatest common factor, without common whole factors, and with either sign. */
function gcd(left: Polynomial, right: Polynomial): Polynomial {
  let [a, b] = [primitive(left), primitive(right)];
  while (b.length > 0) [a, b] = [b, remainder(a, b)];
  return a;
}

/** Returns a positive multiple of the remainder, without common whole factors. */
function remainder(left: Polynomial, right: Polynomial): Polynomial {
  let rest = left;
  while (rest.length >= right.length) rest = stepDown(rest, right);
  return primitive(rest);
}

/** Takes the leading term out of a positive multiple of `rest`. */
function stepDown(rest: Polynomial, right: Polynomial): Polynomial {
  const lead = right.at(-1)!, sign = signOf(lead);
  const factor = rest.at(-1)! * sign, gap = rest.length - right.length;
  return polynomial(
    rest.map((coefficient, i) =>
      coefficient * lead * sign - (i >= gap ? factor * right[i - gap]! : 0n)
    ),
  );
}

/**
 * Returns the exact quotient. `right` divides `left` over the fractions and has no common whole factor, so that the quotient is
 * whole (Gauss's lemma).
 */
function quotient(left: Polynomial, right: Polynomial): Polynomial {
  const out: bigint[] = [], rest = [...left], lead = right.at(-1)!;
  while (rest.length >= right.length) {
    const factor = rest.at(-1)! / lead, gap = rest.length - right.length;
    out.unshift(factor);
    right.forEach((coefficient, i) => rest[gap + i]! -= factor * coefficient);
    rest.pop();
  }
  return out;
}

/** Returns a polynomial divided by the greatest common factor of its coefficients; signs stay. */
function primitive(of: Polynomial): Polynomial {
  let common = 0n;
  for (const coefficient of of) {
    for (let left = coefficient; left !== 0n;) [common, left] = [left, common % left];
  }
  return of.map((coefficient) => coefficient / (common * signOf(common)));
}

/** Returns a fraction on a few scales above `from` where p is negative. */
function negativePoint(
  of: Polynomial,
  from: bigint,
): { numerator: bigint; denominator: bigint } | undefined {
  const denominator = 2n ** 14n;
  for (let scale = 0n; scale <= 16n; scale++) {
    for (let step = 1n; step <= 128n; step++) {
      const point = { numerator: from * denominator + (step << scale), denominator };
      if (signAt(of, point) < 0) return point;
    }
  }
  return undefined;
}
