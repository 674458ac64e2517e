import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { gaussianLoss } from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { deltaBounds } from "../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import {
  gaussianRenyi,
  pureRenyi,
  renyiComposition,
  type RenyiCurve,
  renyiDelta,
  renyiEpsilon,
  zcdpRenyi,
} from "../../../lib/dp/accounting/composition/renyi.ts";
import { logSampledGaussianMoment } from "../../../lib/dp/accounting/sampling/sampled_gaussian_moment.ts";
import { poissonSubsampledLoss } from "../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "../../../lib/dp/accounting/sampling/subsampling.ts";
import { multiply, rational, subtract, toNumber } from "../../../lib/core/numeric/rational.ts";
import { type BigNumber, bigNumber as big } from "../../core/numeric/big_number.ts";
import { logSumExp } from "../../../lib/core/numeric/log_sum_exp.ts";

// Mutant: C(order, k)·e^(k²μ²/2).
Deno.test("poissonSubsampledGaussianRenyi() is the closed form at order 2 and unsampled at rate 1", () => {
  const curve = poissonSubsampledGaussianRenyi({ mu: 1, rate: 0.1 });
  assertAlmostEquals(curve(2), Math.log(1 + 0.01 * (Math.E - 1)), 1e-9);
  assert(curve(1.5) < curve(2));
  assertAlmostEquals(poissonSubsampledGaussianRenyi({ mu: 1, rate: 1 })(5), 2.5, 1e-8);
  assert(curve(3) < gaussianRenyi({ mu: 1 })(3));
});

/** ln E_Q[(dP/dQ)^order] by the midpoint rule. */
function integratedMoment(order: number, { mu, rate }: { mu: number; rate: number }): number {
  let sum = 0;
  const step = 1e-3;
  for (let x = -12 + step / 2; x < 12 + mu * order; x += step) {
    const ratio = 1 + rate * Math.expm1(mu * x - 0.5 * mu * mu);
    const above = Math.exp(order * Math.log(ratio) - 0.5 * x * x) - Math.exp(-0.5 * x * x);
    sum += (above / Math.sqrt(2 * Math.PI)) * step;
  }
  return Math.log1p(sum);
}

// Mutants: a power of 1 − rate left out; a binomial coefficient or a power of the rate of another term.
Deno.test("poissonSubsampledGaussianRenyi() is the printed sum at whole orders, rounded up", () => {
  for (const order of [2, 3, 4, 7, 20, 65]) {
    for (const rate of [0.01, 0.3, 0.9]) {
      for (const mu of [0.2, 1, 3]) {
        const logs: number[] = [];
        for (let k = 0, logChoose = 0; k <= order; k++) {
          if (k > 0) logChoose += Math.log((order - k + 1) / k);
          logs.push(
            logChoose + (order - k) * Math.log1p(-rate) + k * Math.log(rate) +
              0.5 * (k * k - k) * mu * mu,
          );
        }
        const printed = logSumExp(logs) / (order - 1);
        const value = poissonSubsampledGaussianRenyi({ mu, rate })(order);
        assert(
          value >= printed - 1e-13 && value <= printed * (1 + 1e-10) + 1e-13,
          `${order} ${rate} ${mu}`,
        );
      }
    }
  }
});

// Mutants: the tails of the two halves swapped; the sign of the terms that alternate; the chord from above
// the order; what is left out of the series forgotten is too small to be seen.
Deno.test("poissonSubsampledGaussianRenyi() is the divergence at fractional orders, rounded up", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1.05, max: 12, noNaN: true }),
      fc.double({ min: 0.2, max: 2, noNaN: true }),
      fc.double({ min: 1e-3, max: 0.9, noNaN: true }),
      (order, mu, rate) => {
        const found = poissonSubsampledGaussianRenyi({ mu, rate })(order) * (order - 1);
        const truth = integratedMoment(order, { mu, rate });
        assert(found >= truth * (1 - 1e-9), `${found} < ${truth}`);
        assert(found <= truth * (1 + 1e-7) + 1e-11, `${found} > ${truth}`);
      },
    ),
    { seed: 93, numRuns: 60 },
  );
});

