import type { DiscreteLaw } from "../../lib/core/discrete_law.ts";
import { fraction } from "../../lib/exact/enumeration/compare_laws.ts";
import type { OutputLaw } from "../../lib/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import { OtherScale, outcomesOf } from "../../lib/exact/enumeration/law_outcomes.ts";
import { leastEpsilon } from "../../lib/exact/enumeration/least_epsilon.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { exponential } from "../checks/generated_programs.ts";
import { withoutRemainders } from "../checks/without_remainders.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import { BITS, lawOf, type Laws, ONE, requireLosses, shipped } from "../checks/loss_cases.ts";

/** Up to `most` values of a law with their lower bounds. */
function valuesOf(
  outcomes: Laws["outcomesOf"],
  law: DiscreteLaw,
  most: number,
): { value: number; lower: bigint }[] {
  const of = outcomes(law, { scale: 60n, bits: BITS, products: new FactorProducts() });
  const values = [];
  for (let i = 0; i < most; i++) {
    const outcome = of.at(i);
    if (outcome === undefined) break;
    values.push(outcome);
  }
  return values;
}

/** e^−x in units of 2^−400, for x in sixtieths. */
const power = (sixtieths: number): bigint => exponential(-BigInt(sixtieths), 60n);

/** A law as sums say: weights of values, or nothing for those that have a weight of 0. */
function weightOf(law: DiscreteLaw, value: number): bigint {
  const one = 1n << 400n;
  const sixtieths = (
    { numerator, denominator }: { numerator: bigint; denominator: bigint },
  ): number => Number(numerator * 60n / denominator);
  switch (law.kind) {
    case "uniform":
      return one;
    case "geometric":
      return power(sixtieths(law.rate) * value);
    case "discrete laplace":
      return power(sixtieths(law.rate) * Math.abs(value));
    case "exponential coin":
      return value === 1 ? power(sixtieths(law.exponent)) : one - power(sixtieths(law.exponent));
    case "discrete gaussian":
      // −x²/(2·variance), for variances of n/60: 30·x²/n.
      return exponential(-BigInt(30 * value * value), BigInt(sixtieths(law.variance)));
    case "choice": {
      const { exponent, multiplicity = 1n } = law.weights[value]!;
      return multiplicity * power(sixtieths(exponent));
    }
  }
}

