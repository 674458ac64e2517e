// Laws with atoms: bounds are as near each other as those of Gaussian noise. Before, sampled randomised response and Laplace noise were
// put on grids that did not have their losses, and were up to 57% apart (Laplace of ε = 4 sampled at 0.01, 100,000 times).
// Mutants: WANTED 20 times as large; gapFor() that returns what is wanted; no look at the largest sum of losses.
import { assert } from "@std/assert";
import {
  approximateLoss,
  laplaceLoss,
  type LossLaw,
  type PrivacyLoss,
} from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  deltaBounds,
  epsilonBounds,
} from "../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { logGamma } from "../../../lib/core/numeric/log_gamma.ts";

interface Case {
  readonly epsilon: number;
  readonly rate: number;
  readonly count: number;
  readonly delta: number;
}

const cases: readonly Case[] = [
  { epsilon: 1, rate: 1, count: 1, delta: 1e-6 },
  { epsilon: 7, rate: 1, count: 2, delta: 1e-12 },
  { epsilon: 0.1, rate: 1, count: 1000, delta: 1e-6 },
  { epsilon: 1, rate: 0.1, count: 10, delta: 1e-6 },
  { epsilon: 1, rate: 0.1, count: 1000, delta: 1e-6 },
  { epsilon: 1, rate: 0.01, count: 1000, delta: 1e-5 },
  { epsilon: 4, rate: 0.01, count: 100_000, delta: 1e-6 },
  { epsilon: 0.1, rate: 0.001, count: 100_000, delta: 1e-9 },
  { epsilon: 10, rate: 0.02, count: 5, delta: 1e-3 },
  { epsilon: 0.2, rate: 0.3, count: 30, delta: 0.05 },
];

const nameOf = ({ epsilon, rate, count, delta }: Case): string =>
  `ε = ${epsilon}, sampled at ${rate}, ${count} times, δ = ${delta}`;

/** δ of `count` answers that are true with probability p, against q: by how many of them are. */
function binomialDelta(
  { p, q, count }: { p: number; q: number; count: number },
  epsilon: number,
): number {
  let sum = 0;
  for (let k = 0; k <= count; k++) {
    const choose = logGamma(count + 1) - logGamma(k + 1) - logGamma(count - k + 1);
    const left = choose + k * Math.log(p) + (count - k) * Math.log1p(-p);
    const right = choose + k * Math.log(q) + (count - k) * Math.log1p(-q);
    if (left > right + epsilon) sum += -Math.exp(left) * Math.expm1(right + epsilon - left);
  }
  return sum;
}

for (const each of cases) {
  Deno.test(`epsilonBounds() enclose the binomial of randomised responses within 0.01%: ${nameOf(each)}`, () => {
    const { epsilon, rate, count, delta } = each;
    const loss = poissonSubsampledLoss(approximateLoss({ epsilon }), { rate });
    const { lower, upper } = epsilonBounds([{ loss, count }], { delta });
    assert(lower > 0 && upper <= lower * (1 + 1.01e-4), `${lower} ${upper}`);
    const lie = 1 / (1 + Math.exp(epsilon)), p = lie + rate * Math.tanh(epsilon / 2);
    const exact = (at: number): number =>
      Math.max(
        binomialDelta({ p, q: lie, count }, at),
        binomialDelta({ p: lie, q: p, count }, at),
      );
    // Logarithms of 100,000 factorials lose some digits.
    const tolerance = 1e-14 * count + 1e-13;
    assert(exact(lower * (1 - 1e-12)) >= delta * (1 - tolerance), `δ at ${lower}`);
    assert(exact(upper * (1 + 1e-12)) <= delta * (1 + tolerance), `δ at ${upper}`);
    const at = 0.8 * lower,
      known = exact(at),
      bounds = deltaBounds([{ loss, count }], { epsilon: at });
    assert(bounds.lower <= known * (1 + tolerance) && bounds.upper >= known * (1 - tolerance));
    assert(bounds.upper <= bounds.lower * 1.001, `${bounds.lower} ${bounds.upper}`);
  });

  Deno.test(`epsilonBounds() are within 0.01% for Laplace noise: ${nameOf(each)}`, () => {
    const { epsilon, rate, count, delta } = each;
    const loss = poissonSubsampledLoss(laplaceLoss({ epsilon }), { rate });
    const { lower, upper } = epsilonBounds([{ loss, count }], { delta });
    assert(upper <= lower * (1 + 1.01e-4), `${lower} ${upper}`);
  });
}

/** δ of two runs, from below and above: the second's, averaged over the first's losses in narrow cells. */
function twoRunsDelta(law: LossLaw, epsilon: number): { least: number; most: number } {
  const one = (at: number): number => {
    const { p, q } = law.intervalMass!(at, Infinity);
    return law.atoms.filter(({ loss }) => loss > at)
      .reduce((sum, atom) => sum + atom.p - Math.exp(at) * atom.q, p - Math.exp(at) * q);
  };
  const { lowest, highest } = law, cells = 40_000, width = (highest - lowest) / cells;
  const atoms = law.atoms.reduce((sum, { loss, p }) => sum + p * one(epsilon - loss), 0);
  let least = atoms, most = atoms;
  for (let i = 0; i < cells; i++) {
    const from = lowest + i * width, { p } = law.intervalMass!(from, from + width);
    least += p * one(epsilon - from);
    most += p * one(epsilon - from - width);
  }
  return { least, most };
}

Deno.test("deltaBounds() enclose two runs of sampled Laplace noise by quadrature", () => {
  for (const [epsilon, rate] of [[1, 0.1], [4, 0.02], [7, 0.03]] as const) {
    const { forward, backward } = poissonSubsampledLoss(laplaceLoss({ epsilon }), { rate });
    for (const law of [forward, backward]) {
      for (const share of [0.1, 0.5, 0.9]) {
        const at = share * law.highest, loss: PrivacyLoss = { forward: law, backward: law };
        const { lower, upper } = deltaBounds([{ loss, count: 2 }], { epsilon: at });
        const { least, most } = twoRunsDelta(law, at);
        const shown = `[${lower}, ${upper}], [${least}, ${most}], ε = ${epsilon} at ${at}`;
        assert(lower <= most * (1 + 1e-12) && least * (1 - 1e-12) <= upper, shown);
        assert(most <= least * 1.01 && upper <= lower * 1.001, shown);
      }
    }
  }
});
