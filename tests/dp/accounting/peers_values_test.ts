import { assert, assertAlmostEquals } from "@std/assert";
import {
  approximateLoss,
  deltaBounds,
  epsilonBounds,
  gaussianLoss,
  laplaceLoss,
  optimalDelta,
  poissonSubsampledGaussianRenyi,
  poissonSubsampledLoss,
  type PrivacyLoss,
  renyiEpsilon,
  zcdpDelta,
  zcdpEpsilon,
} from "../../../lib/dp/accounting/mod.ts";
import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";

/*
 * Numbers that tests of other libraries expect, beside integrals that are written out here:
 * dp_accounting of google/differential-privacy, rdp_privacy_accountant_test.py at 0b109e9 and pld_privacy_accountant_test.py at 0c0e3fd;
 * Opacus, accountants_test.py at 030b723; OpenDP, zCDP_to_approxDP/test.rs at 030057b and cdp_delta/test.rs at 420c1a0.
 */

/** ln E_Q[(dP/dQ)^order]/(order − 1) of sampled normal noise, by the midpoint rule; E_Q[dP/dQ − 1] = 0 is taken off, so that digits are kept. */
function integrated(order: number, { mu, rate }: { mu: number; rate: number }): number {
  let sum = 0;
  const step = 1e-3;
  for (let x = -15 + step / 2; x < 15 + mu * order; x += step) {
    const more = rate * Math.expm1(mu * x - 0.5 * mu * mu);
    // (1 + more)^order − 1 − order·more, under the density.
    const above = Math.exp(order * Math.log1p(more) - 0.5 * x * x) -
      (1 + order * more) * Math.exp(-0.5 * x * x);
    sum += above * step / Math.sqrt(2 * Math.PI);
  }
  return Math.log1p(sum) / (order - 1);
}

Deno.test("dp_accounting's Rényi amounts of 50 sampled Gaussians are the integral, but for 3% at order 1.5; ours are it throughout", () => {
  const law = { mu: 1 / 2.5, rate: 0.01 }, curve = poissonSubsampledGaussianRenyi(law);
  const expected = [
    [1.5, 6.70579741e-04, 1.03155],
    [2.5, 1.08548710e-03, 1.00006],
    [5, 2.18075656e-03, 1],
    [50, 2.38460375e-02, 1],
    [100, 1.67416308e+02, 1],
  ] as const;
  for (const [order, theirs, times] of expected) {
    const truth = 50 * integrated(order, law), ours = 50 * curve(order);
    assert(ours >= truth * (1 - 1e-9) && ours <= truth * (1 + 1e-6), `${order}: ${ours} ${truth}`);
    assertAlmostEquals(theirs / truth, times, 2e-5, `${order}`);
  }
});

const sampledGaussian = ({ mu, rate }: { mu: number; rate: number }): PrivacyLoss =>
  poissonSubsampledLoss(gaussianLoss({ mu }), { rate });

/** δ at ε of one step: P where a row is sampled with noise of deviation 1/μ, Q without it; and the other way round. Closed forms. */
function oneStep(
  epsilon: number,
  { mu, rate, back }: { mu: number; rate: number; back: boolean },
): number {
  // dP/dQ = 1 − rate + rate·e^(μx − μ²/2) rises in x.
  const sign = back ? -1 : 1, level = Math.exp(sign * epsilon);
  const odds = (level - 1 + rate) / rate;
  if (odds <= 0) return back ? 0 : 1 - Math.exp(epsilon);
  const at = Math.log(odds) / mu + mu / 2;
  const q = back ? normalTail(-at) : normalTail(at);
  const shifted = back ? normalTail(-(at - mu)) : normalTail(at - mu);
  const p = (1 - rate) * q + rate * shifted;
  return back ? q - Math.exp(epsilon) * p : p - Math.exp(epsilon) * q;
}

/** δ at ε of three steps: the first two by the midpoint rule. */
function threeSteps(epsilon: number, law: { mu: number; rate: number; back: boolean }): number {
  const { mu, rate, back } = law, step = 0.02, density: number[] = [], losses: number[] = [];
  for (let x = -8 + step / 2; x < 8 + mu; x += step) {
    const q = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
    const ratio = 1 + rate * Math.expm1(mu * x - 0.5 * mu * mu);
    density.push(step * (back ? q : q * ratio));
    losses.push((back ? -1 : 1) * Math.log(ratio));
  }
  let sum = 0;
  losses.forEach((one, i) =>
    losses.forEach((other, j) =>
      sum += density[i]! * density[j]! * oneStep(epsilon - one - other, law)
    )
  );
  return sum;
}

