/**
 * Privacy loss distributions: 10,000 compositions at ε = 0.01 must take under 10 s and 1 GiB with the two
 * bounds on δ within 1% of each other, sampled Gaussian noise at small rates under 2 s with the bounds on ε
 * within 0.01%, and noise for a given ε of DP-SGD must be found under 2 s. Run with `deno task bench accounting`.
 */
// deno-lint-ignore no-external-import -- processor time has no other source
import process from "node:process";
import {
  approximateLoss,
  gaussianLoss,
  laplaceLoss,
  type PrivacyLoss,
} from "../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  deltaBounds,
  epsilonBounds,
} from "../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { dpSgdClaim } from "../../lib/dp/learners/sgd/dp_sgd.ts";

const TARGET_COUNT = 10_000, TARGET_SECONDS = 10, TARGET_BYTES = 2 ** 30, TARGET_GAP = 0.01;
/** Of sampled Gaussian noise, bounds on ε. */
const SAMPLED_SECONDS = 2, SAMPLED_GAP = 1e-4;

interface Case {
  readonly name: string;
  readonly loss: PrivacyLoss;
  readonly count: number;
  readonly epsilons: readonly number[];
}

const cases: readonly Case[] = [
  {
    name: "Laplace, ε = 0.01",
    loss: laplaceLoss({ epsilon: 0.01 }),
    count: 10_000,
    epsilons: [1, 3, 5, 7, 9],
  },
  {
    name: "randomised response, ε = 0.01",
    loss: approximateLoss({ epsilon: 0.01 }),
    count: 10_000,
    epsilons: [1, 5, 9],
  },
  {
    name: "Gaussian, μ = 0.01",
    loss: gaussianLoss({ mu: 0.01 }),
    count: 10_000,
    epsilons: [1, 5, 9],
  },
  {
    name: "Gaussian, μ = 1, sampled at 1%",
    loss: poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 0.01 }),
    count: 1000,
    epsilons: [1],
  },
];

/** The process's resident memory at its highest, as far as it was looked at. */
let highest = 0;

function timed<T>(action: () => T): { result: T; seconds: number; processor: number } {
  const start = performance.now(), used = process.cpuUsage();
  const result = action();
  highest = Math.max(highest, Deno.memoryUsage().rss);
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - start) / 1000;
  return { result, seconds, processor: (user + system) / 1e6 };
}

let met = true;
for (const { name, loss, count, epsilons } of cases) {
  for (const epsilon of epsilons) {
    const { result: { lower, upper }, seconds, processor } = timed(() =>
      deltaBounds([{ loss, count }], { epsilon })
    );
    const gap = upper / lower - 1;
    if (count === TARGET_COUNT) met &&= gap <= TARGET_GAP && seconds <= TARGET_SECONDS;
    console.log(
      `${name}, ${count} times, at ε = ${epsilon}: ${lower.toPrecision(7)} ≤ δ ≤ ` +
        `${upper.toPrecision(7)}, ${(100 * gap).toFixed(4)}% apart, ${
          seconds.toFixed(2)
        } s (processor ${processor.toFixed(2)} s)`,
    );
  }
}
interface SampledCase {
  readonly rate: number;
  /** Of the noise, per unit of sensitivity. */
  readonly deviation: number;
  readonly runs: number;
  readonly delta: number;
}

const sampled: readonly SampledCase[] = [
  { rate: 1e-4, deviation: 1, runs: 1e5, delta: 1e-6 },
  { rate: 1e-4, deviation: 1, runs: 1e6, delta: 1e-6 },
  { rate: 1e-4, deviation: 0.8, runs: 1e4, delta: 1e-6 },
  { rate: 1e-4, deviation: 0.3, runs: 1e3, delta: 1e-6 },
  { rate: 0.01, deviation: 1, runs: 1e3, delta: 1e-5 },
  { rate: 0.01, deviation: 1, runs: 1e4, delta: 1e-5 },
  { rate: 0.001, deviation: 0.6, runs: 1e4, delta: 1e-6 },
  { rate: 0.02, deviation: 0.5, runs: 5e3, delta: 1e-5 },
];

for (const { rate, deviation, runs, delta } of sampled) {
  const tries = [1, 2, 3].map(() =>
    timed(() => {
      const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 / deviation }), { rate });
      return epsilonBounds([{ loss, count: runs }], { delta });
    })
  ).sort((a, b) => a.processor - b.processor);
  const { result: { lower, upper }, seconds, processor } = tries[1]!;
  const gap = upper / lower - 1;
  met &&= gap <= SAMPLED_GAP && processor <= SAMPLED_SECONDS;
  console.log(
    `Gaussian, σ = ${deviation}, sampled at ${rate}, ${runs} times, at δ = ${delta}: ` +
      `${lower.toPrecision(7)} ≤ ε ≤ ${upper.toPrecision(7)}, ${(100 * gap).toFixed(4)}% apart, ` +
      `${seconds.toFixed(2)} s (processor ${processor.toFixed(2)} s; median of 3)`,
  );
}

const trainings = [[10, 1e-4], [10, 1e-3], [1000, 1e-3], [1000, 0.01], [1e5, 1e-3], [100, 0.5]];
for (const [steps, rate] of trainings as [number, number][]) {
  for (const epsilon of [0.1, 1, 8]) {
    const { result, processor } = timed(() =>
      dpSgdClaim({ columnCount: 10, clip: 1, learningRate: 1, delta: 1e-6, steps, rate, epsilon })
    );
    met &&= processor <= SAMPLED_SECONDS;
    console.log(
      `DP-SGD, ${steps} steps at a rate of ${rate}, for ε = ${epsilon}: ${
        result.epsilon.toPrecision(5)
      }, processor ${processor.toFixed(2)} s`,
    );
  }
}

const { result, seconds, processor } = timed(() =>
  epsilonBounds([{ loss: laplaceLoss({ epsilon: 0.01 }), count: 10_000 }], { delta: 1e-6 })
);
console.log(
  `Laplace, ε = 0.01, 10000 times, at δ = 1e-6: ${result.lower.toPrecision(7)} ≤ ε ≤ ` +
    `${result.upper.toPrecision(7)}, ${seconds.toFixed(2)} s (processor ${processor.toFixed(2)} s)`,
);
met &&= highest <= TARGET_BYTES;
console.log(`highest resident memory seen: ${(highest / 2 ** 20).toFixed(0)} MiB`);
console.log(
  met
    ? "targets met: 10 s, 1 GiB, 1%; sampled 2 s, 0.01%"
    : "targets NOT met (10 s, 1 GiB, 1%; sampled 2 s, 0.01%), unless the machine was busy",
);