// Mutant: whole orders only (116.2).
Deno.test("poissonSubsampledGaussianRenyi() gives ε below 69.9 at rate 0.02, σ = 0.5, 5000 runs, δ = 1e-5", () => {
  const one = poissonSubsampledGaussianRenyi({ mu: 2, rate: 0.02 });
  const epsilon = renyiEpsilon((order) => 5000 * one(order), { delta: 1e-5 });
  // The loss distribution's lower bound is 61.004.
  assert(epsilon > 61.004 && epsilon < 69.9, `${epsilon}`);
});

// A subtraction from 1 would leave no digits. Mutant: ln Σ with the terms of k = 0 and 1.
Deno.test("poissonSubsampledGaussianRenyi() keeps its digits at a rate of 1e-5", () => {
  const one = poissonSubsampledGaussianRenyi({ mu: 0.02, rate: 1e-5 })(2);
  const truth = Math.log1p(1e-10 * Math.expm1(4e-4));
  assert(one >= truth && one <= truth * (1 + 1e-12), `${one} ${truth}`);
});

// Mutant: amplifying by rate² (then the moments' bound falls below the truth).
Deno.test("poissonSubsampledGaussianRenyi() is sound beside the loss distribution", () => {
  const one = poissonSubsampledGaussianRenyi({ mu: 0.5, rate: 0.1 });
  const loss = poissonSubsampledLoss(gaussianLoss({ mu: 0.5 }), { rate: 0.1 });
  const curve = renyiComposition(Array.from({ length: 50 }, () => one));
  for (const epsilon of [0.2, 0.5, 1]) {
    const { lower } = deltaBounds([{ loss, count: 50 }], { epsilon });
    const orders = Array.from({ length: 60 }, (_, i) => i + 2);
    const bound = renyiDelta(curve, { epsilon, orders });
    assert(bound >= lower && bound <= 60 * lower, `${bound} ${lower}`);
  }
});

// Mutants: rate^(2j); e^(j·D) in place of e^((j − 1)·D); min{2, ·} without its power.
Deno.test("subsampledRenyi() is the printed bound when written out at order 3", () => {
  const base = pureRenyi({ epsilon: 0.5 }), gap = Math.expm1(0.5);
  const second = 3 * 0.01 * Math.min(
    4 * Math.expm1(base(2)),
    Math.exp(base(2)) * Math.min(2, gap ** 2),
  );
  const third = 0.001 * Math.exp(2 * base(3)) * Math.min(2, gap ** 3);
  assertAlmostEquals(
    subsampledRenyi(base, { rate: 0.1, pureEpsilon: 0.5 })(3),
    Math.log(1 + second + third) / 2,
    1e-10,
  );
});

// Mutant: leaving out the second term.
Deno.test("subsampledRenyi() amplifies, is no worse than no sampling, and keeps what must leak", () => {
  const base = pureRenyi({ epsilon: 1 });
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.3, noNaN: true }),
      fc.integer({ min: 2, max: 30 }),
      (rate, order) => {
        const curve = subsampledRenyi(base, { rate, pureEpsilon: 1 });
        assert(curve(order) <= base(order) * (1 + 1e-9));
        assert(curve(order) <= subsampledRenyi(base, { rate })(order) * (1 + 1e-9));
        // A sampled randomised response is itself ε′-DP by (ε, δ) amplification, with this Rényi curve.
        const { epsilon } = subsampledParameters({ epsilon: 1 }, { rate });
        assert(curve(order) >= 0.4 * pureRenyi({ epsilon })(order));
      },
    ),
    { seed: 92, numRuns: 50 },
  );
});

/** Wang, Balle, Kasiviswanathan 2019, Theorem 9, in 80 digits. */
function printedBound(
  curve: RenyiCurve,
  { rate, gap, order }: { rate: number; gap: BigNumber | undefined; order: number },
): BigNumber {
  const least = (a: BigNumber, b: BigNumber): BigNumber => a.lt(b) ? a : b;
  const cap = (power: number): BigNumber =>
    gap === undefined ? big(2) : least(big(2), gap.pow(power));
  let sum = big(1), choose = big(order);
  for (let j = 2; j <= order; j++) {
    choose = choose.times(order - j + 1).div(j);
    const growth = big(curve(j)).times(j - 1).exp();
    const factor = j === 2
      ? least(growth.minus(1).times(4), growth.times(cap(2)))
      : growth.times(cap(j));
    sum = sum.plus(big(rate).pow(j).times(choose).times(factor));
  }
  return least(big(curve(order)), sum.ln().div(order - 1));
}

