import { approximate, pure } from "../../lib/core/claim.ts";
import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { checkExactly, type ExactOptions } from "../../lib/exact/enumeration/check_exactly.ts";
import { add, rational } from "../../lib/numeric/rational.ts";
import { nextDown, nextUp } from "../../lib/numeric/round_outward.ts";
import { discreteSource } from "../../lib/random/discrete_source.ts";
import { lawOf } from "../checks/path_cases.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

type Check = typeof checkExactly;

/** Runs a program on the rows 0, 1, …, of which neighbours in order are neighbours. */
function checked(
  check: Check,
  program: (row: number, source: DiscreteSource) => unknown,
  { rows, epsilon = 1, delta = 0, ...options }:
    & { readonly rows: number; readonly epsilon?: number; readonly delta?: number }
    & Partial<ExactOptions>,
): ReturnType<Check> {
  const claim = delta === 0
    ? pure({ epsilon, relation })
    : approximate({ epsilon, delta, relation });
  return check(
    { name: "it", run: ([row], source) => program(row as number, discreteSource(source)) },
    {
      claim: claim as ExactOptions["claim"],
      datasets: Array.from({ length: rows }, (_, i) => [i]),
      neighbours: Array.from({ length: rows - 1 }, (_, i) => [i, i + 1] as const),
      ...options,
    },
  );
}

