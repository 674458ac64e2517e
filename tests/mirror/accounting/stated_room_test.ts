// Totals are raised by what their roundings may be at most, in the worst order, which no composition of a test reaches. So what
// they are raised by is compared with the derivation. Mutants: every term and factor of that room.
import { assert } from "@std/assert";
import { kairouzComposition } from "../../../lib/accounting/kairouz_composition.ts";
import { composeMeanConcentrated } from "../../../lib/accounting/mean_concentrated.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import { type BigNumber, bigNumber } from "../numeric/big_number.ts";

const U = Number.EPSILON, one = bigNumber(1);

/** That a number is above an exact one by the room, but for roundings that are a tenth of it. */
function assertRaised(found: number, exact: BigNumber, room: number): void {
  const raised = bigNumber(found).div(exact).minus(one).toNumber();
  assert(Math.abs(raised - room) <= 0.1 * room, `raised by ${raised}, not ${room}`);
}

// No lie at all: (1 + e^−ε)^−n, and of that all but e^−excess. A logarithm is off by EPSILON·n·(4 + 2ε).
Deno.test("optimalDelta() is raised by 1e-11 and what logarithms of the group may be off by", () => {
  for (const [epsilon, count] of [[20, 1], [30, 1e6], [20, 3e5], [9, 1e5]] as const) {
    const given = epsilon * count - 0.75 * epsilon;
    const chance = one.plus(bigNumber(-epsilon).exp()).ln().times(-count).exp();
    const exact = chance.times(one.minus(bigNumber(-0.75 * epsilon).exp()));
    const found = optimalDelta([{ epsilon, count }], { epsilon: given });
    assertRaised(found, exact, 1e-11 + U * count * (4 + 2 * epsilon));
  }
});

Deno.test("kairouzComposition() is raised by 1e-14, and two EPSILON for every part", () => {
  const slack = 2 ** -20;
  for (const count of [1, 10, 1000]) {
    const epsilon = 2 ** -12, delta = 2 ** -30;
    const parts = new Array(count).fill({ epsilon, delta });
    const found = kairouzComposition(parts, { slack });
    const room = 1e-14 + 2 * U * count;
    const kept = one.minus(bigNumber(slack)).times(one.minus(bigNumber(delta)).pow(count));
    assertRaised(found.delta, one.minus(kept), room);
    // Of few parts the plain sum is the least.
    if (count < 1000) continue;
    const big = bigNumber(epsilon), squares = big.times(big).times(count);
    const drift = big.times(big.div(2).tanh()).times(count);
    const log = one.exp().plus(squares.sqrt().div(bigNumber(slack))).ln();
    assertRaised(found.epsilon, drift.plus(squares.times(2).times(log).sqrt()), room);
  }
});

Deno.test("composeMeanConcentrated() is raised by 1e-14, and one EPSILON for every part", () => {
  for (const count of [2, 1000]) {
    const { mean, spread } = composeMeanConcentrated(
      new Array(count).fill({ mean: 2 ** -9, spread: 2 ** -5 }),
    );
    const room = 1e-14 + U * count;
    assertRaised(mean, bigNumber(count * 2 ** -9), room);
    assertRaised(spread, bigNumber(count).sqrt().div(32), room);
  }
});
