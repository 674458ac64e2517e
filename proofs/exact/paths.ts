import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { nextDown, nextUp } from "../../lib/numeric/round_outward.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { shuffle } from "../../lib/random/shuffle.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  BITS,
  chances,
  type Check,
  lawOf,
  type Program,
  requireBounds,
  respond,
  shipped,
} from "../checks/path_cases.ts";
import { requireDomains, requireOutputKeys, requireRefusals } from "../checks/path_refusals.ts";

/** What enumeration does at its edges. */
export const paths = theorem<Check>({
  id: "exact/paths",
  statement:
    "dpcheck exact decides equality to the last bit of ε, carries what it did not run as mass, merges declared states without changing a " +
    "law, compares all neighbours of a finite domain, and refuses programs that it cannot enumerate.",
  citation: "dpcheck; laws of the cases in closed form",
  source: "lib/exact/enumeration",
  kind: "certified",
  checked:
    "twelve ε from 1e-6 to 170 by randomised response; five remainders of Laplace noise; δ of four laws by hand; walks of up to eight steps with and without merged states; finite domains of eight kinds of rows; eight programs that are refused",
  subject: shipped,
  check: (check, { seed }) =>
    casesOf({
      "equality, and the next double": () => {
        const source = new SeededSource(seed).split("ε");
        for (let k = 0; k < 12; k++) {
          const epsilon = k === 0 ? 170 : Math.exp(18 * source.uniform() - 13.8);
          const tight = check(respond(epsilon), { epsilon });
          requireEqual([tight.verdict, tight.attained, tight.kind, tight.everyEpsilon], [
            "holds",
            true,
            "exact",
            true,
          ]);
          requireEqual(tight.epsilon, { lower: epsilon, upper: epsilon });
          requireEqual(check(respond(epsilon), { epsilon: nextDown(epsilon) }).verdict, "refuted");
          const loose = check(respond(epsilon), { epsilon: nextUp(epsilon) });
          requireEqual([loose.verdict, loose.attained], ["holds", false]);
          requireBounds(loose.epsilon, epsilon, 1e-12 * (1 + epsilon));
        }
        requireBounds(check(respond(170), { epsilon: 171 }).epsilon, 170, 1e-11);
      },
      "the witness": () => {
        const report = check(
          (row, source) => source.bernoulli({ probability: row === 0 ? 0.5 : 0.125 }),
          { epsilon: 1 },
        );
        requireEqual([report.verdict, report.witness!.output, report.witness!.left], [
          "refuted",
          true,
          [0],
        ]);
        requireBounds(report.witness!.probability.left, 0.5, 1e-15);
        requireBounds(report.witness!.probability.right, 0.125, 1e-15);
        requireBounds(report.epsilon, Math.log(4), 1e-13);
        const alone: Program = (row, source) =>
          row === 1 && source.bernoulli({ probability: 0.01 });
        requireEqual(check(alone, { epsilon: 9 }).epsilon.upper, Infinity);
      },
      "δ of laws by hand": () => {
        const epsilon = Math.LN2;
        const program: Program = (row, source) =>
          row === 0
            ? source.bernoulli({ probability: 0.75 })
            : source.bernoulli({ probability: 0.5 }) && source.bernoulli({ probability: 0.5 });
        const report = check(program, { epsilon, delta: 0.3 });
        requireNear(report.delta.upper, 0.25, { relative: 1e-14 });
        requireEqual(report.verdict, "holds");
        requireEqual(check(program, { epsilon, delta: 0.2499 }).verdict, "refuted");
        // Two outputs that must be added up.
        const two: Program = (row, source) =>
          source.choice({ weights: row === 0 ? [3, 3, 1, 1] : [1, 1, 3, 3] });
        requireEqual(check(two, { epsilon: 1e-9, delta: 0.4 }).verdict, "refuted");
        requireEqual(check(two, { epsilon: 1e-9, delta: 0.5 }).verdict, "holds");
        requireBounds(check(two, { epsilon: 1, delta: 0.25 }).epsilon, Math.LN2, 1e-9);
        const rare: Program = (row, source) => row === 0 && source.bernoulli({ probability: 0.25 });
        const tight = check(rare, { epsilon: 1, delta: 0.25 });
        requireEqual([tight.verdict, tight.attained, tight.epsilon], ["holds", true, {
          lower: 0,
          upper: 0,
        }]);
        requireEqual(check(rare, { epsilon: 1, delta: nextDown(0.25) }).verdict, "refuted");
      },
      "what was not run": () => {
        const noisy: Program = (row, source) => row + source.discreteLaplace({ rate: 1 / 2 });
        for (const remainder of [1e-1, 1e-2, 1e-3, 1e-6, 1e-9]) {
          const report = check(noisy, { epsilon: 1 / 2, remainder });
          requireEqual([report.verdict, report.kind, report.attained], [
            "holds",
            "certified",
            false,
          ]);
          requireThat(report.remainder > 0 && report.remainder <= remainder, "remainder");
          requireThat(
            report.epsilon.lower <= 1 / 2 && report.epsilon.upper <= 1 / 2 + 1e-10 &&
              report.epsilon.upper > 1 / 2 - 8 * remainder,
            "least ε",
          );
          // δ(ε) = (1 − e^(ε − 1/2))·P(X ≥ 1), with q/(1 + q) for the chance.
          const epsilon = 1 / 4, q = Math.exp(-1 / 2);
          const delta = (1 - Math.exp(epsilon - 1 / 2)) * (1 - q / (1 + q));
          requireBounds(check(noisy, { epsilon, remainder }).delta, delta, 4 * remainder);
        }
        requireEqual(check(noisy, { epsilon: 0.499, remainder: 1e-6 }).verdict, "refuted");
        const wide: Program = (row, source) =>
          Array.from({ length: 4 }, () => row + source.discreteLaplace({ rate: 1 / 8 }));
        const left = check(wide, { epsilon: 1 / 2, maxBranches: 2000 });
        requireEqual(left.verdict, "undecided");
        requireThat(left.remainder > 0.1 && left.branches <= 20_000, "too much was not run");
        const law = lawOf((source) => source.geometric({ rate: 1 / 2 }), { cut: 0.01 });
        const sum = Object.values(chances(law)).reduce((a, b) => a + b);
        requireThat(!law.complete && law.outputs.size === 8, "outputs above the cut");
        requireNear(Number(law.remainder) / 2 ** BITS, 1 - sum, { absolute: 1e-15 });
        // What comes after a rare value of a finite law is run.
        const rare = lawOf((source) => source.choice({ weights: [500, 400, 1, 1, 1, 1, 300] }), {
          cut: 0.01,
        });
        requireEqual([...rare.outputs.keys()], ["0", "1", "6"]);
        requireEqual(
          [...rare.outputs.values()].every(({ lower }) => lower > 0n) && !rare.complete,
          true,
        );
      },
      "every path once": () => {
        const dice = lawOf((source) => source.integer({ below: 6 }) + source.integer({ below: 6 }));
        requireEqual([dice.branches, dice.complete, dice.remainder < 1n << 20n], [36, true, true]);
        requireNear(chances(dice)["5"]!, 1 / 6, { relative: 1e-14 });
        const orders = lawOf((source) => shuffle(source, [1, 2, 3, 4]));
        requireEqual([orders.outputs.size, orders.branches], [24, 24]);
        const first = lawOf((source) => {
          for (let i = 0; i < 3; i++) if (source.bernoulli({ probability: 0.25 })) return i;
          return "none";
        });
        requireEqual(first.branches, 4);
        requireNear(chances(first)["2"]!, 9 / 64, { relative: 1e-14 });
        const failing = lawOf((source) => {
          if (source.bernoulli({ probability: 0.5 })) throw new Error("too bad");
          return 1;
        });
        const [answer, error, ...more] = [...failing.outputs.keys()].sort();
        requireEqual([
          answer,
          error!.startsWith("thrown Error"),
          error!.includes('"too bad"'),
          more,
        ], [
          "1",
          true,
          true,
          [],
        ]);
      },
      "merged states": () => {
        const walk = (merging: boolean) => (source: DiscreteSource): number => {
          let at = 0;
          for (let i = 0; i < 6; i++) {
            at += source.choice({ exponents: [0, rational(1, 4), rational(1, 3)] }) - 1;
            if (merging) source.merge([i, at]);
          }
          return at;
        };
        const plain = lawOf(walk(false)), merged = lawOf(walk(true));
        requireEqual(plain.branches, 3 ** 6);
        requireThat(merged.branches < 300, () => `${merged.branches} runs with merged states`);
        const [a, b] = [chances(plain), chances(merged)];
        requireEqual(Object.keys(a), Object.keys(b));
        for (const key of Object.keys(a)) requireNear(a[key]!, b[key]!, { relative: 1e-14 });
        const program: Program = (row, source) => {
          if (row === 0) source.integer({ below: 3 });
          const first = row ^ source.choice({ exponents: [0, 1 / 2] });
          source.merge([row, first]);
          return [first, row ^ source.choice({ exponents: [0, 1 / 4] })];
        };
        const report = check(program, { epsilon: 3 / 4 });
        requireEqual([report.verdict, report.attained, report.everyEpsilon], ["holds", true, true]);
        requireEqual(check(program, { epsilon: nextDown(3 / 4) }).verdict, "refuted");
        requireRefused("a state that forgets", () =>
          lawOf((source) => {
            const bit = source.integer({ below: 2 });
            source.merge("nothing");
            return bit + source.integer({ below: 3 });
          }), "after merge()");
        requireRefused("a state that forgets what was drawn first", () =>
          lawOf((source) => {
            const first = source.integer({ below: 2 });
            let at = 0;
            for (let i = 0; i < 4; i++) {
              at += source.discreteLaplace({ rate: 1 });
              if (i > 0) source.merge([i, at]);
            }
            return [at > 2, first];
          }, { cut: 1e-5 }), "after merge()");
      },
      "every ε at once": () => {
        requireEqual(check(respond(1), { epsilon: 1.5 }).everyEpsilon, true);
        // The lie's chance does not fall with ε: at a smaller one the claim is false.
        for (const probability of [0.3, 0.34, 0.4, 0.47, 0.499]) {
          const fixed: Program = (row, source) => row ^ Number(source.bernoulli({ probability }));
          const report = check(fixed, { epsilon: 1 });
          requireEqual([report.verdict, report.everyEpsilon], ["holds", false]);
        }
        // (1 + t)/2 ≤ t² for t ≥ 1, beyond coefficients in t.
        const mixed: Program = (row, source) =>
          source.choice({ exponents: row === 0 ? [0, 0] : [0, 1 / 2] });
        requireEqual(check(mixed, { epsilon: 1 }).everyEpsilon, true);
        // Exponents with few common multiples are left open.
        const odd: Program = (row, source) =>
          row ^ source.choice({ exponents: [0, rational(1000, 1009)] });
        requireEqual(check(odd, { epsilon: 1 }).everyEpsilon, undefined);
      },
      "datasets and neighbours": requireDomains,
      "keys of outputs": requireOutputKeys,
      "programs that cannot be enumerated": () => requireRefusals(check),
    }),
  mutants: {
    "a claim that is one double too small": (program, options) =>
      shipped(program, { ...options, epsilon: nextUp(options.epsilon) }),
    "what was not run is taken for nothing": (program, options) => {
      const report = shipped(program, options);
      return { ...report, delta: { ...report.delta, upper: report.delta.lower } };
    },
    "δ is ignored": (program, { delta: _, ...options }) => shipped(program, options),
    "the row is not told": (program, options) =>
      shipped((_, source) => program(0, source), options),
  },
});
