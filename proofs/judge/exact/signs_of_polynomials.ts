import {
  multiplyPolynomials,
  type Polynomial,
  shifted,
} from "../../../lib/judge/exact/polynomial.ts";
import * as sturm from "../../../lib/judge/exact/sturm.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { casesOf, requireEqual, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

type Deciding = typeof sturm;

const shipped: Deciding = { ...sturm };

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

/** How many products are generated. */
const PRODUCTS = 500;

/** Inequalities in powers of t = e^ε, decided for every t ≥ 1. */
export const signsOfPolynomials = theorem<Deciding>({
  id: "exact/signs_of_polynomials",
  statement:
    "Whether p(t) ≥ 0 for all t ≥ a, and how many positive roots p has, is decided by coefficients or by Sturm's sequences as the roots of p say; " +
    "a point where p is negative is shown where a simple one is.",
  citation: "Sturm 1829; Yun 1976 on factors by multiplicity",
  source: "lib/judge/exact/sturm.ts, on which exact theorems rest",
  remember: () =>
    "(t − 2)² and (t − 2)² − 10⁻¹²⁰ look alike to any floating-point number, and the second one is negative at 2.",
  kind: "sampled",
  checked:
    `in whole numbers: ${PRODUCTS} generated products of up to four known roots of multiplicity 1 to 4 and factors without real roots, from a = −2, 0, 1 and 3; coefficients of 120 digits`,
  subject: shipped,
  check: ({ nonNegativeFrom, rootsAbove }, { seed }) =>
    casesOf({
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
      "coefficients of 120 digits": () => {
        const huge = 10n ** 120n;
        const square = multiplyPolynomials([-huge, 1n], [-huge, 1n], [3n * huge, 7n]);
        requireEqual(nonNegativeFrom(square, { from: 1n }), { holds: true, method: "roots" });
        const crossing = multiplyPolynomials(square, [-huge - 1n, 1n]);
        requireEqual(nonNegativeFrom(crossing, { from: 1n }).holds, false);
      },
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
  },
});
