import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  afterRun,
  evidenceOf,
  levelOfRun,
  nextRun,
  NO_RUNS,
  type PastRuns,
} from "../../../cli/suite/accumulated_evidence.ts";
import { falseDiscoveryRate, familyWise } from "../../../cli/suite/refuted_claims.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** E-values of a true claim, with expectation 1. */
const FAIR = [[0.25, 0.5], [0.5, 0.25], [3, 0.25]] as const;

function expectedEvidence(past: PastRuns, runs: number): number {
  if (runs === 0) return evidenceOf(past);
  return FAIR.reduce(
    (sum, [eValue, probability]) =>
      sum + probability * expectedEvidence(afterRun(nextRun(past), eValue), runs - 1),
    0,
  );
}

Deno.test("the evidence of n runs of a true claim has expectation 1", () => {
  for (const runs of [0, 1, 2, 5]) assertAlmostEquals(expectedEvidence(NO_RUNS, runs), 1, 1e-12);
});

Deno.test("an e-value of 1/level carries the evidence of all runs to 1/share, and a smaller one does not", () => {
  let past = NO_RUNS;
  for (const eValue of [1, 0.01, 4, 9, 0]) {
    const next = nextRun(past);
    const level = levelOfRun(next, { share: 0.002, alpha: 0.01 });
    assert(level <= 0.01);
    assert(evidenceOf(afterRun(next, 1 / level)) >= 500);
    if (level < 0.009) assert(evidenceOf(afterRun(next, 0.99 / level)) < 500);
    past = afterRun(next, eValue);
  }
});

Deno.test("a run without evidence is forgotten by later runs, not kept", () => {
  const lost = afterRun(nextRun({ runs: 3, begun: 1e6 }), 0);
  assertEquals(lost, { runs: 4, begun: 0 });
  assertEquals(evidenceOf(lost), 1 / 5);
});

Deno.test("e-BH refutes the largest k with k e-values of at least m/(kα)", () => {
  assertEquals(falseDiscoveryRate([20, 19, 1, 1], 0.1), [false, false, false, false]);
  assertEquals(falseDiscoveryRate([20, 20, 1, 1], 0.1), [true, true, false, false]);
  assertEquals(falseDiscoveryRate([40, 1, 1, 1], 0.1), [true, false, false, false]);
  assertEquals(falseDiscoveryRate([13.4, 1, 13.4, 13.4], 0.1), [true, false, true, true]);
  assertEquals(familyWise([40, 39], [1 / 40, 1 / 40]), [true, false]);
});

Deno.test("1,000 simulated suites of true claims keep both error statements over eight runs", () => {
  const source = new SeededSource(2411);
  const alpha = 0.2, claims = 4;
  let familyErrors = 0, discoveryErrors = 0;
  for (let suite = 0; suite < 1000; suite++) {
    const past: PastRuns[] = Array(claims).fill(NO_RUNS);
    let wrong = false, last: boolean[] = [];
    for (let run = 0; run < 8; run++) {
      for (let claim = 0; claim < claims; claim++) {
        const next = nextRun(past[claim]!);
        // The boldest bet: all at the level of the run, or nothing.
        const level = levelOfRun(next, { share: alpha / claims, alpha });
        past[claim] = afterRun(next, source.uniform() < level ? 1 / level : 0);
      }
      const eValues = past.map(evidenceOf);
      wrong ||= familyWise(eValues, Array(claims).fill(alpha / claims)).includes(true);
      last = falseDiscoveryRate(eValues, alpha);
    }
    if (wrong) familyErrors++;
    if (last.includes(true)) discoveryErrors++;
  }
  // Four standard errors above α; without any error the test would see nothing.
  const most = 1000 * alpha + 4 * Math.sqrt(1000 * alpha * (1 - alpha));
  assert(familyErrors > 0 && familyErrors <= most, `${familyErrors}`);
  assert(discoveryErrors <= most, `${discoveryErrors}`);
});
