import { assert, assertEquals } from "@std/assert";
import { approximate, type Claim, gaussian, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { parameterOf } from "../../../../lib/core/claim_curve.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { deviationsAboveGoal } from "../../../../lib/audit/bet_choice/bet_growth.ts";
import { chooseBets, expectedBetBound } from "../../../../lib/audit/bet_choice/choose_bets.ts";
import {
  lawOf,
  type PredictedShares,
  predictedShares,
} from "../../../../lib/audit/bet_choice/predicted_law.ts";
import type { PredictedLeaves } from "../../../../lib/audit/betting/prediction_batch.ts";

const goal = { draws: 20_000, nats: Math.log(20) };

/** Five leaves whose log odds are `scale` times those of the first counts. */
function learned(scale = 1): PredictedLeaves {
  const leaves = Int32Array.of(0, 1, 2, 3, 4);
  const odds = Float64Array.of(-0.4, -0.1, 0, 0.15, 0.5).map((own) => scale * own);
  const counts = Float64Array.from([...leaves].flatMap(() => [4000, 4000]));
  return { leaves, counts, logOdds: Array.from({ length: 5 }, () => odds) };
}

/** The smallest scale of the log odds on which something holds that holds on all larger ones. */
function leastScale(holds: (scale: number) => boolean): number {
  let low = 1, high = 1000;
  for (let step = 0; step < 40; step++) {
    const middle = Math.sqrt(low * high);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether a bet is expected to refute a claim by one and a half standard deviations, on the law with these log odds. */
function refutes(
  bet: Parameters<typeof deviationsAboveGoal>[0],
  { claim, predicted, scale }: { claim: Claim; predicted: PredictedShares; scale: number },
): boolean {
  const law = lawOf(predicted, scale), parameter = parameterOf(claim).value;
  return deviationsAboveGoal(bet, { law, parameter, ...goal }) >= 1.5;
}

/** Claims that the law keeps with much to spare. */
const weak: readonly Claim[] = [
  approximate({ epsilon: 2, delta: 0.01, relation }),
  renyi({ order: 2, epsilon: 1.5, relation }),
  gaussian({ mu: 1.5, relation }),
];

// Mutants: the second bet on the predicted law, on the law of the largest log odds, against another parameter.
Deno.test("chooseBets() bets on the least log odds that refute the claim, beside the bet that shows most", () => {
  for (const claim of weak) {
    const { value } = parameterOf(claim), predicted = predictedShares(learned());
    const bets = chooseBets(predicted, { claim, ...goal });
    assertEquals(bets.map(({ share }) => share), [0.7, 1 - 0.7]);
    const least = leastScale((scale) =>
      expectedBetBound(learned(scale), { claim, ...goal }) >= value
    );
    assert(least > 1.2, `${claim.kind}: ${least}`);
    const [first, second] = bets.map(({ bet }) =>
      leastScale((scale) => refutes(bet, { claim, predicted, scale }))
    );
    // Six halvings on the scale of logarithms leave a factor of 2^(10/64).
    assert(second! < 1.12 * least && second! < first!, `${claim.kind}: ${least}, ${second}`);
  }
});

// Mutant: the best bet twice, or the best of its own order.
Deno.test("chooseBets() divides the stake against a concentrated claim between two orders", () => {
  const claim = zcdp({ rho: 0.01, relation });
  const bets = chooseBets(predictedShares(learned()), { claim, ...goal });
  assertEquals(bets.length, 2);
  // Where ρ grows, the factors of a bet of order a fall by stakes times e^(a(a−1)ρ): by its logarithm the order is seen.
  const [first, second] = bets.map(({ bet }) => {
    const paid = (rho: number): number => -bet.factorsAt(rho)!.left[2]!;
    const growth = (rho: number): number => Math.log(paid(rho + 1e-3) - paid(rho));
    return (growth(2e-3) - growth(0)) / 2e-3;
  });
  assert(Math.abs(first! - second!) > 0.2, `a(a − 1) is ${first} and ${second}`);
});

// Mutant: the bet that is expected to show least, or the first one.
Deno.test("expectedBetBound() is the largest parameter that a chosen bet is expected to refute", () => {
  for (const claim of [...weak, zcdp({ rho: 0.01, relation })]) {
    for (const scale of [1, 3, 10]) {
      const own = learned(scale), predicted = predictedShares(own);
      const bound = expectedBetBound(own, { claim, ...goal });
      const { bet } = chooseBets(predicted, { claim, ...goal })[0]!;
      const at = (parameter: number): number =>
        deviationsAboveGoal(bet, { law: lawOf(predicted), parameter, ...goal });
      assert(bound === 0 || at(bound) >= 1.5, `${claim.kind}, ${scale}: ${bound}`);
      assert(at(bound * 1.001 + 1e-9) < 1.5, `${claim.kind}, ${scale}: ${bound}`);
    }
  }
});
