import { gaussian, pure, zcdp } from "../../../../lib/core/mod.ts";
import type { Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import { addRemoveOne, type Relation } from "../../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import {
  constant,
  minus,
  plus,
  times,
  variable,
} from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  type NeighbourCase,
  neighbourCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { requireEqual, requireNear, requireThat } from "../../../../proofs/engine/requirement.ts";
import {
  changedAnswers,
  eachByOne as relation,
} from "../../../../proofs/judge/exact/checks/changed_answers.ts";

const noisy: TracedProgram = (data, source) =>
  source.sum((data as Real[])[0]!, source.laplace({ rate: rational(1, 8) }));

Deno.test("losses, bounds and tight pairs of programs for which they are known", async () => {
  await requireGaussianShares();
  await requireSplits();
  await requireFormsOfData();
  await requireTightRows();
  await requireOpenAndEmpty();
});

/** A shift goes to two draws of Gaussian noise as their variances: μ² is 1 over their sum. */
async function requireGaussianShares(): Promise<void> {
  for (const deviations of [[4], [1, 2], [3, 1], [1, 1, 2]]) {
    const program: TracedProgram = (data, source) =>
      source.sum(
        (data as Real[])[0]!,
        ...deviations.map((deviation) => source.gaussian({ deviation })),
      );
    const { report } = await proveAlignment({ name: "sum", run: program }, {
      claim: gaussian({ mu: 9, relation }),
      cases: changedAnswers(1),
    });
    const mu = 1 / Math.sqrt(deviations.reduce((sum, each) => sum + each * each, 0));
    requireEqual(report.verdict, "holds");
    requireThat(report.mu >= mu * (1 - 1e-15), `μ of ${report.mu} below ${mu}`);
    requireNear(report.mu, mu, { relative: 1e-9, what: "μ of a sum" });
  }
}

/** What is lost by sums and differences is shown for claims of every kind: ε of 1/2 is ε²/2 of 1/8. */
async function requireSplits(): Promise<void> {
  const sums: TracedProgram = (data, draws) => {
    const [a, b] = data as Real[];
    return [
      draws.sum(a!, b!, draws.laplace({ scale: 4 })),
      draws.sum(draws.difference(a!, b!), draws.laplace({ scale: 4 })),
    ];
  };
  const { report } = await proveAlignment({ name: "sums", run: sums }, {
    claim: zcdp({ rho: 0.125, relation }),
    cases: changedAnswers(2),
  });
  requireEqual([report.verdict, report.epsilon], ["holds", 0.5]);
  // An argmax after a comparison that settles two of three.
  const three: TracedProgram = (data, source) => {
    const [x, y] = data as Real[];
    const values = [x!, y!, 0].map((each) => source.sum(each, source.laplace({ scale: 8 })));
    return [source.less(values[1]!, values[0]!), source.indexOfLargest(values)];
  };
  const after = await proveAlignment({ name: "three", run: three }, {
    claim: pure({ epsilon: 1, relation }),
    cases: changedAnswers(2),
  });
  // Shifts that undo the changes cost 1/8 for each.
  requireEqual(after.report.verdict, "holds");
  requireThat(after.report.epsilon <= 0.25, `a loss of ${after.report.epsilon}`);
}

/** Rows that are multiples of variables, and premises on multiples: 0 ≤ 2x ≤ 4 and |2c| ≤ 1. */
async function requireFormsOfData(): Promise<void> {
  const [x, c] = ["x0", "c0"].map(variable), two = rational(2);
  const [doubled, changed] = [times(two, x!), times(two, c!)], one = constant(rational(1));
  const right = plus(doubled, c!, rational(3));
  const cases: NeighbourCase[] = [{
    name: "multiples",
    premises: [
      doubled,
      minus(constant(rational(4)), doubled),
      plus(one, changed),
      minus(one, changed),
    ]
      .map((form) => ({ form, strict: false })),
    left: { rows: [doubled] },
    right: { rows: [right] },
  }];
  const within: TracedProgram = (data, source) => {
    const [value] = data as Real[];
    if (typeof value === "number" && (value > 5.5 || value < -1.5)) throw new Error("no such data");
    return noisy(data, source);
  };
  const { report } = await proveAlignment({ name: "multiples", run: within }, {
    claim: pure({ epsilon: 0.1875, relation }),
    cases,
  });
  // |3c| is 3/2 at most; x is in the middle of its range.
  requireEqual([report.verdict, report.epsilon], ["holds", 0.1875]);
  const pair = report.worst!.pair as { left: number[]; right: number[] };
  requireEqual([pair.left, Math.abs(pair.right[0]! - 2)], [[2], 1.5]);
}

/** The pair that is shown for each case attains the loss of its shift. */
async function requireTightRows(): Promise<void> {
  const sum: TracedProgram = (data, source) =>
    source.sum(...data as Real[], source.laplace({ scale: 10 }));
  const rows = { type: "number", min: 2, max: 10 } as const;
  for (
    const [of, size, reach] of [
      [addRemoveOne, 0, 10],
      [addRemoveOne, 2, 10],
      [relationNamed("replace-one")!, 2, 8],
      [relation, 2, 2],
      [relationNamed("change-together-by-1")!, 2, 2],
    ] as [Relation, number, number][]
  ) {
    const domain: Domain = { rows, size: { min: size, max: of === addRemoveOne ? 3 : size } };
    for (const each of neighbourCases(domain, of)!) {
      const { report } = await proveAlignment({ name: "sum", run: sum }, {
        claim: pure({ epsilon: reach / 10, relation: of }),
        cases: [each],
      });
      requireEqual([each.name, report.verdict], [each.name, "holds"]);
      const { left, right } = report.worst!.pair as { left: number[]; right: number[] };
      const total = (side: readonly number[]): number => side.reduce((a, b) => a + b, 0);
      requireThat(of.violation(left, right) === undefined, `${each.name}: no neighbours`);
      requireNear(Math.abs(total(left) - total(right)), reach, {
        what: `${each.name}: a change of`,
      });
    }
  }
}

/** One output without a shift is enough for no bound at all; where there are no data nothing is lost. */
async function requireOpenAndEmpty(): Promise<void> {
  const plain: TracedProgram = (data) => (data as Real[])[0];
  const open = (await proveAlignment({ name: "plain", run: plain }, {
    claim: gaussian({ mu: 1, relation }),
    cases: changedAnswers(1),
  })).report;
  requireEqual([open.verdict, open.epsilon, open.mu, open.open.length], [
    "not proved",
    Infinity,
    Infinity,
    1,
  ]);
  const x = variable("x0"), one = constant(rational(1)), nothing = constant(rational(0));
  const nowhere: NeighbourCase = {
    name: "nowhere",
    premises: [minus(x, one), minus(nothing, x)].map((form) => ({ form, strict: false })),
    left: { rows: [x] },
    right: { rows: [x] },
  };
  const compared: TracedProgram = (data, source) =>
    source.less((data as Real[])[0]!, 0.5) ? "low" : "high";
  const { report, details } = await proveAlignment({ name: "compared", run: compared }, {
    claim: pure({ epsilon: 1, relation }),
    cases: [nowhere],
  });
  const { proof } = details[0]!;
  requireEqual(
    [report.verdict, report.epsilon, report.paths, report.classes, report.worst, proof.kind],
    ["holds", 0, 0, 0, undefined, "split"],
  );
}
