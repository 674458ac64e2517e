import { assert, assertEquals } from "@std/assert";
import { parameterOf, scaledClaim } from "../../../../../lib/core/claim_curve.ts";
import { parameterOfLaw } from "../../../../../lib/audit/plan/bet_choice/law_parameter.ts";
import { boundByBets } from "../../../../../lib/audit/plan/bound_at_end.ts";
import { SeededSource } from "../../../../../lib/random/seeded_source.ts";
import {
  ALPHA,
  batchOf,
  claims,
  drawn,
  LAW,
  learnedFrom,
  testOfTwo,
  twoLeaves,
} from "../../kernel/fixed_sample/bets.ts";

for (const [claim] of claims) {
  const { value } = parameterOf(claim);
  if (claim.kind === "zcdp") continue;
  Deno.test(`The detectable parameter of a BetBound of a ${claim.kind} claim of ${value} is a violation that is refuted about as often as said`, () => {
    const source = new SeededSource(2312).split(`${claim.kind} ${value}`);
    const learned = learnedFrom(drawn(source, 4e5)), draws = 2e5;
    const truth = parameterOfLaw(LAW, claim);
    // The claim that is the farthest below the truth with this law just detectable, by halving.
    let low = 0.3 * truth, high = truth;
    const detectableOf = (parameter: number): number => {
      const test = boundByBets(learned, {
        claim: scaledClaim(claim, parameter),
        alpha: ALPHA,
        draws,
      });
      test.bound.add(batchOf(drawn(source, draws)));
      return test.detectable(0.9)!;
    };
    for (let step = 0; step < 6; step++) {
      const middle = (low + high) / 2;
      if (detectableOf(middle) < truth) low = middle;
      else high = middle;
    }
    let refuted = 0;
    for (let trial = 0; trial < 20; trial++) {
      const test = boundByBets(learned, { claim: scaledClaim(claim, low), alpha: ALPHA, draws });
      test.bound.add(batchOf(drawn(source, draws)));
      if (test.bound.refutes()) refuted++;
    }
    // 18 are expected; the estimate may be off by a few.
    assert(refuted >= 13, `${refuted} of 20 refuted at ${low / truth} of the truth`);
    assert(low < 0.99 * truth && low > 0.6 * truth, `${low / truth}`);
  });
}

// Mutant: a finite number where nothing could be seen.
Deno.test("The detectable parameter of a BetBound is infinite where no law of the learned shape would have been refuted", () => {
  for (const claim of twoLeaves) {
    const test = testOfTwo(claim, ALPHA);
    test.bound.add(batchOf(Float64Array.of(1, 0, 0, 1)));
    assertEquals(test.detectable(0.9), Infinity);
  }
});