// Mutants: any term, factor or binomial coefficient; a sum with 1 in which a small rate leaves no digits.
Deno.test("subsampledRenyi() is the printed bound rounded up, at every order and rate", () => {
  const scale = (low: number, high: number): fc.Arbitrary<number> =>
    fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
  fc.assert(
    fc.property(
      scale(1e-3, 5),
      scale(1e-9, 1),
      fc.integer({ min: 2, max: 20 }),
      fc.boolean(),
      (epsilon, rate, order, known) => {
        const curve = known ? pureRenyi({ epsilon }) : zcdpRenyi({ rho: epsilon });
        const sampled = subsampledRenyi(curve, known ? { rate, pureEpsilon: epsilon } : { rate });
        const gap = known ? big(epsilon).exp().minus(1) : undefined;
        const exact = printedBound(curve, { rate, gap, order }), found = sampled(order);
        assert(exact.lte(found), `${found} is below ${exact.toString()}`);
        assert(exact.gte(found * (1 - 1e-9)), `${found} is far above ${exact.toString()}`);
      },
    ),
    { seed: 94, numRuns: 60 },
  );
});

// Mutants: the order below a fractional one; the largest order left out, or one more.
Deno.test("subsampledRenyi() reads fractional orders at the next whole one, from 2 to 4096", () => {
  const curve = subsampledRenyi(zcdpRenyi({ rho: 1e-3 }), { rate: 0.01 });
  assertEquals([curve(1.1), curve(2), curve(2.1), curve(2.9)], [
    curve(2),
    curve(2),
    curve(3),
    curve(3),
  ]);
  assert(curve(3) > curve(2) && curve(4096) < Infinity);
  assertEquals([curve(4096.5), curve(4097), curve(Infinity)], [Infinity, Infinity, Infinity]);
});

Deno.test("poissonSubsampledGaussianRenyi() knows orders above 1 and up to 4096", () => {
  const curve = poissonSubsampledGaussianRenyi({ mu: 0.1, rate: 0.01 });
  assert(curve(1 + 1e-9) > 0 && curve(4096) < Infinity);
  for (const order of [-1, 0, 0.5, 1, 4096.5, 5000, NaN]) assertEquals(curve(order), Infinity);
});

// Mutant: the quotient rounded to nearest.
Deno.test("poissonSubsampledGaussianRenyi() divides the moment by the order, rounded up", () => {
  const options = { mu: 0.7, rate: 0.05 }, curve = poissonSubsampledGaussianRenyi(options);
  for (let i = 1; i <= 60; i++) {
    const order = 1 + 0.37 * i, less = subtract(rational(order), rational(1));
    const moment = rational(logSampledGaussianMoment(order, options));
    const { numerator } = subtract(multiply(rational(curve(order)), less), moment);
    assert(numerator >= 0n && curve(order) * (order - 1) <= toNumber(moment) * (1 + 1e-14));
  }
});

// Mutants: the chord dropped; the series taken where it is no number.
Deno.test("poissonSubsampledGaussianRenyi() is a number at fractional orders when μ is next to nothing", () => {
  for (const mu of [1e-154, 1e-160, 1e-300, Number.MIN_VALUE]) {
    for (const rate of [1e-160, 1e-9, 0.5, 1 - 2 ** -50]) {
      const curve = poissonSubsampledGaussianRenyi({ mu, rate });
      for (const order of [1 + 2 ** -52, 1.5, 33.3]) {
        assert(curve(order) > 0 && curve(order) < 1e-280, `${curve(order)} at ${order}`);
      }
    }
  }
});

// Mutant: a divergence that underflows counted as none.
Deno.test("sampled Rényi curves are above 0 at every rate", () => {
  assert(subsampledRenyi(zcdpRenyi({ rho: 1 }), { rate: 1e-300 })(2) > 0);
  assert(poissonSubsampledGaussianRenyi({ mu: 1, rate: 1e-300 })(2) > 0);
});
