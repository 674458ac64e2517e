import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { PredictionBatch } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import {
  evidenceAgainst,
  evidenceFor,
} from "../../../../../lib/judge/audit/kernel/betting/evidence.ts";
import {
  approximate,
  type ApproximateClaim,
  type Claim,
  gaussian,
  pure,
  type PureClaim,
} from "../../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";

/** A batch of two cells that were seen before, with these log odds. */
function batchOf(counts: readonly number[], logOdds: readonly number[]): PredictionBatch {
  return {
    counts: Float64Array.of(0, 0, ...counts),
    logOdds: Array.from({ length: 5 }, () => Float64Array.of(0, ...logOdds)),
    leaves: Int32Array.of(1, 2),
    before: Float64Array.of(0, 0, 20, 80, 70, 30),
    draws: counts.reduce((sum, count) => sum + count),
  };
}

/** Counts and log odds, which often agree. */
const cells = fc.tuple(
  fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }),
  fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 2, maxLength: 2 }),
  fc.boolean(),
).map(([[a, b, c, d], odds, agree]) =>
  agree ? { counts: [a!, b! + 30, c! + 30, d!], odds: [2, -2] } : { counts: [a!, b!, c!, d!], odds }
);

const batches = fc.array(cells, { minLength: 1, maxLength: 5 });

// Mutants: evidence of another kind, against another hypothesis of the grid, or of another level.
Deno.test("evidenceAgainst() has the e-value of evidenceFor(), and refutes when it comes to 1/α", () => {
  const claims: (PureClaim | ApproximateClaim)[] = [
    pure({ epsilon: 0.7, relation }),
    approximate({ epsilon: 0.7, delta: 0.02, relation }),
  ];
  let refuted = 0;
  fc.assert(
    fc.property(fc.constantFrom(...claims), batches, (claim, drawn) => {
      const alpha = 0.2, one = evidenceAgainst(claim, alpha), all = evidenceFor(claim, alpha);
      let most = 0;
      for (const [k, { counts, odds }] of drawn.entries()) {
        const batch = batchOf(counts, odds);
        for (const evidence of [one, all]) evidence.add(batch);
        if (k === 2) { for (const evidence of [one, all]) evidence.restart(); }
        assertAlmostEquals(one.logEValue, all.logEValue, 1e-9);
        most = Math.max(most, one.logEValue);
        if (Math.abs(most - Math.log(1 / alpha)) > 1e-9) {
          assertEquals(one.refuted, most > Math.log(1 / alpha));
        }
        assertEquals(one.lowerBound, one.refuted ? claim.epsilon : 0);
        // What refutes a claim refutes the smaller ones too.
        assertEquals(all.refuted, all.lowerBound >= claim.epsilon);
        if (all.refuted) {
          assert(one.refuted);
          refuted++;
        }
      }
    }),
    { seed: 1512, numRuns: 60 },
  );
  assert(refuted >= 10, `${refuted} of 60 claims are refuted`);
});

// Mutants: (ε, 0) taken for a claim of one point; a claim with δ taken for a pure one.
Deno.test("evidenceFor() bets against (ε, 0) as against ε, and less against (ε, δ)", () => {
  const epsilon = 0.5, strong = batchOf([2, 60, 50, 1], [3, -3]);
  const after = (claim: Claim): number => {
    const evidence = evidenceFor(claim, 0.05);
    evidence.add(strong);
    return evidence.logEValue;
  };
  const bare = after(pure({ epsilon, relation }));
  assertEquals(after(approximate({ epsilon, delta: 0, relation })), bare);
  const slack = after(approximate({ epsilon, delta: 0.1, relation }));
  assert(slack < bare && slack > 0, `${slack} ${bare}`);
});

// Mutant: no restart.
Deno.test("evidenceFor() forgets with a share of the money what was lost before a restart", () => {
  const claims: Claim[] = [pure({ epsilon: 0.5, relation }), gaussian({ mu: 0.5, relation })];
  for (const claim of claims) {
    const [plain, restarted] = [evidenceFor(claim, 0.05), evidenceFor(claim, 0.05)];
    for (const evidence of [plain, restarted]) evidence.add(batchOf([40, 0, 0, 40], [3, -3]));
    restarted.restart();
    for (const evidence of [plain, restarted]) evidence.add(batchOf([0, 30, 30, 0], [3, -3]));
    assert(restarted.logEValue > plain.logEValue + 1, claim.kind);
  }
});
