import * as enumerate from "../../tools/enumerate.ts";
import {
  addPolynomials,
  derivative,
  multiplyPolynomials,
  type Polynomial,
  polynomial,
  shifted,
  signAt,
} from "../../../lib/judge/exact/polynomial.ts";
import { monomial, subtractPolynomials, valueAt } from "../../tools/polynomials.ts";
import * as sturm from "../../../lib/judge/exact/sturm.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { casesOf, requireEqual, requireRefused, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";
import { requireRatios } from "./checks/ratio_cases.ts";

type Deciding = typeof sturm & Pick<typeof enumerate, "proveRatios">;

const shipped: Deciding = { ...sturm, proveRatios: enumerate.proveRatios };

/** Value at a whole number, from the highest coefficient down. */
function at(of: Polynomial, t: bigint): bigint {
  return of.reduceRight((sum, coefficient) => sum * t + coefficient, 0n);
}

/** Roots as fractions with their multiplicities, and factors without real roots. */
interface Factored {
  readonly roots: readonly {
    readonly above: number;
    readonly below: number;
    readonly power: number;
  }[];
  readonly factor: bigint;
  readonly of: Polynomial;
}

function factored(source: SeededSource): Factored {
  const below = (limit: number): number => source.uint32() % limit;
  const roots = Array.from({ length: below(5) }, () => ({
    above: below(61) - 20,
    below: 1 + below(5),
    power: 1 + below(4),
  }));
  const factor = ([-6n, -1n, 1n, 4n] as const)[below(4)]!;
  const pairs = Array.from({ length: below(3) }, (): Polynomial => {
    // t² + 2bt + b² + c has no real roots.
    const b = BigInt(below(13) - 6), c = BigInt(1 + below(5));
    return [b * b + c, 2n * b, 1n];
  });
  return {
    roots,
    factor,
    of: multiplyPolynomials(
      [factor],
      ...roots.flatMap(({ above, below, power }) =>
        Array.from({ length: power }, (): Polynomial => [BigInt(-above), BigInt(below)])
      ),
      ...pairs,
    ),
  };
}

/** Returns true if the sign between roots, and beyond the last, is nowhere negative from `first` on. */
function nowhereNegative({ roots, factor }: Factored, first: number): boolean {
  const ends = roots.map(({ above, below }) => above / below).filter((end) => end > first);
  const marks = [first, ...ends.sort((a, b) => a - b), 1000];
  return marks.slice(1).every((end, k) => {
    const middle = (marks[k]! + end) / 2;
    if (end === marks[k]) return true;
    const sign = roots.reduce(
      (sign, { above, below, power }) => middle < above / below && power % 2 === 1 ? -sign : sign,
      factor > 0n ? 1 : -1,
    );
    return sign > 0;
  });
}

/** Negative less than 2⁻⁴⁰ from numerator/2¹⁴, and nowhere else. */
function negativeAt(numerator: bigint): Polynomial {
  const scale = 2n ** 26n;
  return multiplyPolynomials(
    [1n - numerator * scale, 2n ** 40n],
    [-1n - numerator * scale, 2n ** 40n],
  );
}

/** How many are generated. */
const PRODUCTS = 500, PAIRS = 200;

