import { pure } from "../../lib/core/claim.ts";
import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { checkExactly } from "../../lib/exact/enumeration/check_exactly.ts";
import { add, rational } from "../../lib/numeric/rational.ts";
import { nextDown, nextUp } from "../../lib/numeric/round_outward.ts";
import { discreteSource } from "../../lib/random/discrete_source.ts";
import { casesOfRuns, type Check, checked } from "../checks/run_limits.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

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
      ...casesOfRuns(check),
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
