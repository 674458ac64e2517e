import { assert, assertAlmostEquals } from "@std/assert";
import {
  approximateLoss,
  gaussianLoss,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { normalMass } from "../../../../lib/core/numeric/normal_interval.ts";
import { normalTail } from "../../../../lib/core/numeric/normal_tail.ts";
import {
  deltaBounds,
  epsilonBounds,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { bigNumber } from "../../../core/numeric/big_number.ts";

// ln(1 − q + q·e^l), by 80 digits. Mutants: what is not sampled left out, or counted whole, where losses are large.
Deno.test("poissonSubsampledLoss() mixes losses to the last digits", () => {
  for (const epsilon of [0.1, 5, 29.9, 30.1, 31, 33, 600]) {
    for (const rate of [1e-9, 1e-3, 0.5, 0.9]) {
      const { atoms } = poissonSubsampledLoss(approximateLoss({ epsilon }), { rate }).forward;
      for (const [i, loss] of [-epsilon, epsilon].entries()) {
        const q = bigNumber(rate);
        const exact = q.times(bigNumber(loss).exp()).plus(bigNumber(1).minus(q)).ln().toNumber();
        const found = atoms[i]!.loss;
        assert(Math.abs(found - exact) <= 4 * 2 ** -53 * Math.abs(exact), `${found} ${exact}`);
      }
    }
  }
});

// Losses of noise that hides next to nothing are beyond 709, where e^loss overflows. Mutants: the rate left out, or the wrong way round.
Deno.test("poissonSubsampledLoss() gives intervals of losses their probability where e^loss overflows", () => {
  const mu = 50, mean = mu * mu / 2;
  for (const rate of [1e-3, 0.1, 0.9]) {
    const { forward, backward } = poissonSubsampledLoss(gaussianLoss({ mu }), { rate });
    const [from, to] = [1200, 1260];
    // Q has nothing there, and ln(q·e^l + 1 − q) is l + ln q.
    const ends = [from, to].map((loss) => (loss - Math.log(rate) - mean) / mu) as [number, number];
    const p = rate * normalMass(...ends);
    assertAlmostEquals(forward.intervalMass!(from, to).p, p, 1e-10 * p);
    assertAlmostEquals(backward.intervalMass!(-to, -from).q, p, 1e-10 * p);
  }
});

// Losses without the row are at most −ln(1 − rate). Mutant: those below the range of the law without samples counted as infinite, 2e-28 of each step.
Deno.test("poissonSubsampledLoss() bounds ε where δ is 10⁻²⁵ and less, also of a thousand steps", () => {
  const mu = 1, rate = 0.01, loss = poissonSubsampledLoss(gaussianLoss({ mu }), { rate });
  for (const epsilon of [5, 6]) {
    // The ratio is above e^ε beyond this.
    const at = Math.log((Math.expm1(epsilon) + rate) / rate) / mu + mu / 2;
    const exact = rate * normalTail(at - mu) - (Math.expm1(epsilon) + rate) * normalTail(at);
    const { lower, upper } = deltaBounds([{ loss, count: 1 }], { epsilon });
    assert(lower <= exact && exact <= upper && upper < 1.01 * exact, `${lower} ${exact} ${upper}`);
    assert(exact < 1e-22);
  }
  for (const delta of [1e-25, 1e-28]) {
    const { lower, upper } = epsilonBounds([{ loss, count: 1000 }], { delta });
    assert(upper < 1.0002 * lower && upper < 9, `${delta}: ${lower} to ${upper}`);
  }
});