Deno.test("dp_accounting's δ and ε of compositions are ours, to the digits that it states", () => {
  const gaussian = gaussianLoss({ mu: 1 / Math.sqrt(3) });
  assertAlmostEquals(
    deltaBounds([{ loss: gaussian, count: 3 }], { epsilon: 1 }).upper,
    0.126936,
    1e-6,
  );
  const law = { mu: 2, rate: 0.2 };
  const sampled = sampledGaussian(law);
  const { lower, upper } = deltaBounds([{ loss: sampled, count: 3 }], { epsilon: 1 });
  const truth = Math.max(...[false, true].map((back) => threeSteps(1, { ...law, back })));
  assert(lower <= truth + 1e-7 && truth <= upper + 1e-7, `${lower} ${truth} ${upper}`);
  assertAlmostEquals(truth, 0.15594, 2e-5);
  const laplace = poissonSubsampledLoss(laplaceLoss({ epsilon: 2 }), { rate: 0.2 });
  assertAlmostEquals(
    epsilonBounds([{ loss: laplace, count: 3 }], { delta: 1e-14 }).upper,
    2.46964,
    1e-4,
  );
  const parts = [{ epsilon: 1, delta: 0.1, count: 1 }, { epsilon: 2, delta: 0.2, count: 1 }];
  assertAlmostEquals(optimalDelta(parts, { epsilon: 3 }), 0.28, 1e-11);
  const losses = parts.map(({ epsilon, delta }) => ({
    loss: approximateLoss({ epsilon, delta }),
    count: 1,
  }));
  assertAlmostEquals(deltaBounds(losses, { epsilon: 3 }).upper, 0.28, 1e-9);
});

Deno.test("Opacus' ε by Rényi orders is 8% above the least, and what its Gaussian accountant expects is below it", () => {
  const law = { mu: 1 / 1.5, rate: 0.04 }, count = 2250, delta = 1e-5;
  const { lower, upper } = epsilonBounds(
    [{ loss: sampledGaussian(law), count }],
    { delta },
  );
  const curve = poissonSubsampledGaussianRenyi(law);
  const byOrders = renyiEpsilon((order) => count * curve(order), { delta });
  assert(byOrders <= 7.32911117143, `${byOrders}`);
  assertAlmostEquals(7.32911117143 / upper, 1.083, 1e-3);
  // The Gaussian accountant takes the central limit for the law; its test expects 6.59 to 6.6.
  assert(lower > 6.76, `${lower}`);
});

/** The least of e^((a − 1)(aρ − ε))·(1 − 1/a)^a/(a − 1) over orders a (Canonne, Kamath, Steinke 2020, Proposition 12), on a fine grid. */
function leastDelta(rho: number, epsilon: number): number {
  let least = 1;
  for (let log = -12; log < 12; log += 1e-4) {
    const less = Math.exp(log), order = 1 + less;
    const value = less * (order * rho - epsilon) + order * Math.log1p(-1 / order) - Math.log(less);
    least = Math.min(least, Math.exp(value));
  }
  return least;
}

Deno.test("OpenDP's conversions of concentrated claims are ours, to ten digits", () => {
  for (
    const [rho, epsilon, expected] of [
      [1 / 32, 0, 0.1508457845622862],
      [1 / 32, 0.6880024554878085, 1e-3],
      [0.05, 0.25, 8.17727531036956e-2],
      [0.5, 0, 0.5588356393474351],
    ] as const
  ) {
    const delta = zcdpDelta({ rho }, { epsilon });
    assertAlmostEquals(delta / expected, 1, 1e-9);
    assertAlmostEquals(leastDelta(rho, epsilon) / expected, 1, 1e-7);
  }
  assertAlmostEquals(zcdpEpsilon({ rho: 1 / 32 }, { delta: 1e-3 }), 0.6880024554878085, 1e-9);
});