/** Numbers of runs, of states and of datasets. */
export const limitsOfEnumeration = theorem<Check>({
  id: "exact/limits_of_enumeration",
  statement:
    "dpcheck exact runs as many paths as it may and as it must, on all datasets together; programs that may draw for ever are run to a remainder; of declared states " +
    "each that forgets something is refused; claims that are off by 2^−300, or by the last place of a δ, are told apart; the witness is of the pair that loses most.",
  citation: "dpcheck; programs whose laws are known",
  source:
    "lib/exact/enumeration: laws_on_datasets, check_exactly, branching_source, enumerate_outputs",
  kind: "certified",
  checked:
    "three programs of 12 to 20 paths at the limit and one below; two loops without end; 16 places of a state that forgets; exponents 2^−300 apart on 6 ε; five δ and the doubles next to them; limits below the numbers of datasets, states and values; six cuts that are chances of paths; three neighbours in both directions; laws that are equal; six remainders from 1e-72 to 0.1",
  subject: checkExactly,
  check: (check) =>
    casesOf({
      "as many runs as there may be": () => {
        const even = (_: number, source: DiscreteSource): number => source.integer({ below: 5 });
        const rising = (row: number, source: DiscreteSource): number =>
          source.integer({ below: [2, 3, 7][row]! });
        for (
          const [program, rows, runs] of [[even, 4, 20], [rising, 3, 12], [even, 3, 15]] as const
        ) {
          const all = checked(check, program, { rows, maxBranches: runs }).report;
          requireEqual([all.kind, all.branches, all.remainder], ["exact", runs, 0]);
          const fewer = checked(check, program, { rows, maxBranches: runs - 1 }).report;
          requireEqual(fewer.kind, "certified", "of one run less");
          requireThat(fewer.remainder > 0.1, "what was not run is forgotten");
        }
      },
      "fewer runs than datasets or states": () => {
        const constant = (row: number): number => row % 1;
        const one = checked(check, constant, { rows: 3, maxBranches: 1 }).report;
        requireEqual([one.kind, one.branches, one.remainder], ["exact", 3, 0]);
        const merging = (row: number, source: DiscreteSource): number => {
          source.merge("all");
          return row % 1;
        };
        const none = checked(check, merging, { rows: 3, maxBranches: 1 });
        requireThat(none.report.remainder >= 1, "all is left out");
        requireEqual([none.report.kind, none.report.witness], [
          "certified",
          undefined,
        ]);
        requireThat(
          none.details.laws.every(({ outputs, remainder }) =>
            outputs.size === 0 && remainder === 1n << BigInt(none.details.units.bits)
          ),
          "a law of which nothing was run",
        );
        // Half of the mass is one path, the other half is many.
        for (const many of [30, 64, 1024]) {
          const half = (_: number, source: DiscreteSource): number =>
            source.integer({ below: 2 }) === 0 ? -1 : source.integer({ below: many });
          const { report } = checked(check, half, { rows: 2, maxBranches: 40 });
          const left = report.remainder;
          // δ of 0.9 holds whatever half of the mass does.
          const loose = checked(check, half, { rows: 2, maxBranches: 40, delta: 0.9 }).report;
          requireEqual([loose.verdict, loose.remainder], ["holds", left], "a large δ");
          for (
            const [remainder, verdict] of [[left, "holds"], [nextDown(left), "undecided"]] as const
          ) {
            const again = checked(check, half, { rows: 2, maxBranches: 40, remainder }).report;
            requireEqual([again.remainder, again.verdict], [left, verdict], "what may be left out");
          }
          requireEqual([report.kind, report.verdict], ["certified", "undecided"]);
          requireNear(report.remainder, 0.5, { relative: 1e-14, what: "what is left out" });
        }
      },
      "long runs": () => {
        const long = (draws: number) => (row: number, source: DiscreteSource): number => {
          for (let i = 0; i < draws; i++) source.choice({ weights: [1] });
          return source.integer({ below: 3 }) + row;
        };
        for (const [draws, kind] of [[1998, "exact"], [2100, "certified"]] as const) {
          const { report } = checked(check, long(draws), { rows: 2, delta: 0.4 });
          requireEqual([report.kind, report.verdict], [kind, "holds"], `${draws} draws`);
          requireThat(report.remainder < 1e-60, "what a long run leaves out");
        }
        requireRefused("a run without end", () =>
          checked(check, (_, source) => {
            while (true) source.choice({ weights: [1] });
          }, { rows: 2 }), "more than 100000 times");
      },
      "a pair that is tight, and one that is refuted": () => {
        const answer = (row: number, source: DiscreteSource): number =>
          (row % 2) ^ source.choice({ exponents: [0, row < 2 ? 2 : 3] });
        const [tight, refuted] = [[0, 1], [2, 3]] as const;
        for (
          const [neighbours, verdict, attained] of [
            [[tight], "holds", true],
            [[refuted], "refuted", false],
            [[tight, refuted], "refuted", false],
            [[refuted, tight], "refuted", false],
          ] as const
        ) {
          const { report } = checked(check, answer, { rows: 4, neighbours, epsilon: 2 });
          const loss = verdict === "holds" ? 2 : 3;
          requireEqual([report.verdict, report.attained, report.everyEpsilon], [
            verdict,
            attained,
            verdict === "holds" ? true : undefined,
          ]);
          requireNear(report.epsilon.upper, loss, { what: "ε" });
          // (e³ − e²)/(1 + e³), where it is refuted.
          const delta = (Math.exp(loss) - Math.exp(2)) / (1 + Math.exp(loss));
          requireNear(report.delta.lower, delta, { what: "δ" });
          requireNear(report.delta.upper, delta, { what: "δ" });
        }
      },
      "as many runs as are reported": () => {
        let runs = 0;
        const programs: Record<string, (row: number, source: DiscreteSource) => unknown> = {
          "one row": (_, source) => source.integer({ below: 50 }),
          "noise": (row, source) => row + source.discreteLaplace({ rate: 1 }),
          "noise after a draw": (row, source) => {
            const first = source.integer({ below: 20 });
            return first < 19 ? [row, first] : source.geometric({ rate: 1 });
          },
          "a loop": (row, source) => {
            let rounds = row;
            while (source.bernoulli({ probability: 0.5 })) rounds++;
            return rounds;
          },
        };
        for (const [name, program] of Object.entries(programs)) {
          for (const maxBranches of [10, 100, 1000]) {
            runs = 0;
            const { branches } = checked(check, (row, source) => {
              runs++;
              return program(row, source);
            }, { rows: 2, maxBranches }).report;
            // Where all paths were run, those of the first dataset are once more.
            const repeated = name === "one row" && maxBranches >= 100 ? 50 : 0;
            requireEqual(branches, runs - repeated, `runs of ${name}, at most ${maxBranches}`);
          }
        }
      },
      "paths as likely as the cut": () => {
        for (let k = 1; k <= 6; k++) {
          const draws = (source: DiscreteSource): number[] =>
            Array.from({ length: k }, () => source.integer({ below: 2 }));
          for (const [cut, size] of [[2 ** -k, 2 ** k], [1.01 * 2 ** -k, 0]] as const) {
            const law = lawOf(draws, { cut });
            requireEqual([law.outputs.size, law.complete], [size, false], `a cut of ${cut}`);
          }
        }
      },
      "loops without end": () => {
        for (const value of [true, false]) {
          const loop = (row: number, source: DiscreteSource): number => {
            let count = row;
            while (source.bernoulli({ probability: 0.5 }) === value) count++;
            return count;
          };
          const { report } = checked(check, loop, { rows: 2, epsilon: 0.7, delta: 0.5 });
          requireEqual([report.verdict, report.kind], ["holds", "certified"]);
          requireThat(report.remainder > 0 && report.remainder <= 1e-9, "a remainder");
          // The first count, of chance 1/2, is never that of the other row; all others are half as likely there or less.
          requireThat(
            report.delta.lower <= 0.5 && report.delta.upper >= 0.5 && report.delta.upper < 0.5001,
            () => `δ of [${report.delta.lower}, ${report.delta.upper}]`,
          );
        }
      },
      "states that forget": () => {
        for (let place = 0; place < 16; place++) {
          const program = (row: number, source: DiscreteSource): unknown => {
            const state = source.integer({ below: 16 }), bit = source.integer({ below: 2 });
            source.merge([row, state]);
            const more = source.integer({ below: 2 });
            return state === place ? [state, bit, more] : [state, more];
          };
          requireRefused(
            `state ${place} that forgets`,
            () => checked(check, program, { rows: 2 }),
            "after merge()",
          );
        }
      },
      "claims that are off by 2^−300": () => {
        for (const epsilon of [1e-3, 0.1, 0.5, 1, 3.7, 20]) {
          const of = (by: bigint) => {
            const exponent = add(rational(epsilon), rational(by, 1n << 300n));
            return checked(
              check,
              (row, source) => row ^ source.choice({ exponents: [0, exponent] }),
              { rows: 2, epsilon },
            ).report;
          };
          for (
            const [by, verdict, attained] of [
              [1n, "refuted", false],
              [0n, "holds", true],
              [-1n, "holds", false],
            ] as const
          ) {
            const report = of(by);
            requireEqual(
              [report.verdict, report.attained, report.kind],
              [verdict, attained, "exact"],
              `at ε = ${epsilon}, by ${by}`,
            );
          }
        }
      },
      "claims whose δ is attained": () => {
        // Only on one row does an output of chance j/2^k come: δ is j/2^k at every ε.
        for (const [j, k] of [[1, 1], [1, 2], [3, 3], [5, 4], [1, 8]] as const) {
          const program = (row: number, source: DiscreteSource): boolean =>
            source.integer({ below: 2 ** k }) < j && row === 1;
          for (
            const [delta, verdict, attained] of [
              [nextDown(j / 2 ** k), "refuted", false],
              [j / 2 ** k, "holds", true],
              [nextUp(j / 2 ** k), "holds", false],
            ] as const
          ) {
            const { report } = checked(check, program, { rows: 2, delta });
            requireEqual(
              [report.verdict, report.attained, report.kind],
              [verdict, attained, "exact"],
              `δ of ${delta}`,
            );
          }
        }
      },
      "the pair that loses most": () => {
        for (let jump = 0; jump < 3; jump++) {
          for (const falling of [true, false]) {
            const program = (row: number, source: DiscreteSource): boolean =>
              source.bernoulli({ probability: (row <= jump) === falling ? 0.5 : 0.25 });
            const { witness, epsilon } = checked(check, program, { rows: 4 }).report;
            const [left, right] = falling ? [jump, jump + 1] : [jump + 1, jump];
            requireEqual([witness!.left, witness!.right, witness!.output], [[left], [right], true]);
            requireThat(
              epsilon.lower <= Math.LN2 * (1 + 1e-15) && epsilon.upper >= Math.LN2 * (1 - 1e-15),
              "the largest loss",
            );
          }
        }
      },
      "rows and errors of any kind": () => {
        const rows = [[null], [{ a: null }], [[null, "b"]]];
        const { report } = check({
          name: "rows",
          run: (data, source) => [data, discreteSource(source).integer({ below: 2 })],
        }, {
          claim: pure({ epsilon: 1, relation }),
          datasets: rows,
          neighbours: [[0, 1], [1, 2]],
        });
        requireEqual([report.verdict, report.epsilon.lower], ["refuted", Infinity]);
        requireEqual((report.witness!.output as unknown[])[0], report.witness!.left);
        // Errors are outputs like others, unless there are no others.
        const failing = (answers: boolean) => (row: number, source: DiscreteSource): string => {
          const kind = source.choice({ exponents: [0, 0, 0, row === 0 ? 0 : 1] });
          if (kind < 3 || !answers) throw new Error(`kind ${kind}`);
          return "an answer";
        };
        const some = checked(check, failing(true), { rows: 2 });
        requireEqual([some.report.verdict, some.details.laws[0]!.outputs.size], ["holds", 4]);
        requireRefused(
          "a program that fails always",
          () => checked(check, failing(false), { rows: 2 }),
          "every run fails",
        );
        // What never comes out on the right has the chance 0 there.
        const shown = checked(check, (row, source) => row + source.integer({ below: 3 }), {
          rows: 2,
        }).report.witness!;
        requireEqual(shown.probability.right, { lower: 0, upper: 0 }, "the chance of nothing");
        // What is thrown is told from what is returned.
        const said = checked(check, (row, source) => {
          const isSaid = source.integer({ below: 2 }) === row;
          if (isSaid) return "x";
          const thrown: unknown = "x";
          throw thrown;
        }, { rows: 2 });
        requireEqual([said.details.laws[0]!.outputs.size, said.report.verdict], [2, "holds"]);
      },
      "laws that are equal": () => {
        for (const below of [1, 2, 3, 7]) {
          const { report } = checked(check, (_, source) => source.integer({ below }), { rows: 3 });
          const { lower, upper } = report.epsilon;
          requireThat(lower === 0 && upper >= 0 && upper < 1e-13, `ε of [${lower}, ${upper}]`);
          requireThat(report.delta.upper === 0 && !report.attained, "a loss of equal laws");
        }
      },
      "remainders and every ε": () => {
        const noisy = (row: number, source: DiscreteSource): number =>
          row + source.discreteLaplace({ rate: 1 });
        for (const remainder of [0.1, 1e-3, 1e-6, 1e-9, 1e-30, 1e-72]) {
          const { report, details: { laws, units } } = checked(check, noisy, {
            rows: 2,
            remainder,
          });
          const { numerator, denominator } = rational(report.remainder);
          for (const law of laws) {
            requireThat(
              numerator << BigInt(units.bits) >= law.remainder * denominator,
              "a remainder that is rounded down",
            );
          }
          requireEqual(report.everyEpsilon, undefined, "every ε of what was not run");
          requireThat(
            report.delta.lower === 0 && report.delta.upper >= report.remainder * (1 - 1e-12),
            () => `δ of at most ${report.delta.upper}, with ${report.remainder} left out`,
          );
          requireThat(
            report.remainder > 0 && report.remainder <= remainder && report.verdict === "holds",
            () => `${report.remainder} is left out, not ${remainder}`,
          );
          // Few runs more than those of the last round: one for each output.
          const last = laws.reduce((sum, { outputs }) => sum + outputs.size, 0);
          requireThat(
            report.branches <= 4 * last + 20,
            () => `${report.branches} runs for ${last} outputs`,
          );
        }
        const answer = (row: number, source: DiscreteSource): number =>
          row ^ source.choice({ exponents: [0, 1] });
        for (const [delta, every] of [[0, true], [0.1, undefined]] as const) {
          requireEqual(checked(check, answer, { rows: 2, delta }).report.everyEpsilon, every);
        }
        // Of t^(3 − y) − t^(−x) each coefficient between the two is 0.
        const { inequalities } = checked(
          check,
          (row, source) => source.choice({ exponents: row === 0 ? [0, 1, 3] : [3, 0, 1] }),
          { rows: 2, epsilon: 3 },
        ).details;
        const powers = inequalities!.inequalities.map(({ polynomial }) =>
          polynomial.filter((each) => each !== 0n).length
        );
        requireThat(
          powers.length > 2 && powers.every((count) => count === 2),
          () => `inequalities of ${powers} terms`,
        );
        const loose = checked(check, answer, { rows: 2, epsilon: 0.5 }).report;
        requireEqual([loose.verdict, loose.everyEpsilon], ["refuted", undefined]);
      },
    }),
  mutants: {
    "one run less": (program, options) =>
      checkExactly(program, { ...options, maxBranches: (options.maxBranches ?? 1e6) - 1 }),
    "the first pair for any": (program, options) => {
      const { report, details } = checkExactly(program, options);
      const [left, right] = options.datasets;
      return {
        details,
        report: { ...report, witness: { ...report.witness!, left: left!, right: right! } },
      };
    },
    "remainders a little less": (program, options) => {
      const { report, details } = checkExactly(program, options);
      return { details, report: { ...report, remainder: report.remainder * (1 - 1e-14) } };
    },
    "every ε for claims with δ": (program, options) => {
      const { report, details } = checkExactly(program, options);
      return { details, report: { ...report, everyEpsilon: report.verdict === "holds" } };
    },
  },
});
