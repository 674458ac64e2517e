import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { parameterOfLaw } from "../../../../../lib/judge/audit/plan/bet_choice/law_parameter.ts";
import {
  detectableParameter,
  type TestsMade,
  withDraws,
} from "../../../../../lib/judge/audit/plan/power/detectable_parameter.ts";
import {
  eventLawAt,
  parameterOfEvent,
} from "../../../../../lib/judge/audit/plan/power/event_law.ts";
import { approximate, type Claim, gaussian, pure, zcdp } from "../../../../../lib/core/mod.ts";
import { parameterOf } from "../../../../../lib/core/claims/claim_curve.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import { dailyOf } from "../../../../long.ts";
import { logBinomialTail } from "../../../../../lib/core/numeric/binomial_tail.ts";

const claims: readonly Claim[] = [
  pure({ epsilon: 1, relation }),
  pure({ epsilon: 0.1, relation }),
  approximate({ epsilon: 1, delta: 1e-3, relation }),
  gaussian({ mu: 1, relation }),
  zcdp({ rho: 0.5, relation }),
];

function testsOf(claim: Claim, draws: number): TestsMade {
  return {
    claim,
    power: 0.9,
    bets: { alpha: 0.02 / 3, draws },
    test: { alpha: 0.01 / 3, draws: 0.28 * draws },
  };
}

function detectable(claim: Claim, share: number, draws: number): number {
  return detectableParameter(share, testsOf(claim, draws))!;
}

// Mutants: a parameter of the smaller of the two directions; orders of Rényi divergences that are far apart.
Deno.test("eventLawAt() is the law that a claim of this parameter just allows", () => {
  for (const claim of claims) {
    const parameter = 1.5 * parameterOf(claim).value;
    for (const share of [0.5, 0.2, 0.01]) {
      const law = eventLawAt(share, { claim, parameter });
      assertAlmostEquals((law.left[0]! + law.right[0]!) / 2, share, 1e-12);
      const own = parameterOfEvent(law, claim);
      assert(own >= parameterOfLaw(law, claim) - 1e-9);
      assert(Math.abs(own / parameter - 1) < 1e-6 || own < parameter, `${claim.kind} ${share}`);
    }
    const [p, q] = [0.7, 0.3], law = eventLawAt(0.5, { claim, parameter });
    if (claim.kind === "pure") {
      assertAlmostEquals(Math.log(law.right[0]! / law.left[0]!), parameter, 1e-6);
    }
    if (claim.kind === "zcdp") {
      const divergence = (order: number): number =>
        Math.log(p ** order * q ** (1 - order) + q ** order * p ** (1 - order)) / (order - 1) /
        order;
      const most = Math.max(...Array.from({ length: 4000 }, (_, k) => divergence(1.001 + k / 100)));
      const own = parameterOfEvent(
        { share: 0.5, left: Float64Array.of(q, p), right: Float64Array.of(p, q) },
        claim,
      );
      assertAlmostEquals(own, most, 1e-4 * most);
    }
  }
});

// Mutants: guesses on all of the test's draws, the power of one guess fewer, the claimed rate in place of the true one.
Deno.test("detectableParameter() of a test that guesses is refuted by four fifths of its draws with the power it says", () => {
  for (const [epsilon, draws] of [[1, 4000], [0.1, 1e5], [3, 2000]] as const) {
    const test = { alpha: 0.01 / 3, draws };
    const seen = detectableParameter(0.5, {
      claim: pure({ epsilon, relation }),
      power: 0.9,
      bets: { alpha: 1e-300, draws },
      test,
    })!;
    const goal = 0.8 * draws, claimed = 1 / (1 + Math.exp(-epsilon));
    let needed = 0;
    while (logBinomialTail(needed, goal, claimed) > Math.log(test.alpha)) needed++;
    const powerAt = (at: number): number =>
      Math.exp(logBinomialTail(needed, goal, 1 / (1 + Math.exp(-at))));
    assert(powerAt(seen) >= 0.9 - 1e-6 && powerAt(seen) < 0.9001, `${powerAt(seen)}`);
    assert(powerAt(0.99 * seen) < 0.9);
  }
});

Deno.test("detectableParameter() falls towards the claim as draws grow, and rises as the event gets rare", () => {
  for (const claim of dailyOf(claims, (_, place) => place % 2 === 0)) {
    const { value } = parameterOf(claim);
    const byDraws = [1e3, 1e4, 1e5, 1e6, 1e8].map((draws) => detectable(claim, 0.5, draws));
    byDraws.slice(1).forEach((next, k) => assert(next < byDraws[k]!, `${claim.kind} ${byDraws}`));
    assert(byDraws.at(-1)! < 1.05 * value, `${claim.kind} ${byDraws}`);
    const byShare = [0.5, 0.1, 0.02].map((share) => detectable(claim, share, 1e6));
    byShare.slice(1).forEach((next, k) => assert(next > byShare[k]!, `${claim.kind} ${byShare}`));
    // An event of which ten draws are expected refutes nothing at this level.
    assertEquals(detectable(claim, 1e-4, 1e5), Infinity);
  }
});

// Mutant: the figure of guesses in all outputs, which is 1.29 here.
Deno.test("detectableParameter() of answers that are nearly always equal is infinite, and null without draws", () => {
  const claim = pure({ epsilon: 1, relation });
  assertEquals(detectable(claim, 0.0025, 4000), Infinity);
  assertEquals(detectable(claim, 0, 4000), Infinity);
  assertEquals(detectableParameter(0.5, testsOf(claim, 0)), null);
});

Deno.test("withDraws() keeps the share of the test", () => {
  const { bets, test } = withDraws(testsOf(claims[0]!, 1000), 4000);
  assertEquals([bets.draws, test!.draws], [4000, 1120]);
});