/** Inequalities in powers of t = e^ε, decided for every t ≥ 1. */
export const signsOfPolynomials = theorem<Deciding>({
  id: "exact/signs_of_polynomials",
  statement:
    "Whether p(t) ≥ 0 for all t ≥ a, and how many positive roots p has, is decided by coefficients or by Sturm's sequences as the roots of p say; " +
    "a point where p is negative is shown where a simple one is; ratios of laws are compared with e^ε for every ε at once.",
  citation: "Sturm 1829; Yun 1976 on factors by multiplicity",
  source: "lib/judge/exact/sturm.ts, polynomial.ts, enumerate.ts, on which exact theorems rest",
  remember: () =>
    "(t − 2)² and (t − 2)² − 10⁻¹²⁰ look alike to any floating-point number, and the second one is negative at 2.",
  kind: "sampled",
  checked:
    `in whole numbers: ${PRODUCTS} generated products of up to four known roots of multiplicity 1 to 4 and factors without real roots, from a = −2, 0, 1 and 3; ${PAIRS} generated pairs of polynomials at whole numbers; coefficients of 120 digits; ten pairs of laws by hand`,
  subject: shipped,
  check: ({ nonNegativeFrom, rootsAbove, proveRatios }, { seed }) =>
    casesOf({
      "sums, products, derivatives and shifts are those of values": () => {
        const source = new SeededSource(seed).split("polynomials");
        const some = (): Polynomial =>
          polynomial(
            Array.from({ length: source.uint32() % 6 }, () => BigInt(source.uint32() % 19) - 9n),
          );
        for (let k = 0; k < PAIRS; k++) {
          const p = some(), q = some(), t = BigInt(source.uint32() % 11) - 5n;
          requireEqual(at(addPolynomials(p, q), t), at(p, t) + at(q, t), "sum");
          requireEqual(at(subtractPolynomials(p, q), t), at(p, t) - at(q, t), "difference");
          requireEqual(at(multiplyPolynomials(p, q), t), at(p, t) * at(q, t), "product");
          requireEqual(at(shifted(p, { by: 2n }), t), at(p, t + 2n), "shift");
          requireEqual(valueAt(p, Number(t)), Number(at(p, t)), "value");
          requireEqual(
            derivative(multiplyPolynomials(p, q)),
            addPolynomials(
              multiplyPolynomials(derivative(p), q),
              multiplyPolynomials(p, derivative(q)),
            ),
            "derivative",
          );
          const value = 2n ** BigInt(p.length) *
            p.reduce(
              (sum, c, i) => sum + c * (2n * t + 1n) ** BigInt(i) * 2n ** BigInt(-i + 9),
              0n,
            );
          requireEqual(
            signAt(p, { numerator: 2n * t + 1n, denominator: 2n }),
            value > 0n ? 1 : value < 0n ? -1 : 0,
            "sign",
          );
        }
        requireEqual(polynomial([0n, 1n, 0n, 0n]), [0n, 1n]);
        requireEqual(polynomial([0n]), []);
        requireEqual(monomial(3, 2), [0n, 0n, 3n]);
        requireRefused("a degree below 0", () => monomial(1, -1));
        requireRefused("half a degree", () => monomial(1, 0.5));
      },
      "the sign of a product is that of its factors": () => {
        const source = new SeededSource(seed).split("factors");
        let shown = 0, refuted = 0;
        for (let k = 0; k < PRODUCTS; k++) {
          const product = factored(source), from = ([-2n, 0n, 1n, 3n] as const)[k % 4]!;
          const { holds, counterexample } = nonNegativeFrom(product.of, { from });
          requireEqual(holds, nowhereNegative(product, Number(from)), `product ${k}`);
          const positive = new Set(
            product.roots.filter(({ above }) => above > 0).map(({ above, below }) => above / below),
          );
          if (product.roots.every(({ above }) => above !== 0)) {
            requireEqual(rootsAbove(product.of), positive.size, `roots of product ${k}`);
          }
          if (holds) continue;
          refuted++;
          if (counterexample === undefined) continue;
          shown++;
          const { numerator, denominator } = counterexample, last = product.of.length - 1;
          const value = product.of.reduce(
            (sum, c, i) => sum + c * numerator ** BigInt(i) * denominator ** BigInt(last - i),
            0n,
          );
          requireThat(
            value < 0n && denominator > 0n && numerator >= from * denominator,
            `the point shown for product ${k}`,
          );
        }
        requireThat(shown >= 0.9 * refuted, `${shown} of ${refuted} are shown`);
      },
      "what is told by coefficients, and what by roots": () => {
        requireEqual(nonNegativeFrom([], { from: 1n }).holds, true);
        requireEqual(nonNegativeFrom([4n, -4n, 1n], { from: 1n }), {
          holds: true,
          method: "roots",
        });
        requireEqual(nonNegativeFrom([-1n, 1n], { from: 1n }).method, "coefficients");
        requireEqual(nonNegativeFrom([-1n, 1n], { from: 0n }).holds, false);
        requireEqual([[], [-5n], [1n, -3n, 1n], [0n, 1n, -3n, 1n], [0n, 0n, 1n]].map(rootsAbove), [
          0,
          0,
          2,
          2,
          0,
        ]);
        const huge = 10n ** 120n;
        const square = multiplyPolynomials([-huge, 1n], [-huge, 1n], [3n * huge, 7n]);
        requireEqual(nonNegativeFrom(square, { from: 1n }), { holds: true, method: "roots" });
        const crossing = multiplyPolynomials(square, [-huge - 1n, 1n]);
        requireEqual(nonNegativeFrom(crossing, { from: 1n }).holds, false);
      },
      "a point is found on 17 scales of 128 points": () => {
        const denominator = 2n ** 14n;
        for (const from of [0n, 3n, -2n]) {
          const start = from * denominator;
          for (const away of [1n, 127n, 128n, 77n << 5n, 1n << 14n, 127n << 16n, 128n << 16n]) {
            requireEqual(nonNegativeFrom(negativeAt(start + away), { from }), {
              holds: false,
              method: "roots",
              counterexample: { numerator: start + away, denominator },
            });
          }
          for (const away of [129n, 255n << 1n, 129n << 16n, 65n << 17n]) {
            requireEqual(nonNegativeFrom(negativeAt(start + away), { from }), {
              holds: false,
              method: "roots",
            });
          }
        }
      },
      "laws are compared for every ε": () => requireRatios(proveRatios),
    }),
  mutants: {
    "an even root taken for a change of sign": {
      ...shipped,
      nonNegativeFrom: (of, { from }) => {
        const found = sturm.nonNegativeFrom(of, { from });
        return {
          ...found,
          holds: found.holds && sturm.rootsAbove(shifted(of, { by: from })) === 0,
        };
      },
    },
    "from one more on": {
      ...shipped,
      nonNegativeFrom: (of, { from }) => sturm.nonNegativeFrom(of, { from: from + 1n }),
    },
    "coefficients only": {
      ...shipped,
      nonNegativeFrom: (of, { from }) => {
        const holds = shifted(of, { by: from }).every((coefficient) => coefficient >= 0n);
        return { ...sturm.nonNegativeFrom(of, { from }), holds };
      },
    },
    "ratios of one direction": {
      ...shipped,
      proveRatios: (pairs, options) =>
        enumerate.proveRatios([...pairs].map((pair) => ({ ...pair, right: pair.left })), options),
    },
  },
});
