import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import {
  evidenceAgainst,
  evidenceFor,
  hypothesesFor,
} from "../../../../lib/audit/betting/evidence_for.ts";
import { parameterOf } from "../../../../lib/core/claim_curve.ts";
import {
  approximate,
  type ApproximateClaim,
  type Claim,
  gaussian,
  pure,
  type PureClaim,
  renyi,
  zcdp,
} from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";

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

// Mutants: hypotheses far above or below the claim missing from the grid.
Deno.test("evidenceFor() bounds the parameter of every kind of claim up to three times the claim", () => {
  const strong = batchOf([0, 900, 900, 0], [9, -9]);
  for (
    const claim of [
      pure({ epsilon: 0.3, relation }),
      approximate({ epsilon: 0.3, delta: 1e-3, relation }),
      renyi({ order: 4, epsilon: 0.1, relation }),
      zcdp({ rho: 0.05, relation }),
      gaussian({ mu: 0.3, relation }),
    ]
  ) {
    const evidence = evidenceFor(claim, 0.05), { value } = parameterOf(claim);
    assertEquals([evidence.lowerBound, evidence.refuted], [0, false]);
    evidence.add(strong);
    assert(evidence.refuted && evidence.lowerBound >= 2.7 * value, claim.kind);
  }
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

Deno.test("hypothesesFor() has the claim, and ascends from a quarter of it or less to three times as much or more", () => {
  const curve = { ratio: 1.05, top: 3, bottom: 1 / 4 };
  const cases: [Claim, { ratio: number; top: number; bottom: number }][] = [
    [pure({ epsilon: 0.5, relation }), { ratio: 1.0025, top: 80, bottom: 1 / 64 }],
    [approximate({ epsilon: 8, delta: 0, relation }), { ratio: 1.0025, top: 8, bottom: 1 / 64 }],
    [approximate({ epsilon: 0.5, delta: 1e-3, relation }), { ratio: 1.02, top: 4, bottom: 1 / 4 }],
    [zcdp({ rho: 0.5, relation }), curve],
    [gaussian({ mu: 2, relation }), curve],
    [renyi({ order: 3, epsilon: 0.7, relation }), curve],
  ];
  for (const [claim, { ratio, top, bottom }] of cases) {
    const { grid, claimIndex } = hypothesesFor(claim), { value } = parameterOf(claim);
    assertEquals(grid[claimIndex], value);
    for (let j = 1; j < grid.length; j++) assertAlmostEquals(grid[j]! / grid[j - 1]!, ratio, 1e-9);
    // As far as the ends and not a whole step further.
    const first = grid[0]! / value, last = grid.at(-1)! / value;
    assert(first <= bottom && first * ratio > bottom * (1 - 1e-9), `${claim.kind}: ${first}`);
    assert(last >= top * (1 - 1e-9) && last < top * ratio, `${claim.kind}: ${last}`);
  }
});
