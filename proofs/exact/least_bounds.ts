import { compareLaws } from "../../lib/exact/enumeration/compare_laws.ts";
import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import { largestLoss, leastEpsilon } from "../../lib/exact/enumeration/least_epsilon.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  excessSign,
  generatedCase,
  requireDelta,
  requireLeast,
} from "../checks/least_bound_cases.ts";
import { lawOf } from "../checks/loss_cases.ts";
import { casesOf, requireEqual, requireThat } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const CASES = 90;

const shipped = { compareLaws, largestLoss, leastEpsilon };

/** Least ε and δ of finite laws. */
export const leastBounds = theorem<typeof shipped>({
  id: "exact/least_bounds",
  statement:
    "The least ε of two laws with a δ is enclosed from both sides, from 1e-12 to 690 and for δ from 0 to next to the mass of an output; so is the least δ at an ε; " +
    "where either law was not run to its end, what is missing of it counts on the safe side.",
  citation: "dpcheck; sums in fractions, e^ε by its series in 400 binary places",
  source: "lib/exact/enumeration: compare_laws, least_epsilon",
  kind: "certified",
  checked:
    "90 generated pairs of laws of six kinds with four δ and 1/2, 1 − 2^−10; δ at five ε each; losses up to e^2700; all four ways in which two laws are complete or not",
  subject: shipped,
  check: ({ compareLaws, largestLoss, leastEpsilon }, { seed }) =>
    casesOf({
      "least ε and δ": () => {
        const source = new SeededSource(seed).split("least bounds");
        const seen = { tiny: 0, large: 0, hidden: 0 };
        for (let k = 0; k < CASES; k++) {
          const each = generatedCase(source, k);
          const { lower, upper } = requireLeast(leastEpsilon, each, `pair ${k}`);
          if (lower > 0 && upper < 1e-6) seen.tiny++;
          if (lower > 300) seen.large++;
          if (each.delta >= 0.5 && lower > 0) seen.hidden++;
          for (const epsilon of [1e-9, 0.1, 1, lower, 3 * source.uniform()]) {
            requireDelta(compareLaws, each, epsilon);
          }
        }
        requireThat(
          seen.tiny > 5 && seen.large > 5 && seen.hidden > 5,
          () => `too few of a kind: ${JSON.stringify(seen)}`,
        );
      },
      "several pairs": () => {
        const source = new SeededSource(seed).split("several pairs");
        const units = { scale: 1n, bits: 200, products: new FactorProducts() };
        for (let k = 0; k < 12; k++) {
          const cases = [0, 6, 12].map((by) => ({ ...generatedCase(source, by), delta: 0.01 }));
          const all = leastEpsilon(cases.map(({ laws }) => laws), { delta: 0.01, units });
          requireThat(
            cases.every((each) => excessSign(each, all.upper) <= 0),
            "one of some pairs does not keep δ",
          );
          requireThat(
            all.lower === 0 || cases.some((each) => excessSign(each, all.lower) >= 0),
            "more than the least ε of some pairs",
          );
        }
      },
      "losses beyond the doubles": () => {
        const bits = 4096, one = 1n << 4096n;
        for (const by of [3, 700, 1023, 1025, 1500, 2200, 3900]) {
          const left = lawOf([one >> 1n, one >> 1n], 0n, true);
          const right = lawOf([one - (one >> BigInt(by)), one >> BigInt(by)], 0n, true);
          for (const [from, to, key] of [[left, right, "1"], [right, left, "0"]] as const) {
            const found = largestLoss({ left: from, right: to }, { bits })!;
            const loss = key === "1" ? (by - 1) * Math.LN2 : Math.log(2) + Math.log1p(-(2 ** -by));
            requireEqual(found.key, key);
            requireThat(
              found.loss.lower <= loss * (1 + 1e-15) && loss <= found.loss.upper * (1 + 1e-15) &&
                found.loss.upper - found.loss.lower <= 1e-14 * (1 + loss),
              () => `[${found.loss.lower}, ${found.loss.upper}] for ${loss}`,
            );
          }
        }
      },
      "laws that were not run to their end": () => {
        const bits = 40, one = 1n << 40n;
        const units = { scale: 1n, bits, products: new FactorProducts() };
        const [p, q, r] = [one >> 1n, one >> 3n, one >> 4n];
        for (const [first, second] of [[true, false], [false, true], [false, false]] as const) {
          const left = lawOf([p, one - p - r], r, first),
            right = lawOf([q, one - q - r], r, second);
          const found = largestLoss({ left, right }, { bits })!;
          requireEqual([found.key, found.loss.upper], ["0", Infinity], "of an open end");
          const least = Math.log(0.5 / (1 / 8 + 1 / 16));
          requireThat(
            found.loss.lower <= least && found.loss.lower >= least - 1e-13,
            () => `a loss of ${found.loss.lower}, not ${least}`,
          );
          requireThat(found.right.upper >= 3 / 16 && found.left.upper >= 9 / 16, "an open end");
          // p − e^ε·(q + r) is 1/2 − (3/16)·e^ε; with r on the left 9/16 − e^ε/8.
          for (
            const [delta, refuted, certain] of [
              [0.2, true, true],
              [0.3, false, false],
              [0.45, false, true],
            ] as const
          ) {
            const of = compareLaws({ left, right }, { epsilon: Math.log(1.25), delta, units });
            requireEqual([of.refuted, of.certain], [refuted, certain], `δ of ${delta}`);
          }
          // The right lacks an output that what was not run may be.
          const lacking = lawOf([0n, one - r], r, second);
          const bound = largestLoss({ left, right: lacking }, { bits })!.loss.lower;
          requireThat(
            bound <= Math.log(8) && bound >= Math.log(8) - 1e-13,
            () => `a loss of ${bound} where an output may be missing`,
          );
        }
      },
    }),
  mutants: {
    "the lower end for the upper one": {
      ...shipped,
      leastEpsilon: (pairs, options) => {
        const { lower } = leastEpsilon(pairs, options);
        return { lower, upper: lower };
      },
    },
    "a wide interval": {
      ...shipped,
      leastEpsilon: (pairs, options) => ({ ...leastEpsilon(pairs, options), lower: 0 }),
    },
    "the right is complete where the left is": {
      ...shipped,
      largestLoss: ({ left, right }, options) =>
        largestLoss({ left, right: { ...right, complete: left.complete } }, options),
    },
    "δ without what was not run": {
      ...shipped,
      compareLaws: ({ left, right }, options) =>
        compareLaws({ left, right: { ...right, remainder: 0n } }, options),
    },
  },
});
