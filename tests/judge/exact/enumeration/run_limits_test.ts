import { approximate, pure } from "../../../../lib/core/mod.ts";
import type { DiscreteSource } from "../../../../lib/core/mechanism/discrete_source.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { checkExactly } from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import type { ExactOptions } from "../../../../lib/judge/exact/enumeration/enumerated_program.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { nextDown } from "../../../../lib/core/numeric/round_outward.ts";
import { discreteSource } from "../../../../lib/core/random/discrete_source.ts";
import {
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../../../../proofs/engine/requirement.ts";
import { lawOf } from "./path_cases.ts";
import { longTest } from "../../../long.ts";

/** Runs a program on the rows 0, 1, …, of which neighbours in order are neighbours. */
function checked(
  program: (row: number, source: DiscreteSource) => unknown,
  { rows, epsilon = 1, delta = 0, ...options }:
    & { readonly rows: number; readonly epsilon?: number; readonly delta?: number }
    & Partial<ExactOptions>,
): ReturnType<typeof checkExactly> {
  const claim = delta === 0
    ? pure({ epsilon, relation })
    : approximate({ epsilon, delta, relation });
  return checkExactly(
    { name: "it", run: ([row], source) => program(row as number, discreteSource(source)) },
    {
      claim: claim as ExactOptions["claim"],
      datasets: Array.from({ length: rows }, (_, i) => [i]),
      neighbours: Array.from({ length: rows - 1 }, (_, i) => [i, i + 1] as const),
      ...options,
    },
  );
}

/** How many paths are run, and what is left out where that is not all of them. */
const CASES_OF_RUNS: Readonly<Record<string, () => void>> = {
  "as many runs as there may be": () => {
    const even = (_: number, source: DiscreteSource): number => source.integer({ below: 5 });
    const rising = (row: number, source: DiscreteSource): number =>
      source.integer({ below: [2, 3, 7][row]! });
    for (
      const [program, rows, runs] of [[even, 4, 20], [rising, 3, 12], [even, 3, 15]] as const
    ) {
      const all = checked(program, { rows, maxBranches: runs }).report;
      requireEqual([all.kind, all.branches, all.remainder], ["exact", runs, 0]);
      const fewer = checked(program, { rows, maxBranches: runs - 1 }).report;
      requireEqual(fewer.kind, "certified", "of one run less");
      requireThat(fewer.remainder > 0.1, "what was not run is forgotten");
    }
  },
  "fewer runs than datasets or states": () => {
    const constant = (row: number): number => row % 1;
    const one = checked(constant, { rows: 3, maxBranches: 1 }).report;
    requireEqual([one.kind, one.branches, one.remainder], ["exact", 3, 0]);
    const merging = (row: number, source: DiscreteSource): number => {
      source.merge("all");
      return row % 1;
    };
    const none = checked(merging, { rows: 3, maxBranches: 1 });
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
      const { report } = checked(half, { rows: 2, maxBranches: 40 });
      const left = report.remainder;
      // δ of 0.9 holds whatever half of the mass does.
      const loose = checked(half, { rows: 2, maxBranches: 40, delta: 0.9 }).report;
      requireEqual([loose.verdict, loose.remainder], ["holds", left], "a large δ");
      for (
        const [remainder, verdict] of [[left, "holds"], [nextDown(left), "undecided"]] as const
      ) {
        const again = checked(half, { rows: 2, maxBranches: 40, remainder }).report;
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
      const { report } = checked(long(draws), { rows: 2, delta: 0.4 });
      requireEqual([report.kind, report.verdict], [kind, "holds"], `${draws} draws`);
      requireThat(report.remainder < 1e-60, "what a long run leaves out");
    }
    requireRefused("a run without end", () =>
      checked((_, source) => {
        while (true) source.choice({ weights: [1] });
      }, { rows: 2 }), "more than 100000 times");
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
        const { branches, repeats } = checked((row, source) => {
          runs++;
          return program(row, source);
        }, { rows: 2, maxBranches }).report;
        requireEqual(branches + repeats, runs, `runs of ${name}, at most ${maxBranches}`);
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
      const { report } = checked(loop, { rows: 2, epsilon: 0.7, delta: 0.5 });
      requireEqual([report.verdict, report.kind], ["holds", "certified"]);
      requireThat(report.remainder > 0 && report.remainder <= 1e-9, "a remainder");
      // The first count, of chance 1/2, is never that of the other row; all others are half as likely there or less.
      requireThat(
        report.delta.lower <= 0.5 && report.delta.upper >= 0.5 && report.delta.upper < 0.5001,
        () => `δ of [${report.delta.lower}, ${report.delta.upper}]`,
      );
    }
  },
  "remainders and every ε": () => {
    const noisy = (row: number, source: DiscreteSource): number =>
      row + source.discreteLaplace({ rate: 1 });
    for (const remainder of [0.1, 1e-3, 1e-6, 1e-9, 1e-30, 1e-72]) {
      const { report, details: { laws, units } } = checked(noisy, {
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
      requireEqual(checked(answer, { rows: 2, delta }).report.everyEpsilon, every);
    }
    // Of t^(3 − y) − t^(−x) each coefficient between the two is 0.
    const { inequalities } =
      checked((row, source) => source.choice({ exponents: row === 0 ? [0, 1, 3] : [3, 0, 1] }), {
        rows: 2,
        epsilon: 3,
      }).details;
    const powers = inequalities!.inequalities.map(({ polynomial }) =>
      polynomial.filter((each) => each !== 0n).length
    );
    requireThat(
      powers.length > 2 && powers.every((count) => count === 2),
      () => `inequalities of ${powers} terms`,
    );
    const loose = checked(answer, { rows: 2, epsilon: 0.5 }).report;
    requireEqual([loose.verdict, loose.everyEpsilon], ["refuted", undefined]);
  },
};

// Mutants: one run less; remainders a little less, or forgotten; a remainder on the other side of a comparison.
for (const [name, check] of Object.entries(CASES_OF_RUNS)) {
  (name === "long runs" ? longTest : Deno.test)(
    `checkExactly() counts runs and what it did not run: ${name}`,
    check,
  );
}

// Mutants: t to another power, or for another ε; a degree of one more or less.
// Inequalities are polynomials in t = e^(ε/power), for the largest number of which ε and the exponents are multiples; there are none of a
// degree above 120.
Deno.test("inequalitiesOf() are polynomials in the largest t that fits, of a degree of at most 120", () => {
  for (
    const [epsilon, exponent, power, degree] of [
      [3, 1, 3, 4],
      [0.5, 0.25, 2, 3],
      [1.5, 1, 3, 5],
      [0.75, 0.5, 3, 5],
      [2, 2, 1, 2],
      [0.25, 0.125, 2, 3],
      [120, 1, 120, 121],
      [119, 1, 119, 120],
    ] as const
  ) {
    const { inequalities } = checked((row, source) =>
      row ^ source.choice({ exponents: [0, exponent] }), { rows: 2, epsilon }).details;
    const degrees = inequalities?.inequalities.map(({ polynomial }) =>
      polynomial.length - 1
    );
    requireEqual(
      [inequalities?.power, degrees && Math.max(...degrees)],
      degree > 120 ? [undefined, undefined] : [power, degree],
      `power and degree of t at ε = ${epsilon}`,
    );
  }
});
