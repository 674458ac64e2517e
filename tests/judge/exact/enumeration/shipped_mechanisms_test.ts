import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { approximate, pure } from "../../../../lib/core/mod.ts";
import { claimUnder } from "../../../../lib/core/claims/claim.ts";
import type { Dataset } from "../../../../lib/core/relations/dataset.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { NotEnumerable } from "../../../../lib/judge/exact/enumeration/branching_source.ts";
import { certificateOf } from "../../../../lib/judge/exact/enumeration/certificate.ts";
import {
  checkExactly,
  type ExactReport,
} from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import type { ExactOptions } from "../../../../lib/judge/exact/enumeration/enumerated_program.ts";
import { analyticGaussian, integerGaussian } from "../../../../lib/dp/mechanisms/gaussian.ts";
import { mechanismNamed } from "../../../../lib/dp/mechanisms/registry.ts";
import { rejection } from "../../../../lib/judge/certificates/check_enumeration.ts";
import { endlessCases } from "../../../../proofs/dp/mechanisms/checks/endless_cases.ts";
import { finiteCases } from "../../../../proofs/dp/mechanisms/checks/finite_cases.ts";
import {
  compareWithStated,
  enumerated,
} from "../../../../proofs/dp/mechanisms/checks/enumerated_mechanisms.ts";
import { longTest } from "../../../long.ts";

const only = (rows: Dataset<number>): number => rows[0]!;
const unit = { sensitivity: 1, relation: replaceOne };

// At two ε each theorem mechanisms/shipped_by_enumeration decides the same, and tests/proofs/certificates_test.ts runs it.

// Mutants: `choose(source) === 1` for the truth; ε for ε/2; utilities without their sensitivity; a permutation without its
// last candidate.
for (const each of finiteCases) {
  longTest(`${each.name} keeps its claim exactly, with the law that it states`, () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 12, noNaN: true }), (epsilon) => {
        const { report, details, mechanism, datasets, neighbours } = enumerated(each, epsilon);
        assertEquals([report.verdict, report.kind], ["holds", "exact"]);
        assertEquals(report.attained, each.attained);
        // Enough of the claim is lost for it to mean something.
        const claimed = (mechanism.claim as { epsilon: number }).epsilon;
        assert(report.epsilon.upper > 0.45 * claimed && report.epsilon.lower <= claimed);
        compareWithStated(mechanism, details, datasets, 1e-10);
        // The probabilities add up to 1 exactly, and the verdict follows from them.
        assertEquals(
          rejection(certificateOf({ report, details }, { datasets, neighbours })),
          undefined,
        );
        if (each.attained || each.name.includes("survey") || each.name.includes("RAPPOR")) {
          const less = enumerated(
            each,
            epsilon,
            (claim) =>
              pure({
                epsilon: 0.999 * (claim as { epsilon: number }).epsilon,
                relation: claim.relation,
              }),
          );
          assertEquals(less.report.verdict, "refuted");
        }
      }),
      { seed: 2, numRuns: 4 },
    );
  });
}

// Mutants: noise of half the scale; a loop that redraws −0 without end in sight; outputs off by a step.
for (const each of endlessCases) {
  longTest(
    `${each.name} keeps its claim but for the remainder, with the law that it states`,
    () => {
      fc.assert(
        fc.property(fc.double({ min: each.from ?? 0.1, max: 8, noNaN: true }), (epsilon) => {
          const { report, details, mechanism, datasets } = enumerated(each, epsilon);
          assertEquals([report.verdict, report.kind], ["holds", "certified"]);
          compareWithStated(mechanism, details, datasets, each.remainder ?? 1e-9);
          if (!each.attained) return;
          assert(report.epsilon.lower > 0.97 * epsilon, `${report.epsilon.lower} of ${epsilon}`);
          const less = enumerated(
            each,
            epsilon,
            (claim) => pure({ epsilon: 0.9 * epsilon, relation: claim.relation }),
          );
          assertEquals(less.report.verdict, "refuted");
        }),
        { seed: 3, numRuns: 2 },
      );
    },
  );
}

Deno.test("the grid Gaussian keeps (ε, δ) exactly as the formula says", () => {
  const mechanism = analyticGaussian<number>({
    query: only,
    epsilon: 1,
    delta: 1e-5,
    ...unit,
    granularity: 2 ** -3,
  });
  const run = (delta: number): ExactReport =>
    checkExactly({
      name: "gaussian",
      run: (data, source) => mechanism.sample(data as number[], source),
    }, {
      claim: approximate({ epsilon: 1, delta, relation: replaceOne }),
      datasets: [[0], [1]],
      neighbours: [[0, 1]],
      remainder: 1e-12,
    }).report;
  const report = run(1e-5);
  assertEquals(report.verdict, "holds");
  assert(report.delta.lower > 0.9e-5 && report.delta.upper < 1e-5 + 1e-10, `${report.delta.lower}`);
  assertEquals(run(0.9e-5).verdict, "refuted");
  const integer = integerGaussian<number>({
    query: (rows) => [...rows],
    dimension: 1,
    rho: 0.5,
    sensitivity: 1,
    relation: replaceOne,
  });
  // δ(1) of the discrete Gaussian: Σ (p(x) − e·p(x − 1))⁺.
  let total = 0, delta = 0;
  const weight = (x: number): number => Math.exp(-0.5 * (x / integer.grid.scaleInSteps) ** 2);
  for (let x = -30; x <= 30; x++) total += weight(x);
  for (let x = -30; x <= 30; x++) delta += Math.max(0, weight(x) - Math.E * weight(x - 1)) / total;
  const found = checkExactly({
    name: "integer gaussian",
    run: (data, source) => integer.sample(data as number[], source),
  }, {
    claim: approximate({ epsilon: 1, delta: 0.5, relation: replaceOne }),
    datasets: [[0], [1]],
    neighbours: [[0, 1]],
    remainder: 1e-12,
  }).report.delta;
  assert(found.lower - 1e-15 <= delta && delta <= found.upper + 1e-15);
  assert(found.upper - found.lower < 1e-11);
});

Deno.test("mechanisms that draw floats are refused", () => {
  for (const name of ["float-laplace", "float-gaussian", "snapping"]) {
    const mechanism = mechanismNamed(name, { epsilon: 0.5, delta: 1e-5 });
    assertThrows(
      () =>
        checkExactly({ name, run: (data, source) => mechanism.sample(data, source) }, {
          claim: claimUnder(pure({ epsilon: 1, relation: replaceOne }), {
            relation: replaceOne,
          }) as ExactOptions["claim"],
          datasets: [[0], [1]],
          neighbours: [[0, 1]],
        }),
      NotEnumerable,
      "audit it",
    );
  }
});
