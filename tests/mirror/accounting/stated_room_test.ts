// Totals are raised by what their roundings may be at most, in the worst order, which no composition of a test reaches. So what
// they are raised by is compared with the derivation. Mutants: every term and factor of that room.
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { kairouzComposition } from "../../../lib/accounting/kairouz_composition.ts";
import { composeMeanConcentrated } from "../../../lib/accounting/mean_concentrated.ts";
import { optimalDelta } from "../../../lib/accounting/optimal_composition.ts";
import {
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../lib/accounting/subsampled_loss.ts";
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

/** That a law's probabilities and losses are off by this much, as it says. */
function assertStated({ relativeError }: LossLaw, room: number): void {
  assertAlmostEquals(relativeError, room, 1e-9 * room);
}

Deno.test("laws of losses say 1e-14, and two EPSILON of the largest sum of logarithms or exponent", () => {
  for (const epsilon of [0.1, 30, 600]) {
    assertStated(laplaceLoss({ epsilon }).forward, 1e-14 + 2 * U * epsilon);
  }
  const cases = [
    [0.5, 0.5],
    [1e-300, 0.5],
    [0.5, 1e-290],
    [1e-150, 1e-200],
    [0.01, 0.02],
  ] as const;
  for (const [p, q] of cases) {
    const { forward, backward } = finiteLoss({ p: [p, 1 - p], q: [q, 1 - q] });
    const sums = [[p, q], [1 - p, 1 - q]].map(([p, q]) =>
      Math.abs(Math.log(p!)) + Math.abs(Math.log(q!))
    );
    for (const law of [forward, backward]) assertStated(law, 1e-14 + 2 * U * Math.max(...sums));
  }
  assertStated(finiteLoss({ p: [1], q: [1] }).forward, 1e-14);
});

Deno.test("a sampled law says 1e-14 more, and two EPSILON of its largest loss and ln of the rate, if it has atoms", () => {
  for (const rate of [1e-9, 0.01, 0.7]) {
    const laws = [
      ...[0.1, 30, 600].map((epsilon) => [laplaceLoss({ epsilon }), epsilon] as const),
      [finiteLoss({ p: [0.01, 0.99], q: [0.5, 0.5] }), Math.log(50)] as const,
      [finiteLoss({ p: [0.5, 0.5], q: [0.01, 0.99] }), Math.log(50)] as const,
      [finiteLoss({ p: [1], q: [1] }), 0] as const,
    ];
    for (const [loss, largest] of laws) {
      const { forward, backward } = poissonSubsampledLoss(loss, { rate });
      const room = loss.forward.relativeError + 1e-14 + 2 * U * (largest - Math.log(rate));
      for (const law of [forward, backward]) assertStated(law, room);
    }
    const gaussian = gaussianLoss({ mu: 2 });
    const { forward, backward } = poissonSubsampledLoss(gaussian, { rate });
    for (const law of [forward, backward]) {
      assertStated(law, gaussian.forward.relativeError + 1e-14);
      assertEquals(law.atoms, []);
    }
  }
});

Deno.test("a normal law of losses ends 12 standard deviations from its mean", () => {
  for (const mu of [0.25, 1, 8]) {
    const { lowest, highest } = gaussianLoss({ mu }).forward;
    assertEquals([lowest, highest], [0.5 * mu * mu - 12 * mu, 0.5 * mu * mu + 12 * mu]);
  }
});
