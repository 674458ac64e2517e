import { assert, assertEquals, assertThrows } from "@std/assert";
import { approximateRho } from "../../../../lib/dp/accounting/budget/approximate_zcdp.ts";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { lossesOf } from "../../../../lib/dp/accounting/loss_distribution/known_losses.ts";
import {
  deltaBounds,
  type LossPart,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { privacyOdometer } from "../../../../lib/dp/accounting/budget/privacy_odometer.ts";
import { gaussianRenyi } from "../../../../lib/dp/accounting/composition/renyi.ts";
import { sampledClaim } from "../../../../lib/dp/accounting/sampling/sampled_claim.ts";
import {
  poissonSubsampledGaussianRenyi,
  wholeOrderSampledRenyi,
} from "../../../../lib/dp/accounting/sampling/subsampling.ts";
import {
  approximate,
  type ApproximateClaim,
  type Claim,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../../lib/core/mod.ts";
import { addRemoveOne as relation } from "../../../../lib/core/relations/relation.ts";
import { dpSgdClaim } from "../../../../lib/dp/learners/sgd/dp_sgd.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** Divergences of every order, divided by the order, of two laws on points, both ways, at their highest. */
function highestRho(p: readonly number[], q: readonly number[]): number {
  const total = (law: readonly number[]): number => law.reduce((sum, each) => sum + each, 0);
  const [wholeP, wholeQ] = [total(p), total(q)];
  let highest = 0;
  for (let tilt = 0.02; tilt < 1e4; tilt *= 1.2) {
    for (const sign of [1, -1]) {
      const [from, to, wholeFrom, wholeTo] = sign > 0
        ? [p, q, wholeP, wholeQ]
        : [q, p, wholeQ, wholeP];
      const logs = from.map((mass, i) => {
        const loss = Math.log(mass / wholeFrom) - Math.log(to[i]! / wholeTo);
        return Math.log(mass / wholeFrom) + tilt * loss;
      });
      const greatest = logs.reduce((most, log) => Math.max(most, log), -Infinity);
      const moment = greatest +
        Math.log(logs.reduce((sum, log) => sum + Math.exp(log - greatest), 0));
      highest = Math.max(highest, moment / tilt / (1 + tilt));
    }
  }
  return highest;
}

// Mutants: orders beyond that of the cut left out; the cut at another δ; the share left out of the divergence.
Deno.test("approximateRho() is at least the ρ of sampled Gaussian noise without its rarest losses", () => {
  for (
    const [mu, rate, delta] of [[1, 0.01, 1e-9], [2, 0.1, 1e-6], [0.5, 0.001, 1e-5], [1, 1, 1e-6]]
  ) {
    const step = 1e-3, p: number[] = [], q: number[] = [];
    let above = 0;
    // From far out, where losses are largest, up to a share of δ.
    for (let x = 14; x > -12; x -= step) {
      const without = Math.exp(-x * x / 2), row = Math.exp(-((x - mu!) ** 2) / 2);
      const mass = (1 - rate!) * without + rate! * row;
      above += step * mass / Math.sqrt(2 * Math.PI);
      if (above <= delta!) continue;
      p.push(mass);
      q.push(without);
    }
    const exact = highestRho(p, q);
    const rho = approximateRho(poissonSubsampledGaussianRenyi({ mu: mu!, rate: rate! }), {
      delta: delta!,
    });
    assert(exact <= rho, `${exact} > ${rho} for ${mu}, ${rate}, ${delta}`);
  }
  // Of many runs, nearly what their variance alone would take: 0.086.
  const one = poissonSubsampledGaussianRenyi({ mu: 1, rate: 0.01 });
  const many = approximateRho((order) => 1000 * one(order), { delta: 1e-6 });
  assert(many > 0.0859 && many < 0.14, `${many}`);
  const plain = approximateRho(gaussianRenyi({ mu: 1 }), { delta: 1e-6 });
  assert(plain <= 0.51, `${plain}`);
  assertEquals(approximateRho(() => Infinity, { delta: 1e-6 }), Infinity);
});

// Mutants: half of the bound below order 2; orders rounded down.
Deno.test("divergences of sampled discrete Gaussian noise are on the curve or below, at every order and either way", () => {
  for (const [deviation, shift, rate] of [[1, 1, 0.1], [3, 2, 0.01], [0.7, 1, 0.5], [5, 4, 0.9]]) {
    const curve = wholeOrderSampledRenyi({ mu: shift! / deviation!, rate: rate! });
    const weight = (k: number): number => Math.exp(-k * k / (2 * deviation! ** 2));
    const points = Array.from({ length: 401 }, (_, i) => i - 200);
    const whole = points.reduce((sum, k) => sum + weight(k), 0);
    for (const order of [1.01, 1.3, 1.9, 2, 2.5, 3, 7.2, 20]) {
      let forward = 0, backward = 0;
      for (const k of points) {
        const q = weight(k) / whole, p = (1 - rate!) * q + rate! * weight(k - shift!) / whole;
        if (!(p > 1e-300 && q > 1e-300)) continue;
        forward += Math.exp(order * Math.log(p) - (order - 1) * Math.log(q));
        backward += Math.exp(order * Math.log(q) - (order - 1) * Math.log(p));
      }
      const exact = Math.log(Math.max(forward, backward)) / (order - 1), bound = curve(order);
      const at = `${deviation}, ${shift}, ${rate}, order ${order}`;
      assert(exact <= bound * (1 + 1e-9) + 1e-13, `${exact} > ${bound} for ${at}`);
    }
    const low = curve(1.01), two = curve(2);
    if (rate! < 0.2) assert(low < 0.6 * two, `${low} and ${two}`);
  }
});

const SAMPLED: readonly (() => ApproximateClaim)[] = [
  ...[[0.5, 0.01, 100], [0.5, 0.02, 30], [0.2, 0.05, 100]].map(([mu, rate, count]) => () =>
    sampledClaim(gaussian({ mu: mu!, relation }), { rate: rate!, count: count!, delta: 1e-7 })
  ),
  () => sampledClaim(pure({ epsilon: 0.5, relation }), { rate: 0.05, count: 40, delta: 1e-7 }),
];

// Before: ε²/2 of each claim, so that none of these releases was taken. Mutants: a ρ that is half of it; δ that is not paid.
Deno.test("an approximate budget takes sampled releases by their divergences, and exact losses keep the limit", () => {
  const limit = approximate({ epsilon: 1, delta: 1e-5, relation });
  const made = SAMPLED.map((make) => make());
  // What slack leaves of δ must pay for the claim's own.
  assert(!openBudget(limit, { slack: 1e-5 - 5e-8 }).canSpend(made[0]!));
  for (const seed of [1, 2, 3]) {
    const source = new SeededSource(seed), budget = openBudget(limit, { slack: 5e-6 });
    const parts: LossPart[] = [];
    for (;;) {
      const claim = made[source.uint32() % made.length]!;
      if (!budget.canSpend(claim)) break;
      budget.spend(claim);
      parts.push(...lossesOf(claim)!.parts);
    }
    const { upper } = deltaBounds(parts, { epsilon: limit.epsilon });
    assert(upper <= limit.delta, `δ ${upper} after ${parts.length} releases`);
    assert(parts.length >= 3, `${parts.length} releases`);
  }
});

Deno.test("an approximate budget takes DP-SGD by its divergences, and an odometer reads it by them", () => {
  const training = { columnCount: 2, clip: 1, learningRate: 0.1, delta: 1e-6 };
  const claim = dpSgdClaim({ ...training, steps: 1000, rate: 0.01, noiseMultiplier: 1.5 });
  const limit = approximate({ epsilon: 2.2, delta: 1e-5, relation });
  const budget = openBudget(limit, { slack: 5e-6 });
  let runs = 0;
  for (; budget.canSpend(claim); runs++) budget.spend(claim);
  const { parts } = lossesOf(claim)!;
  const { upper } = deltaBounds(parts.map(({ loss, count }) => ({ loss, count: runs * count })), {
    epsilon: limit.epsilon,
  });
  assert(upper <= limit.delta, `${upper}`);
  assert(runs >= 3, `${runs} runs of ${claim.epsilon}`);
  const { rho, delta } = privacyOdometer({ slack: 1e-6, tunedFor: [0.1] }).after(claim);
  assert(rho < 0.1 * claim.epsilon ** 2, `${rho}`);
  assert(delta >= 2e-6 && delta < 2.001e-6, `${delta}`);
});

Deno.test("budgets without δ take sampled claims by what holds without", () => {
  const ofPure = sampledClaim(pure({ epsilon: 1, relation }), {
    rate: 0.1,
    count: 10,
    delta: 1e-6,
  });
  const ofGaussian = sampledClaim(gaussian({ mu: 0.5, relation }), {
    ...{ rate: 0.1, count: 16, delta: 1e-6 },
  });
  const most = Math.log1p(0.1 * Math.expm1(1)), least = Math.log1p(0.1 * Math.expm1(-1));
  const divergence = poissonSubsampledGaussianRenyi({ mu: 0.5, rate: 0.1 })(8);
  const prices: readonly (readonly [ApproximateClaim, (share: number) => Claim])[] = [
    [ofPure, (share) => pure({ epsilon: share * 10 * most, relation })],
    [ofPure, (share) => zcdp({ rho: share * 10 * (most - least) ** 2 / 8, relation })],
    [
      ofPure,
      (share) => renyi({ order: 4, epsilon: share * 40 * (most - least) ** 2 / 8, relation }),
    ],
    [ofGaussian, (share) => gaussian({ mu: share * 0.5 * 4, relation })],
    [ofGaussian, (share) => zcdp({ rho: share * 0.125 * 16, relation })],
    [ofGaussian, (share) => renyi({ order: 8, epsilon: share * 16 * divergence, relation })],
  ];
  for (const [claim, limit] of prices) {
    const name = limit(1).kind;
    assert(openBudget(limit(1 + 1e-9)).canSpend(claim), name);
    assert(!openBudget(limit(1 - 1e-9)).canSpend(claim), name);
  }
  // No pure claim follows from Gaussian noise.
  assertThrows(
    () => openBudget(pure({ epsilon: 99, relation })).spend(ofGaussian),
    TypeError,
    "pure",
  );
});

// The bound on losses in a range, by the divergences of the worst pair. Mutants: the range of one sign; an eighth that is a ninth.
Deno.test("ρ and divergences of a sampled pure claim are at least those of its worst pair", () => {
  for (const epsilon of [0.1, 1, 3, 40]) {
    for (const rate of [0.01, 0.1, 0.6, 1]) {
      const { renyi: curve, alsoKeeps } = lossesOf(
        sampledClaim(pure({ epsilon, relation }), { rate, delta: 0.01 }),
      )!;
      const more = 1 / (1 + Math.exp(-epsilon)), less = 1 / (1 + Math.exp(epsilon));
      const q = [less, more],
        p = [
          less * (1 + rate * Math.expm1(epsilon)),
          more * (1 - rate + rate * Math.exp(-epsilon)),
        ];
      const concentrated = alsoKeeps!.find((claim) => claim.kind === "zcdp")!;
      const exact = highestRho(p, q);
      assert(exact <= concentrated.rho * (1 + 1e-6) + 1e-12, `${exact} > ${concentrated.rho}`);
      for (const order of [1.1, 2, 5, 50]) {
        const [first, second] = p.map((mass, i) =>
          order * Math.log(mass) - (order - 1) * Math.log(q[i]!)
        );
        const moment = Math.max(first!, second!) +
          Math.log1p(Math.exp(-Math.abs(first! - second!)));
        assert(moment / (order - 1) <= curve!(order) * (1 + 1e-9) + 1e-13, `order ${order}`);
      }
    }
  }
});
