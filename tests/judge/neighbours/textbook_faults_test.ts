import { assert, assertEquals } from "@std/assert";
import { atReach } from "../../../lib/core/claims/at_reach.ts";
import { claimToJSON, pure } from "../../../lib/core/claims/claim.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { relationOf } from "../../../lib/core/relations/relation_named.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import {
  datasetsOfDomain,
  neighboursOfDomain,
} from "../../../lib/judge/exact/enumeration/finite_domain.ts";
import {
  NEIGHBOUR_CASES,
  type NeighbourCase,
  noisyCounts,
} from "../../../fixtures/judge/neighbours/noisy_counts.ts";
import { dailyOf, LONG, longTest } from "../../long.ts";

/** The ε that programs keep, from all neighbours of the domain. */
function exactEpsilons({ relation, domain, broken, correct }: NeighbourCase): [number, number] {
  const datasets = datasetsOfDomain(domain);
  const answers = [broken, correct].map(({ query }) => datasets.map(query));
  const most = [0, 0];
  for (const [i, j] of neighboursOfDomain(domain, relationOf(relation))) {
    for (const [which, of] of answers.entries()) {
      const apart = of[i]!.reduce((sum, x, k) => sum + Math.abs(x - of[j]![k]!), 0);
      most[which] = Math.max(most[which]!, apart);
    }
  }
  return [most[0]! / broken.scale, most[1]! / correct.scale];
}

// Mutants: the noise of the broken program in the correct one; a relation that relates nothing.
Deno.test("labels of the textbook faults are derived: the broken one exceeds the claim, the correct one keeps it and is tight within a third", () => {
  for (const each of NEIGHBOUR_CASES) {
    const relation = relationOf(each.relation);
    const { epsilon } = atReach(pure({ epsilon: each.epsilon, relation })) as { epsilon: number };
    const [broken, correct] = exactEpsilons(each);
    assert(broken > 1.3 * epsilon, `${each.relation}: broken keeps ${broken} of ${epsilon}`);
    assert(correct <= epsilon + 1e-12, `${each.relation}: correct keeps ${correct} of ${epsilon}`);
    assert(correct >= 0.66 * epsilon, `${each.relation}: correct keeps ${correct} of ${epsilon}`);
  }
});

function auditCase(
  { relation: name, epsilon, domain }: NeighbourCase,
  { program, maxDraws, shrink = true, seed }: {
    readonly program: NeighbourCase["broken"];
    readonly maxDraws?: number;
    readonly shrink?: boolean;
    readonly seed: number;
  },
): ReturnType<typeof audit> {
  const relation = relationOf(name);
  const claim = atReach(pure({ epsilon, relation }));
  return audit(
    functionSubject(noisyCounts(program), {
      name: "noisy counts",
      claim,
      domain,
      source: new SeededSource(seed).split("program"),
    }),
    {
      seed,
      shrink,
      ...(maxDraws === undefined ? {} : { maxDraws }),
    },
  );
}

// Mutants: a search that replaces single rows alone; a claim that is not taken to the reach of a metric.
Deno.test("each relation refutes its textbook fault by default options, on neighbours of that relation", async () => {
  for (const each of dailyOf(NEIGHBOUR_CASES, (_, place) => place % 3 === 0)) {
    // Shrinking takes three times as long as the audit: a day has that of one relation.
    const shrink = LONG || each === NEIGHBOUR_CASES[0];
    const report = await auditCase(each, { program: each.broken, seed: 1, shrink });
    assertEquals(report.verdict, "refuted", each.relation);
    const { left, right } = report.pair as { left: unknown[]; right: unknown[] };
    assertEquals(relationOf(each.relation).violation(left, right), undefined, each.relation);
    assertEquals(claimToJSON(report.claim).relation, each.relation);
  }
});

Deno.test("each relation passes its correct program in a short audit", async () => {
  for (const each of dailyOf(NEIGHBOUR_CASES, (_, place) => place % 3 === 1)) {
    const report = await auditCase(each, { program: each.correct, seed: 1, maxDraws: 1500 });
    assertEquals(report.verdict, "not-refuted", each.relation);
  }
});

longTest(
  "each relation passes its correct program by default options, and refutes its fault at ten seeds",
  async () => {
    for (const each of NEIGHBOUR_CASES) {
      const passed = await auditCase(each, { program: each.correct, seed: 2, maxDraws: 200_000 });
      assertEquals(passed.verdict, "not-refuted", each.relation);
      for (let seed = 10; seed < 20; seed++) {
        const report = await auditCase(each, { program: each.broken, seed });
        assertEquals(report.verdict, "refuted", `${each.relation}, seed ${seed}`);
      }
    }
  },
);
