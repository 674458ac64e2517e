import { replaceOne as relation } from "../../lib/core/relation.ts";
import { approximate, pure } from "../../lib/core/claim.ts";
import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { variable } from "../../lib/exact/alignment/affine.ts";
import { outputOf } from "../../lib/exact/alignment/trace_program.ts";
import { tracedValue } from "../../lib/exact/alignment/traced_value.ts";
import { checkExactly, type ExactOptions } from "../../lib/exact/enumeration/check_exactly.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { discreteSource } from "../../lib/random/discrete_source.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";
import { lawOf } from "./path_cases.ts";

function checked(
  run: (row: number, source: DiscreteSource) => unknown,
  options: Partial<ExactOptions> = {},
): ReturnType<typeof checkExactly> {
  return checkExactly({
    name: "it",
    run: ([row], source) => run(row as number, discreteSource(source)),
  }, {
    claim: pure({ epsilon: 2, relation }),
    datasets: [[0], [1], [2]],
    neighbours: [[0, 1], [2, 1]],
    ...options,
  });
}

/** Paths to one state: four others are followed too, and 16 of a layer at most. */
function requireMergedRuns(): void {
  for (let paths = 1; paths <= 9; paths++) {
    const { branches, outputs } = lawOf((source) => {
      source.integer({ below: paths });
      source.merge("all");
      return source.integer({ below: 3 });
    });
    requireEqual([paths, branches, outputs.size], [
      paths,
      paths + 3 + 3 * Math.min(4, paths - 1),
      3,
    ]);
  }
  for (const states of [3, 15, 16, 17, 20]) {
    const { branches } = lawOf((source) => {
      source.merge(source.integer({ below: 2 * states }) >> 1);
      return source.integer({ below: 3 });
    });
    requireEqual([states, branches], [states, 5 * states + 3 * Math.min(16, states)]);
  }
}

/** Datasets share the runs that are allowed; the scale is a common denominator; the witness is of the worst pair. */
function requireReports(): void {
  const paths = (row: number, source: DiscreteSource): number =>
    source.integer({ below: [8, 4, 2][row]! }) % 2;
  // A third of 24 is 8; what is left over goes to the datasets after it.
  const kinds = [23, 24].map((maxBranches) => checked(paths, { maxBranches }).report.kind);
  requireEqual(kinds, ["certified", "exact"]);
  const rising = (row: number, source: DiscreteSource): number =>
    source.integer({ below: [2, 3, 9][row]! }) % 2;
  requireEqual(
    [13, 14].map((maxBranches) => checked(rising, { maxBranches }).report.kind),
    ["certified", "exact"],
    "runs that the first did not need",
  );
  const { units } =
    checked((row, source) =>
      source.choice({ exponents: row === 0 ? [0, rational(1, 4)] : [0, rational(1, 6)] })
    ).details;
  requireEqual(units.scale, 12n, "the scale");
  const { witness, verdict } = checked(
    (row, source) => source.bernoulli({ probability: row === 2 ? 0.9375 : 0.5 }),
  ).report;
  requireEqual([verdict, witness!.left, witness!.right, witness!.output], [
    "refuted",
    [1],
    [2],
    false,
  ]);
  // Of equal losses the first is shown.
  const even = checked((row, source) => (row % 2) ^ source.choice({ exponents: [0, 1] })).report;
  requireEqual([even.witness!.left, even.witness!.output, even.pairs, even.datasets], [
    [0],
    0,
    2,
    3,
  ]);
  // One dataset with outputs without end beside others.
  const mixed = checked(
    (row, source) => row === 2 ? source.geometric({ rate: 1 / 2 }) : 0,
    { claim: approximate({ epsilon: 1, delta: 0.9, relation }) },
  );
  requireEqual([mixed.report.kind, mixed.details.inequalities], ["certified", undefined]);
  requireThat(mixed.report.remainder > 0 && mixed.report.remainder <= 1e-9, "what was not run");
  requireEqual(mixed.report.attained, false);
  const tails = checked(
    (row, source) => row === 2 ? 1 : source.integer({ below: 2 }),
    { claim: approximate({ epsilon: 1, delta: 0.75, relation }) },
  );
  requireEqual([tails.report.verdict, tails.details.inequalities, tails.report.remainder], [
    "holds",
    undefined,
    0,
  ]);
}

/** Outputs differ where traced values stand elsewhere in them. */
function requirePlaces(): void {
  const run = {};
  const traced = tracedValue({ form: variable("n0"), run }, (error) => {
    throw error;
  });
  const outputs: unknown[] = [
    traced,
    null,
    [traced],
    [null],
    [traced, null],
    [null, traced],
    [[traced], null],
    [null, [traced]],
    [[null, traced]],
    { a: traced, b: null },
    // The order of keys can be seen.
    { b: null, a: traced },
    { a: null, b: traced },
    { a: [traced], b: [null] },
    { a: [null], b: [traced] },
    new Error("n"),
    [new Error("n"), traced],
    [traced, new Error("n")],
  ];
  requireEqual(new Set(outputs.map((each) => outputOf(each, run).label)).size, outputs.length);
  requireRefused(
    "a traced value in a field of an error",
    () => outputOf(Object.assign(new Error("m"), { a: traced }), run),
    "Cannot compare outputs",
  );
  requireEqual(outputOf([traced, { a: traced }], run).released.length, 2);
  requireRefused("a value of another run", () => outputOf([traced], {}), "an earlier call");
}

/** Numbers of runs, and what reports and outputs tell apart. */
export function requireCounts(): void {
  requireMergedRuns();
  requireReports();
  requirePlaces();
}