/** Laws of single draws, and comparisons of laws of outputs. */
export const lawsOfDraws = theorem<Laws>({
  id: "exact/laws_of_draws",
  statement:
    "The values of each law that a program may draw from come with lower bounds on their chances that add up to no more than 1, and to 1 but for rounding and a tail; bounds on losses, on ε and on δ from such laws hold what their remainders allow, " +
    "however small the chances are.",
  citation: "dpcheck; laws worked out in 400 binary places, by series",
  source: "lib/exact/enumeration: law_outcomes, compare_laws, least_epsilon",
  kind: "certified",
  checked:
    "24 generated laws of six kinds; 60 pairs of laws of six outputs with chances from 2^−190 to 1/8 and remainders; δ in 5 bits",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "chances of values": () => {
        const source = new SeededSource(seed).split("laws");
        for (let k = 0; k < 24; k++) {
          const rate = rational(BigInt(40 + source.uint32() % 160), 60n);
          const law: DiscreteLaw = [
            { kind: "geometric", rate } as const,
            { kind: "discrete laplace", rate } as const,
            { kind: "discrete gaussian", variance: rate } as const,
            { kind: "exponential coin", exponent: rate } as const,
            { kind: "uniform", below: BigInt(1 + source.uint32() % 40) } as const,
            {
              kind: "choice",
              weights: Array.from(
                { length: 1 + source.uint32() % 5 },
                () => ({
                  exponent: rational(BigInt(source.uint32() % 200) - 100n, 60n),
                  multiplicity: BigInt(1 + source.uint32() % 9),
                }),
              ),
            } as const,
          ][k % 6]!;
          const values = valuesOf(of.outcomesOf, law, 250);
          const sum = values.reduce((total, { lower }) => total + lower, 0n);
          requireThat(sum <= ONE && ONE - sum < ONE >> 80n, () =>
            `${law.kind}: chances add up to 1 − ${Number(ONE - sum) / Number(ONE)}`);
          const weights = values.map(({ value }) =>
              weightOf(law, value)
            ),
            total = weights.reduce((a, b) => a + b, 0n);
          requireEqual(new Set(values.map(({ value }) => value)).size, values.length, "values");
          values.forEach(({ value, lower }, i) => {
            const chance = (weights[i]! << 200n) / total;
            // Lower bounds, off by a tail of the sum and roundings.
            requireThat(
              lower <= chance + (chance >> 60n) + 2n &&
                lower + (lower >> 40n) + (1n << 60n) >= chance,
              () => `${law.kind} of ${value}: ${lower} for ${chance}`,
            );
          });
        }
        requireEqual(valuesOf(of.outcomesOf, { kind: "uniform", below: 1n }, 5).length, 1);
        requireEqual(
          valuesOf(of.outcomesOf, { kind: "exponential coin", exponent: rational(0) }, 5).map((
            { value, lower },
          ) => [value, lower === ONE]),
          [[1, true]],
        );
        const units = { scale: 60n, bits: BITS, products: new FactorProducts() };
        requireThat(
          of.outcomesOf({ kind: "geometric", rate: rational(1, 2) }, units).infinite &&
            !of.outcomesOf({ kind: "uniform", below: 3n }, units).infinite,
          "what has no end",
        );
        let other: unknown;
        try {
          of.outcomesOf({ kind: "exponential coin", exponent: rational(1, 7) }, units);
        } catch (error) {
          other = error;
        }
        requireThat(other instanceof OtherScale && other.denominator === 7n, "another scale");
        requireRefused("2^40 values", () =>
          of.outcomesOf({ kind: "uniform", below: 2n ** 40n }, units), "at most 16777216");
        // 2^24 values are taken, without being listed.
        of.outcomesOf({ kind: "uniform", below: 2n ** 24n }, units);
      },
      "fractions are rounded outward": () => {
        for (
          const [value, unit, truth] of [
            [1n, 1n, 0.5],
            [-1n, 1n, -0.5],
            [3n << 1200n, 1202n, 0.75],
            [-(5n << 3000n), 3003n, -0.625],
          ] as const
        ) {
          const [low, high] = [of.fraction(value, unit, false), of.fraction(value, unit, true)];
          requireThat(low <= truth && high >= truth && high - low < 1e-14, () =>
            `[${low}, ${high}] for ${truth}`);
        }
        const third = (1n << 3000n) / 3n;
        requireThat(
          of.fraction(third, 3000n, false) < 1 / 3 && of.fraction(third, 3000n, true) > 1 / 3,
          "a third",
        );
        requireThat(
          of.fraction(third, 3000n, true) - of.fraction(third, 3000n, false) < 1e-14,
          "a third's width",
        );
        requireNear(of.fraction((1n << 90n) / 3n, 1000n, true), 2 ** -910 / 3, { relative: 1e-14 });
        requireEqual([of.fraction(0n, 10n, true), of.fraction(0n, 10n, false)], [0, 0]);
        const rare = Number.MIN_VALUE;
        requireEqual(
          [1n, -1n].map((k) =>
            of.fraction(k, 4096n, k > 0n)
          ),
          [rare, -rare],
          "2^−4096",
        );
        requireEqual([of.fraction(1n, 4096n, false), of.fraction(-1n, 4096n, true)], [0, 0]);
        for (let k = -40n; k <= 40n; k++) {
          // In eighths of the least double.
          const [low, high] = [of.fraction(k, 1077n, false), of.fraction(k, 1077n, true)];
          requireThat(
            BigInt(low / rare) * 8n <= k && BigInt(high / rare) * 8n >= k &&
              (high - low) / rare <= 4,
            () =>
              `[${low}, ${high}] for ${k} eighths of the least double`,
          );
        }
      },
      "losses and least ε": () =>
        requireLosses(of, seed),
      "δ however coarse its numbers are": () => {
        const source = new SeededSource(seed).split("coarse"),
          units = { scale: 1n, bits: 5, products: new FactorProducts() };
        for (let k = 0; k < 300; k++) {
          const row = (): number[] => Array.from({ length: 5 }, () => source.uint32() % 7);
          const [p, q] = [row(), row()],
            epsilon = 0.01 + 3 * source.uniform(),
            factor = Math.exp(epsilon);
          const rest = (side: readonly number[]): number => 32 - side.reduce((a, b) => a + b);
          const law = (side: readonly number[]): OutputLaw =>
            lawOf(side.map(BigInt), BigInt(rest(side)), false);
          const { delta } = of.compareLaws({ left: law(p), right: law(q) }, {
            epsilon,
            delta: 0,
            units,
          });
          const excess = p.reduce((sum, each, i) => sum + Math.max(0, each - factor * q[i]!), 0) /
            32;
          const least = Math.max(0, excess - factor * rest(q) / 32),
            most = Math.min(1, excess + rest(p) / 32);
          requireThat(
            delta.lower <= least + 1e-15 && delta.upper >= most - 1e-15,
            "bounds that are too narrow",
          );
          requireThat(
            least - delta.lower < 0.01 && delta.upper - most < 0.01,
            "bounds that are too wide",
          );
        }
      },
    }),
  mutants: {
    "variances for deviations": {
      ...shipped,
      outcomesOf: (law, units) =>
        outcomesOf(
          law.kind === "discrete gaussian" ? { ...law, variance: rational(2) } : law,
          units,
        ),
    },
    "rounded inward": { ...shipped, fraction: (value, unit, up) => fraction(value, unit, !up) },
    "remainders left out": { ...shipped, largestLoss: withoutRemainders },
    "the first of some pairs": {
      ...shipped,
      leastEpsilon: (pairs, options) => leastEpsilon([...pairs].slice(0, 1), options),
    },
  },
});
